// Input by mouse, pen, fingers and keyboard.
import { announce, endBrief, showBriefly } from "./announcer.js";
import { translate } from "./i18n.js";

/** @import { Spot } from "./geometry.js" @import { BoardView } from "./board-view.js" */
/** @typedef {{id: number, x: number, y: number}} Pointer
 * @typedef {Pointer & {token: number | null, dragging: boolean, second: Pointer | null, buttons: number}} Press */

const DRAG_DISTANCE = 6; // pixels
const SWIPE_DISTANCE = 24; // pixels, of a second finger
const WHEEL_STEP = 50; // pixels per turn
const FINGER_LIFT = 0.8; // cells by which a piece is carried above the finger
/** @type {Record<string, Spot>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** @type {Record<string, "turn" | "flip">} */
const TURNS = { r: "turn", f: "flip" };

/** Return the token of the piece under the pointer. @param {EventTarget | null} target */
function tokenAt(target) {
  const piece = target instanceof Element ? target.closest(".piece") : null;
  return piece instanceof HTMLElement ? Number(piece.dataset.token) : null;
}

/** @param {PointerEvent} event @returns {Pointer} */
const pointerOf = ({ pointerId, clientX, clientY }) => ({ id: pointerId, x: clientX, y: clientY });
/** @param {PointerEvent} event @param {Pointer} from */
const distance = ({ clientX, clientY }, { x, y }) => Math.hypot(clientX - x, clientY - y);

export class InputHandler {
  /** @param {BoardView} table */
  constructor(table) {
    this.table = table;
    this.press = /** @type {Press | null} */ (null);
    this.wheel = 0;
    const { root } = table;
    addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    addEventListener("pointerup", (event) => this.#onPointerUp(event));
    addEventListener("pointercancel", (event) => event.pointerId === this.press?.id && this.#cancel());
    addEventListener("blur", () => this.press?.dragging && this.#cancel());
    addEventListener("keydown", (event) => this.#onKey(event));
    root.addEventListener("touchstart", (event) => tokenAt(event.target) !== null && event.preventDefault(), { passive: false }); // no scrolling
    root.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !this.press && this.table.game?.stopHovering());
    root.addEventListener("mousedown", (event) => event.button === 2 && this.#onSecondButton(event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
  }

  get game() {
    return this.table.game;
  }

  /** @param {PointerEvent} event */
  #onPointerDown(event) {
    const { table, press } = this;
    if (press?.dragging) press.second = pointerOf(event);
    if (press || event.button !== 0 || !event.isPrimary || !table.root.contains(/** @type {Node} */ (event.target))) return;
    const token = tokenAt(event.target);
    this.press = { ...pointerOf(event), token, dragging: false, second: null, buttons: event.buttons };
    if (token === null) return;
    table.root.setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is selected
    table.root.dataset.by = "pointer"; // which needs no ring of focus
    table.pieces[token].focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #onPointerMove(event) {
    const { press, table } = this;
    if (!press && event.pointerType === "mouse") this.#hoverAt(event);
    if (press?.id !== event.pointerId || press.token === null) return;
    if (!press.dragging && distance(event, press) > DRAG_DISTANCE) {
      press.dragging = true;
      table.lift = event.pointerType === "touch" ? FINGER_LIFT : 0;
      this.game.pickUp(press.token, table.nearestCellOf(press.token, press.x, press.y));
      if (this.game.hand) this.game.hand.wasMoved = true;
    }
    // a second button during a drag is only a pointermove
    const isFlip = event.pointerType === "mouse" && event.buttons & 2 & ~press.buttons;
    press.buttons = event.buttons;
    if (press.dragging) table.carry(event.clientX, event.clientY);
    if (isFlip) this.turn(press.token, "flip");
  }

  /** Show where a piece that was taken by a click would lie. @param {PointerEvent} event */
  #hoverAt({ clientX, clientY }) {
    const hand = this.table.game?.hand;
    if (!hand) return;
    const [row, column] = this.table.cellAt(clientX, clientY).map(Math.floor);
    if (this.table.isOnBoard(clientX, clientY)) this.game.hoverOver([row, column]);
    else this.game.stopHovering();
  }

  /** @param {PointerEvent} event */
  #onPointerUp(event) {
    const { press } = this;
    if (event.pointerId === press?.id) {
      this.press = null;
      if (press.dragging) this.#drop();
      else this.#tap(event, press.token);
    } else if (event.pointerId === press?.second?.id) { // a tap turns; a swipe, or a tap on Flip, flips
      const isFlip = distance(event, press.second) > SWIPE_DISTANCE || (event.target instanceof Element && event.target.closest("#flip"));
      press.second = null;
      this.turn(press.token, isFlip ? "flip" : "turn");
    }
  }

  #drop() {
    const { game, table } = this;
    const onBoard = table.dropSpot !== null;
    if (game.hand?.origin && !onBoard) game.remove(game.hand.token);
    else if (!onBoard || !this.#placeHeld()) game.cancel();
    table.stopCarrying();
  }

  /** @param {PointerEvent} event @param {number | null} token */
  #tap(event, token) {
    const { game, game: { hand } } = this;
    if (token !== null && token !== hand?.token) game.pickUp(token, this.table.nearestCellOf(token, event.clientX, event.clientY));
    else if (token !== null && hand && !(hand.spot && hand.wasMoved)) this.turn(token, "turn");
    else if (hand && this.table.isOnBoard(event.clientX, event.clientY)) {
      this.#hoverAt(event);
      this.#placeHeld();
    } else game.cancel();
  }

  /** Place the piece in the hand, or show that it does not fit; return whether it was placed. */
  #placeHeld() {
    const token = this.game.hand?.token;
    if (token === undefined || this.game.place()) return true;
    showBriefly(translate("misfit"), "bad");
    this.table.shake(token);
    return false;
  }

  #cancel() {
    this.press = null;
    this.game.cancel();
    this.table.stopCarrying();
  }

  /** @param {MouseEvent} event */
  #onSecondButton(event) {
    event.preventDefault();
    if (!this.press?.dragging) this.turn(tokenAt(event.target) ?? this.game.hand?.token ?? null, "flip");
  }

  /** @param {WheelEvent} event */
  #onWheel(event) {
    const token = this.game.hand?.token ?? tokenAt(event.target);
    if (token === null || event.ctrlKey) return;
    event.preventDefault();
    this.wheel += event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
    if (Math.abs(this.wheel) < WHEEL_STEP) return;
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
    if (!turned) showBriefly(translate("no-flip"));
    else if (game.hand?.spot && !game.handFits) showBriefly(translate("misfit"), "bad");
    else announce(this.table.describePiece(token));
  }

  /** Act on the piece that has the focus. @param {KeyboardEvent} event */
  #onKey(event) {
    const { target, key } = event;
    if (/^(Tab|Arrow.*|Enter)$/.test(key)) delete this.table.root.dataset.by; // other keys may be pressed during a drag
    if (key === "Escape") endBrief();
    if (!(target instanceof Element) || !this.table.game || target.closest("input, select, textarea")) return;
    const token = tokenAt(target) ?? (target === document.body ? this.game.hand?.token ?? null : null);
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (this.press) {
      if (key === "Escape") this.#cancel();
      else if (this.press.dragging && name in TURNS) this.turn(this.press.token, TURNS[name]);
    } else if (event.ctrlKey || event.metaKey) {
      if (name !== "z" && name !== "y") return;
      this.game.step(name === "y" || event.shiftKey ? 1 : -1);
      event.preventDefault();
    } else if (token !== null && !event.altKey && this.#onPieceKey(token, name)) event.preventDefault();
  }

  /** @param {number} token @param {string} name @returns {boolean} whether the key has a meaning */
  #onPieceKey(token, name) {
    const { game, table, table: { pieces } } = this;
    const isHeld = game.hand?.token === token;
    const direction = ARROWS[name];
    if (name in TURNS) this.turn(token, TURNS[name]);
    else if (name === "Delete" || name === "Backspace") game.remove(token);
    else if (name === "Escape" && game.hand) game.cancel();
    else if (direction && isHeld) this.#nudge(token, direction);
    else if (direction) {
      const order = table.piecesInOrder();
      order.at((order.indexOf(pieces[token]) + direction[0] + direction[1]) % order.length)?.focus();
    }
    else if (name !== "Enter" && name !== " ") return false;
    else if (isHeld && game.hand?.spot) this.#placeHeld();
    else {
      game.pickUp(token);
      this.#nudge(token, [0, 0]);
    }
    return true;
  }

  /** Move the piece in the hand, and announce where it is. @param {number} token @param {Spot} direction */
  #nudge(token, direction) {
    this.game.nudge(direction);
    announce(this.table.describePiece(token));
  }
}
