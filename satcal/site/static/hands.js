// Mouse, pen, fingers and keyboard: each can take, move, turn and lay down every piece.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {{
 *   id: number, x: number, y: number, type: string, token: number | null, dragging: boolean,
 *   second: {id: number, x: number, y: number} | null,   // another finger
 * }} Press */

const FAR = { mouse: 4, pen: 6, touch: 8 }; // pixels after which a press is a drag
const SWIPE = 24; // pixels after which a second finger turns over
const NOTCH = 50; // of the wheel, per turn
/** @type {Record<string, Spot>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
export const MISFIT = "It does not fit here.";

export class Hands {
  /** @param {Table} table @param {(text: string) => void} say */
  constructor(table, say) {
    this.table = table;
    this.say = say;
    /** @type {Press | null} */
    this.press = null;
    this.wheel = 0;
    const { root } = table;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    addEventListener("pointerdown", (event) => this.#another(event));
    addEventListener("pointerup", (event) => this.#anotherUp(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", (event) => event.pointerId === this.press?.id && this.#cancel());
    root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !this.press && this.game.leave());
    root.addEventListener("mousedown", (event) => event.button === 2 && this.#second(event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    addEventListener("blur", () => this.press?.dragging && this.#cancel());
    addEventListener("keydown", (event) => this.#key(event));
  }

  get game() {
    return /** @type {Game} */ (this.table.game);
  }

  /** @param {EventTarget | null} target @returns {number | null} */
  #token(target) {
    const piece = target instanceof Element ? target.closest(".piece") : null;
    return piece instanceof HTMLElement ? Number(piece.dataset.token) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.press || event.button !== 0 || !event.isPrimary) return;
    const token = this.#token(event.target);
    this.press = {
      id: event.pointerId, x: event.clientX, y: event.clientY, token, dragging: false, second: null,
      type: event.pointerType };
    if (token === null) return;
    this.table.root.setPointerCapture(event.pointerId);
    event.preventDefault(); // no selection, no scrolling; the focus we move ourselves
    this.table.pieces[token].focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { press, game } = this;
    if (!press) {
      if (game.hand && event.pointerType === "mouse") this.#hover(event);
      return;
    }
    if (event.pointerId !== press.id || press.token === null) return;
    const far = FAR[/** @type {keyof typeof FAR} */ (press.type)] ?? FAR.touch;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > far) {
      press.dragging = true;
      game.take(press.token, this.table.cellOf(press.token, press.x, press.y));
      if (game.hand) game.hand.aimed = true;
    }
    if (press.dragging) this.table.carry(event.clientX, event.clientY);
  }

  /** A mouse shows where a piece that was taken by a click would lie. @param {MouseEvent} event */
  #hover(event) {
    const { hand } = this.game;
    if (!hand) return;
    const [row, column] = this.table.cellAt(event.clientX, event.clientY).map(Math.floor);
    if (this.table.onBoard(event.clientX, event.clientY)) this.game.aim(row - hand.grab[0], column - hand.grab[1]);
    else this.game.leave();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { press } = this;
    if (event.pointerId !== press?.id) return;
    this.press = null;
    if (press.dragging) this.#drop(event);
    else this.#tap(event, press);
  }

  /** A second finger, anywhere: its tap turns, its swipe turns over, and so does its tap on Flip.
   * @param {PointerEvent} event */
  #another(event) {
    if (this.press?.dragging && event.pointerId !== this.press.id) {
      this.press.second = { id: event.pointerId, x: event.clientX, y: event.clientY };
    }
  }

  /** @param {PointerEvent} event */
  #anotherUp(event) {
    const { press } = this;
    if (!press?.second || event.pointerId !== press.second.id) return;
    const far = Math.hypot(event.clientX - press.second.x, event.clientY - press.second.y);
    press.second = null;
    const over = far > SWIPE || (event.target instanceof Element && event.target.closest("#flip"));
    this.turn(press.token, over ? "flip" : "turn");
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    const { game, table } = this;
    const onBoard = table.onBoard(event.clientX, event.clientY);
    const { hand } = game;
    if (hand && !onBoard && hand.from) game.remove(hand.token);
    else if (!game.place()) {
      game.back();
      if (onBoard) this.say(MISFIT);
    }
    table.letGo();
  }

  /** @param {PointerEvent} event @param {Press} press */
  #tap(event, press) {
    const { game } = this;
    const { hand } = game;
    if (press.token !== null && press.token !== hand?.token) {
      game.take(press.token);
    } else if (press.token !== null && hand && !(hand.at && hand.aimed)) {
      this.turn(press.token, "turn");
    } else if (hand && this.table.onBoard(event.clientX, event.clientY)) {
      this.#hover(event);
      if (!game.place()) this.say(MISFIT);
    } else if (hand?.from) {
      game.remove(hand.token);
    } else game.back();
  }

  #cancel() {
    this.press = null;
    this.game.back();
    this.table.letGo();
  }

  /** The second button. @param {MouseEvent} event */
  #second(event) {
    event.preventDefault();
    this.turn(this.press?.dragging ? this.press.token : this.#token(event.target) ?? this.game.hand?.token ?? null, "flip");
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const token = this.game.hand?.token ?? this.#token(event.target);
    if (token === null || event.ctrlKey) return;
    event.preventDefault();
    this.wheel += event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
    if (Math.abs(this.wheel) < NOTCH) return;
    const times = this.wheel > 0 ? 1 : 3;
    this.wheel = 0;
    for (let turn = 0; turn < times; turn += 1) this.turn(token, "turn");
  }

  /** @param {number | null} token @param {"turn" | "flip"} how */
  turn(token, how) {
    if (token === null) return;
    const { game, press } = this;
    if (!game.turn(token, how)) this.say("This piece may not be turned over.");
    else if (game.hand?.at && !game.handFits) this.say(MISFIT);
    if (press?.dragging && this.table.carried) this.table.carry();
  }

  // -- the keyboard: it acts on the piece that has the focus, and on nothing while another control has it

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target, key } = event;
    if (!(target instanceof Element) || !this.game || target.closest("input, select, textarea, dialog")) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      this.#wayBack(event);
      return;
    }
    if (event.altKey || this.press) {
      if (key === "Escape") this.#cancel();
      return;
    }
    const token = this.#token(target) ?? (target === document.body ? this.game.hand?.token ?? null : null);
    if (token !== null && this.#pieceKey(token, key)) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #wayBack(event) {
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    this.game.step(key === "y" || event.shiftKey ? 1 : -1);
  }

  /** @param {number} token @param {string} key @returns {boolean} whether the key means something */
  #pieceKey(token, key) {
    const { game } = this;
    const held = game.hand?.token === token;
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (name === "r" || name === "f") this.turn(token, name === "r" ? "turn" : "flip");
    else if (name === "Delete" || name === "Backspace") game.remove(token);
    else if (name === "Enter" || name === " ") this.#enter(token, held);
    else if (name === "Escape" && game.hand) game.back();
    else if (name in ARROWS && held) {
      game.nudge(ARROWS[name]);
    } else if (name in ARROWS) this.#next(token, ARROWS[name][0] + ARROWS[name][1]);
    else return false;
    return true;
  }

  /** @param {number} token @param {boolean} held */
  #enter(token, held) {
    const { game } = this;
    if (!held) {
      game.take(token);
      if (!game.hand?.at) game.nudge([0, 0]);
      if (game.hand) game.hand.aimed = true;
    } else if (!game.place()) this.say(MISFIT);
  }

  /** @param {number} token @param {number} by */
  #next(token, by) {
    const { pieces } = this.table;
    pieces[(token + by + pieces.length) % pieces.length].focus();
  }
}
