// The rules: what is placed, what is in the hand, what fits where, and the way back. It draws nothing.
import { changed, follow, grip, key, moved, size, sorted } from "./geometry.js";

/** @import { Placement, Puzzle } from "./engine.js" */
/** @import { Spot } from "./geometry.js" */
/** @typedef {{token: number, grab: Spot, at: Spot | null, from: Spot | null, turned: number, aimed: boolean}} Hand
 * by which cell of its shape a piece is held, where it hovers (null: off the board), where (null: in the
 * tray) and how it lay before, and whether it was moved since it was taken */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const ORIENTATIONS = 8;
const NEAR = 0.6; // of a cell squared: so far a piece snaps to where it fits

/** A board with its rows as columns, for a window of the other shape; cells keep their numbers.
 * @param {Puzzle} puzzle @returns {Puzzle} */
export function onItsSide(puzzle) {
  return {
    ...puzzle, rows: puzzle.columns, columns: puzzle.rows,
    cells: puzzle.cells.map(({ row, column, label }) => ({ row: column, column: puzzle.rows - 1 - row, label })),
    pieces: puzzle.pieces.map((piece) => ({
      ...piece, orientations: piece.orientations.map((shape) => changed("turn", shape)) })),
  };
}

/** Each copy of a piece is a token, a number. Events: "hand", "placed", each after the change. */
export class Game extends EventTarget {
  /** @param {Puzzle} puzzle @param {string[]} reveal */
  constructor(puzzle, reveal) {
    super();
    this.puzzle = puzzle;
    this.reveal = reveal;
    this.tokens = puzzle.pieces.flatMap((piece) => Array.from({ length: piece.copies }, () => piece));
    this.numbers = new Map(puzzle.cells.map((cell, number) => [key([cell.row, cell.column]), number]));
    this.hidden = new Set(reveal.flatMap((label) => puzzle.labels[label]));
    /** @type {Hand | null} */
    this.hand = null;
    this.turned = this.tokens.map(() => 0);
    /** @type {Map<number, Spot>} in the order in which they were placed */
    this.spots = new Map();
    this.history = [""];
    this.now = 0;
    this.merging = "";
  }

  /** The shape of a token as it is turned now. @param {number} token @returns {Spot[]} */
  shape(token) {
    return this.tokens[token].orientations[this.turned[token]];
  }

  /** Cell numbers, undefined beyond the board. @param {number} token @param {Spot} at */
  cells(token, at) {
    return moved(this.shape(token), at).map((cell) => this.numbers.get(key(cell)));
  }

  /** @param {number} token @param {Spot} at */
  fits(token, at) {
    const taken = new Set(this.hidden);
    for (const [other, spot] of this.spots) {
      if (other !== token) for (const cell of this.cells(other, spot)) taken.add(/** @type {number} */ (cell));
    }
    return this.cells(token, at).every((cell) => cell !== undefined && !taken.has(cell));
  }

  /** @returns {Placement[]} */
  get placed() {
    return [...this.spots].map(([token, spot]) => {
      const turned = this.hand?.token === token ? this.hand.turned : this.turned[token];
      const cells = moved(this.tokens[token].orientations[turned], spot).map((cell) => /** @type {number} */ (this.numbers.get(key(cell))));
      return { piece: this.tokens[token].name, cells: cells.sort((a, b) => a - b) };
    });
  }

  get solved() {
    return this.spots.size === this.tokens.length;
  }

  get handFits() {
    return Boolean(this.hand?.at && this.fits(this.hand.token, this.hand.at));
  }

  /** @param {...string} events */
  #tell(...events) {
    for (const event of events) this.dispatchEvent(new Event(event));
  }

  // -- the hand

  /** Takes a piece from the tray or the board, by a cell of its shape. @param {number} token @param {Spot} [grab] */
  take(token, grab = grip(this.shape(token))) {
    if (this.hand?.token === token) {
      this.hand.grab = grab;
      return;
    }
    this.release();
    const from = this.spots.get(token) ?? null;
    this.hand = { token, grab, at: from, from, turned: this.turned[token], aimed: false };
    this.#tell("hand");
  }

  /** Puts a piece down that was only looked at or turned, where it hovers if it came from the board
   * and fits, else where it came from. */
  release() {
    if (this.hand?.from && this.handFits) this.place();
    else this.back();
  }

  /** Puts the piece in the hand back where it came from, as it lay there. */
  back() {
    if (!this.hand) return;
    if (this.hand.from) this.turned[this.hand.token] = this.hand.turned;
    this.hand = null;
    this.#tell("hand");
  }

  /** Takes a piece and turns it, or turns it over; says whether its kind may be.
   * @param {number} token @param {"turn" | "flip"} how */
  turn(token, how) {
    this.take(token, this.hand?.token === token ? this.hand.grab : undefined);
    const shape = this.shape(token);
    const wanted = changed(how, shape).map(key).join(" ");
    const next = this.tokens[token].orientations.findIndex((each) => sorted(each).map(key).join(" ") === wanted);
    if (next < 0) return false;
    const hand = /** @type {Hand} */ (this.hand);
    const [row, column] = hand.grab;
    this.turned[token] = next;
    hand.grab = follow(how, hand.grab, shape); // the cell by which it is held stays where it is
    if (hand.at) hand.at = [hand.at[0] + row - hand.grab[0], hand.at[1] + column - hand.grab[1]];
    if (hand.from && hand.at && !hand.aimed && this.handFits) { // it lies on the board, turned
      this.spots.set(token, hand.at);
      Object.assign(hand, { from: hand.at, turned: next });
    }
    if (!hand.from || hand.turned === next) this.#commit(`turn ${token}`);
    this.#tell("hand");
    return true;
  }

  /** Hovers with the top left corner near a row and column, where it fits if that is not far.
   * @param {number} row @param {number} column both may lie between cells */
  aim(row, column) {
    if (!this.hand) return;
    const { token, at } = this.hand;
    /** @type {Spot[]} */
    const near = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => /** @type {Spot} */ ([Math.round(row) + r, Math.round(column) + c])));
    const far = (/** @type {Spot} */ spot) => (spot[0] - row) ** 2 + (spot[1] - column) ** 2;
    const spot = near.filter((each) => far(each) < NEAR).sort((a, b) => far(a) - far(b))
      .find((each) => this.fits(token, each)) ?? null;
    this.hand.aimed ||= spot?.join() !== at?.join();
    this.hand.at = spot;
    this.#tell("hand");
  }

  /** Hovers nowhere. */
  leave() {
    if (!this.hand?.at) return;
    this.hand.at = null;
    this.#tell("hand");
  }

  /** Moves by the arrow keys: from nowhere to the first place that fits. @param {Spot} by */
  nudge(by) {
    if (!this.hand) return;
    const [high, wide] = size(this.shape(this.hand.token));
    const within = (/** @type {number} */ value, /** @type {number} */ last) => Math.min(Math.max(value, 0), last);
    const { at } = this.hand;
    this.hand.at = at
      ? [within(at[0] + by[0], this.puzzle.rows - high), within(at[1] + by[1], this.puzzle.columns - wide)]
      : this.#firstFit(this.hand.token);
    this.hand.aimed = true;
    this.#tell("hand");
  }

  /** @param {number} token @returns {Spot} */
  #firstFit(token) {
    const spots = this.puzzle.cells.map(({ row, column }) => /** @type {Spot} */ ([row, column]));
    const shape = this.shape(token);
    const first = spots.map(([row, column]) => /** @type {Spot} */ ([row - shape[0][0], column - shape[0][1]]));
    return first.find((spot) => this.fits(token, spot)) ?? [0, 0];
  }

  /** Lays the piece in the hand down where it hovers, if it fits there. */
  place() {
    if (!this.hand?.at || !this.handFits) return false;
    const { token, at, from, turned } = this.hand;
    this.hand = null;
    if (from?.join() !== at.join() || turned !== this.turned[token]) {
      this.spots.delete(token);
      this.spots.set(token, at);
      this.#commit();
    }
    this.#tell("hand");
    return true;
  }

  // -- the board

  /** Takes a piece off the board. @param {number} token */
  remove(token) {
    if (this.hand?.token === token) this.hand = null;
    this.spots.delete(token);
    this.#commit();
    this.#tell("hand");
  }

  /** Lays these pieces and no others. @param {Placement[]} placements */
  set(placements) {
    this.back();
    this.spots.clear();
    for (const { piece, cells } of placements) {
      const token = this.tokens.findIndex((each, number) => each.name === piece && !this.spots.has(number));
      const first = Math.min(...cells);
      const lies = (/** @type {number} */ turned) => {
        this.#settle(token, turned, first);
        return this.placed.at(-1)?.cells.join() === [...cells].sort((a, b) => a - b).join() || !this.spots.delete(token);
      };
      this.tokens[token]?.orientations.some((_, turned) => lies(turned));
    }
    this.#commit();
    this.#tell("hand");
  }

  // -- codes: a position as a few letters, for links, for what is kept, and for the way back

  get #digits() {
    return Math.ceil(Math.log(this.tokens.length * ORIENTATIONS * (this.puzzle.cells.length + 1)) / Math.log(DIGITS.length));
  }

  /** Each placed token as token, orientation and first cell; and those turned in the tray, unless
   * only the board is wanted. */
  code(boardOnly = false) {
    const { length } = this.puzzle.cells;
    const written = (/** @type {number} */ token, /** @type {number} */ cell) => {
      const value = (token * ORIENTATIONS + this.turned[token]) * (length + 1) + cell;
      return Array.from({ length: this.#digits }, (_, digit) => DIGITS[Math.floor(value / DIGITS.length ** digit) % DIGITS.length]).join("");
    };
    const lying = [...this.spots].map(([token, spot]) => written(token, this.#first(token, spot)));
    const turned = [...this.tokens.keys()].filter((token) => !this.spots.has(token) && this.turned[token]);
    return lying.join("") + (boardOnly ? "" : turned.map((token) => written(token, length)).join(""));
  }

  /** Lays what a code says; what does not fit, or makes no sense, is left out. @param {string} code */
  #read(code) {
    const { length } = this.puzzle.cells;
    this.hand = null;
    this.spots.clear();
    this.turned.fill(0);
    for (let start = 0; start + this.#digits <= code.length; start += this.#digits) {
      const value = [...code.slice(start, start + this.#digits)].reduceRight((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0);
      const [number, cell] = [Math.floor(value / (length + 1)), value % (length + 1)];
      const [token, turned] = [Math.floor(number / ORIENTATIONS), number % ORIENTATIONS];
      if (!this.tokens[token]?.orientations[turned] || this.spots.has(token)) continue;
      if (cell < length) this.#settle(token, turned, cell);
      else this.turned[token] = turned;
    }
  }

  /** The least of the cells on which a token lies. @param {number} token @param {Spot} spot */
  #first(token, spot) {
    return Math.min(...this.cells(token, spot).map((cell) => cell ?? Infinity));
  }

  /** Lays a token, turned somehow, so that a cell is its first. @param {number} token @param {number} turned
   * @param {number} first */
  #settle(token, turned, first) {
    const { row, column } = this.puzzle.cells[first];
    this.turned[token] = turned;
    const spots = this.shape(token).map(([r, c]) => /** @type {Spot} */ ([row - r, column - c]));
    const spot = spots.find((each) => this.fits(token, each) && this.#first(token, each) === first);
    if (spot) this.spots.set(token, spot);
  }

  // -- the way back

  /** Remembers the position; several turns of one piece are one step. */
  #commit(merging = "") {
    const code = this.code();
    if (code === this.history[this.now]) return;
    const same = merging !== "" && merging === this.merging;
    if (!same) this.now += 1;
    this.history.splice(this.now, Infinity, code);
    this.merging = merging;
    this.#tell("placed");
  }

  /** A position from elsewhere: a link, another window. @param {string} code */
  open(code) {
    this.#read(code);
    this.#commit();
    this.#tell("hand");
  }

  /** Begins where the game was left. @param {string[]} history @param {number} now */
  resume(history, now) {
    this.history = history;
    this.now = now;
    this.#read(history[now]);
    this.#tell("hand", "placed");
  }

  /** @param {-1 | 1} by one step back, or forward again */
  step(by) {
    if (this.history[this.now + by] === undefined) return;
    this.now += by;
    this.merging = "";
    this.#read(this.history[this.now]);
    this.#tell("hand", "placed");
  }
}
