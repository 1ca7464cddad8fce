// Mouse, touch and keyboard: they all take, move, turn and place the piece in the hand.
import { grip, outline, size, svg, UNIT } from "./geometry.js";

const FAR = 6; // pixels after which a press is a drag
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Hands {
  constructor(game, board, tray, trayElement) {
    Object.assign(this, { game, board, tray });
    this.press = null; // { x, y, id, dragging, held }: held says whether the hand was full before
    trayElement.addEventListener("pointerdown", (event) => this.#down(event, this.#trayPiece(event)));
    board.element.addEventListener("pointerdown", (event) => this.#down(event, this.#placedPiece(event)));
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", () => this.#end());
    trayElement.addEventListener("click", (event) => this.#click(event, this.#trayPiece(event)));
    board.element.addEventListener("pointermove", (event) => this.#over(event));
    board.element.addEventListener("pointerleave", () => this.game.hand && !this.press && this.game.hover(null));
    addEventListener("keydown", (event) => this.#key(event));
  }

  #trayPiece(event) {
    const button = event.target.closest("button[data-piece]");
    return button && !button.disabled ? { name: button.dataset.piece } : null;
  }

  #placedPiece(event) {
    const group = event.target.closest(".piece");
    return group ? { number: Number(group.dataset.number) } : null;
  }

  #down(event, what) {
    if (event.button !== 0 || this.press) return;
    this.press = { x: event.clientX, y: event.clientY, id: event.pointerId, what, dragging: false, type: event.pointerType };
    if (what) event.target.releasePointerCapture?.(event.pointerId);
  }

  #move(event) {
    const press = this.press;
    if (!press?.what || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR;
    if (!press.dragging && far) {
      press.dragging = true;
      if (press.what.name) this.game.take(press.what.name);
      else {
        this.game.drop();
        this.game.lift(press.what.number);
      }
      this.#carry();
    }
    if (press.dragging) this.#drag(event);
  }

  // While it is dragged a picture of the piece follows the pointer; a finger must not hide it.
  #carry() {
    const path = svg("path", { fill: this.board.colours.get(this.game.hand.piece) });
    this.carried = svg("svg", { class: "carried", "aria-hidden": "true" }, path);
    document.body.append(this.carried);
  }

  #drag(event) {
    const { unit } = this.board;
    const { cells } = this.game.hand;
    const [x, y] = [event.clientX, event.clientY - (this.press.type === "touch" ? 1.2 * unit : 0)];
    const [row, column] = grip(cells);
    this.game.hover(this.board.cellAt(x, y));
    const [high, wide] = size(cells);
    this.carried.setAttribute("viewBox", `0 0 ${wide * UNIT} ${high * UNIT}`);
    this.carried.firstChild.setAttribute("d", outline(cells));
    this.carried.style.width = `${wide * unit}px`;
    this.carried.style.height = `${high * unit}px`;
    this.carried.style.transform = `translate(${x - (column + 0.5) * unit}px, ${y - (row + 0.5) * unit}px)`;
    this.carried.classList.toggle("hidden", this.game.handFits);
  }

  #up(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.id) return;
    this.#end();
    if (press.dragging) {
      this.dragged = true; // the click that follows is none
      setTimeout(() => { this.dragged = false; }, 0);
      if (!this.game.place()) this.game.drop();
      return;
    }
    const inside = event.target.closest?.("#board");
    if (!inside) return;
    if (this.game.hand) {
      this.game.hover(this.board.cellAt(event.clientX, event.clientY));
      this.game.place();
    } else if (press.what?.number !== undefined) this.game.lift(press.what.number);
  }

  #end() {
    this.press = null;
    this.carried?.remove();
    this.carried = null;
  }

  #click(event, what) {
    if (!what || this.dragged) return;
    const held = this.game.hand?.piece === what.name;
    this.game.drop();
    if (!held) {
      this.game.take(what.name);
      if (event.detail === 0) this.game.nudge([0, 0]); // the keyboard has no pointer to hover with
    }
  }

  #over(event) {
    if (this.game.hand && !this.press && event.pointerType === "mouse") {
      this.game.hover(this.board.cellAt(event.clientX, event.clientY));
    }
  }

  #key(event) {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const placed = event.target.closest?.("#board .piece");
    if (!this.game.hand) {
      if (placed && ["Enter", " ", "Delete", "Backspace"].includes(event.key)) {
        event.preventDefault();
        this.game.lift(Number(placed.dataset.number));
        if (["Delete", "Backspace"].includes(event.key)) this.game.drop();
      }
      return;
    }
    const { piece } = this.game.hand;
    if (event.key in ARROWS) this.game.nudge(ARROWS[event.key]);
    else if (event.key === "r" || event.key === "R") this.game.turn("rotate");
    else if (event.key === "f" || event.key === "F") this.game.turn("flip");
    else if (event.key === "Escape") this.game.drop();
    else if ((event.key === "Enter" || event.key === " ") && this.game.hand.at && !event.target.closest(".tools")) {
      if (this.game.place()) this.#focusNext(piece);
    } else return;
    event.preventDefault();
  }

  #focusNext(piece) {
    const buttons = [...this.tray.buttons.values()];
    const own = buttons.indexOf(this.tray.buttons.get(piece));
    const next = [...buttons.slice(own), ...buttons].find((button) => !button.disabled);
    (next ?? document.getElementById("clear")).focus();
  }
}
