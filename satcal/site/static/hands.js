// Mouse, pen, fingers and keyboard: each can take, move, turn and lay down every piece.
import { say } from "./words.js";

/** @import { Game } from "./game.js" @import { Spot } from "./geometry.js" @import { Table } from "./table.js" */
/** @typedef {{id: number, x: number, y: number}} Finger
 * @typedef {Finger & {token: number | null, dragging: boolean, second: Finger | null, buttons: number}} Press */

const FAR = 6; // pixels after which a press is a drag
const SWIPE = 24; // pixels after which a second finger turns over
const NOTCH = 50; // of the wheel, per turn
const LIFT = 0.8; // of a cell: how far above a finger its piece is
/** @type {Record<string, Spot>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The piece that was pointed at. @param {EventTarget | null} target */
function tokenOf(target) {
  const piece = target instanceof Element ? target.closest(".piece") : null;
  return piece instanceof HTMLElement ? Number(piece.dataset.token) : null;
}

/** @param {PointerEvent} event @returns {Finger} */
const finger = ({ pointerId, clientX, clientY }) => ({ id: pointerId, x: clientX, y: clientY });
/** @param {PointerEvent} event @param {Finger} from */
const way = ({ clientX, clientY }, { x, y }) => Math.hypot(clientX - x, clientY - y);

export class Hands {
  /** @param {Table} table @param {(text: string) => void} remark @param {(text: string) => void} announce for who cannot see it */
  constructor(table, remark, announce) {
    this.table = table;
    this.remark = remark;
    this.announce = announce;
    this.press = /** @type {Press | null} */ (null);
    this.wheel = 0;
    const { root } = table;
    addEventListener("pointerdown", (event) => this.#down(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", (event) => event.pointerId === this.press?.id && this.#cancel());
    addEventListener("blur", () => this.press?.dragging && this.#cancel());
    addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("touchstart", (event) => tokenOf(event.target) !== null && event.preventDefault(), { passive: false }); // no scrolling
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !this.press && this.table.game?.leave());
    root.addEventListener("mousedown", (event) => event.button === 2 && this.#second(event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  get game() {
    return /** @type {Game} */ (this.table.game);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const { table, press } = this;
    if (press?.dragging) press.second = finger(event);
    if (press || event.button !== 0 || !event.isPrimary || !table.root.contains(/** @type {Node} */ (event.target))) return;
    const token = tokenOf(event.target);
    this.press = { ...finger(event), token, dragging: false, second: null, buttons: event.buttons };
    if (token === null) return;
    table.root.setPointerCapture(event.pointerId);
    event.preventDefault(); // no selection; and the focus goes to the piece
    table.root.dataset.by = "pointer"; // whose place needs no ring
    table.pieces[token].focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { press, table } = this;
    if (!press && event.pointerType === "mouse") this.#hover(event);
    if (press?.id !== event.pointerId || press.token === null) return;
    if (!press.dragging && way(event, press) > FAR) {
      press.dragging = true;
      table.lift = event.pointerType === "touch" ? LIFT : 0;
      this.game.take(press.token, table.cellOf(press.token, press.x, press.y));
      if (this.game.hand) this.game.hand.aimed = true;
    }
    // a second button that goes down during a drag is a move: the first press has swallowed mouse events
    const over = event.pointerType === "mouse" && event.buttons & 2 & ~press.buttons;
    press.buttons = event.buttons;
    if (press.dragging) table.carry(event.clientX, event.clientY);
    if (over) this.turn(press.token, "flip");
  }

  /** Shows where a piece that was taken by a click would lie. @param {PointerEvent} event */
  #hover({ clientX, clientY }) {
    const hand = this.table.game?.hand;
    if (!hand) return;
    const [row, column] = this.table.cellAt(clientX, clientY).map(Math.floor);
    if (this.table.onBoard(clientX, clientY)) this.game.cover([row, column]);
    else this.game.leave();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { press } = this;
    if (event.pointerId === press?.id) {
      this.press = null;
      if (press.dragging) this.#drop();
      else this.#tap(event, press.token);
    } else if (event.pointerId === press?.second?.id) { // its tap turns, its swipe or its tap on Flip turns over
      const over = way(event, press.second) > SWIPE || (event.target instanceof Element && event.target.closest("#flip"));
      press.second = null;
      this.turn(press.token, over ? "flip" : "turn");
    }
  }

  #drop() {
    const { game, table } = this;
    const onBoard = table.near !== null, token = game.hand?.token;
    if (game.hand?.from && !onBoard) game.remove(game.hand.token);
    else if (!game.place()) {
      game.back();
      if (onBoard) this.remark(say("misfit"));
      if (onBoard && token !== undefined) table.refuse(token);
    }
    table.letGo();
  }

  /** @param {PointerEvent} event @param {number | null} token */
  #tap(event, token) {
    const { game, game: { hand } } = this;
    if (token !== null && token !== hand?.token) game.take(token, this.table.cellOf(token, event.clientX, event.clientY));
    else if (token !== null && hand && !(hand.at && hand.aimed)) this.turn(token, "turn");
    else if (hand && this.table.onBoard(event.clientX, event.clientY)) {
      this.#hover(event);
      this.#lay();
    } else game.back();
  }

  #lay() {
    const token = this.game.hand?.token;
    if (this.game.place()) return;
    this.remark(say("misfit"));
    if (token !== undefined) this.table.refuse(token);
  }

  #cancel() {
    this.press = null;
    this.game.back();
    this.table.letGo();
  }

  /** The second button. @param {MouseEvent} event */
  #second(event) {
    event.preventDefault();
    if (!this.press?.dragging) this.turn(tokenOf(event.target) ?? this.game.hand?.token ?? null, "flip");
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const token = this.game.hand?.token ?? tokenOf(event.target);
    if (token === null || event.ctrlKey) return;
    event.preventDefault();
    this.wheel += event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
    if (Math.abs(this.wheel) < NOTCH) return;
    for (let turns = this.wheel > 0 ? 1 : 3; turns; turns -= 1) this.turn(token, "turn");
    this.wheel = 0;
  }

  /** @param {number | null} token @param {"turn" | "flip"} how */
  turn(token, how) {
    if (token === null) return;
    const { game, press } = this;
    const turned = game.turn(token, how);
    if (turned) this.table.root.dispatchEvent(new CustomEvent("turned", { detail: how }));
    if (press?.dragging) this.table.carry();
    if (!turned) this.remark(say("no-flip"));
    else if (game.hand?.at && !game.handFits) this.remark(say("misfit"));
    else this.announce(this.table.says(token));
  }

  // The keyboard acts on the piece that has the focus, and on nothing while another control has it.

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target, key } = event;
    delete this.table.root.dataset.by;
    if (!(target instanceof Element) || !this.table.game || target.closest("input, select, textarea")) return;
    const token = tokenOf(target) ?? (target === document.body ? this.game.hand?.token ?? null : null);
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (this.press) {
      if (key === "Escape") this.#cancel();
      else if (this.press.dragging && (name === "r" || name === "f")) this.turn(this.press.token, name === "r" ? "turn" : "flip");
    } else if (event.ctrlKey || event.metaKey) {
      if (name !== "z" && name !== "y") return;
      this.game.step(name === "y" || event.shiftKey ? 1 : -1);
      event.preventDefault();
    } else if (token !== null && !event.altKey && this.#pieceKey(token, name)) event.preventDefault();
  }

  /** @param {number} token @param {string} name @returns {boolean} whether the key means something */
  #pieceKey(token, name) {
    const { game, table, table: { pieces } } = this;
    const held = game.hand?.token === token;
    const by = ARROWS[name];
    if (name === "r" || name === "f") this.turn(token, name === "r" ? "turn" : "flip");
    else if (name === "Delete" || name === "Backspace") game.remove(token);
    else if (name === "Escape" && game.hand) game.back();
    else if (by && held) this.#nudge(token, by);
    else if (by) {
      const order = table.inOrder();
      order.at((order.indexOf(pieces[token]) + by[0] + by[1]) % order.length)?.focus();
    }
    else if (name !== "Enter" && name !== " ") return false;
    else if (held && game.hand?.at) this.#lay();
    else {
      game.take(token);
      this.#nudge(token, [0, 0]);
    }
    return true;
  }

  /** Moves the piece in the hand, and says where it is now. @param {number} token @param {Spot} by */
  #nudge(token, by) {
    this.game.nudge(by);
    this.announce(this.table.says(token));
  }
}
