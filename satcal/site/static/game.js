// The rules: placed pieces, the piece in the hand, what fits where, undo. No drawing.
import { transformShape, transformCell, centreCell, key, offsetCells, sizeOf } from "./geometry.js";

/** @import { Placement, Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */
/** @typedef {"" | "h" | "l" | "s"} Help none, a hint with a placement, pieces from a link, a shown solution
 * @typedef {{token: number, grab: Spot, spot: Spot | null, origin: Spot | null, originTurn: number, wasMoved: boolean}} Hand
 * `grab` is the cell of its shape by which a piece is held, `spot` is null off the board, `origin` null in the tray */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const HELP_LEVELS = ["", "h", "l", "s"]; // a step of the history ends with "~" and one of these
const SNAP_DISTANCE = 0.6; // squared, in cells

/** Return a board turned by 90 degrees; its cells keep their numbers. @param {Puzzle} puzzle @returns {Puzzle} */
export const rotateBoard = (puzzle) => ({
  ...puzzle, rows: puzzle.columns, columns: puzzle.rows,
  cells: puzzle.cells.map(({ row, column, label }) => ({ row: column, column: puzzle.rows - 1 - row, label })),
  pieces: puzzle.pieces.map((piece) => ({
    ...piece, orientations: piece.orientations.map((shape) => transformShape("turn", shape)) })),
});

/** Return all placements on an empty board, in the same order if the board is turned.
 * @param {Puzzle} puzzle @param {Map<string, number>} numbers of cells */
function allPlacements({ cells, pieces }, numbers) {
  return pieces.flatMap((piece) => piece.orientations.flatMap((shape, turned) => {
    const spots = cells.map(({ row, column }) => /** @type {Spot} */ ([row - shape[0][0], column - shape[0][1]]));
    return spots.map((spot) => ({
      piece, turned, spot, cells: offsetCells(shape, spot).map((cell) => numbers.get(key(cell)) ?? -1).sort((a, b) => a - b) }))
      .filter((way) => way.cells[0] >= 0).sort((a, b) => a.cells[0] - b.cells[0]);
  }));
}

/** A game; each copy of a piece has a number, its token. Events: "hand", "placed", "turned" (in the tray), after the change. */
export class Game extends EventTarget {
  /** @param {Puzzle} puzzle @param {string[]} reveal */
  constructor(puzzle, reveal) {
    super();
    this.puzzle = puzzle;
    this.reveal = reveal;
    this.tokens = puzzle.pieces.flatMap((piece) => Array.from({ length: piece.copies }, () => piece));
    this.cellNumbers = new Map(puzzle.cells.map((cell, number) => [key([cell.row, cell.column]), number]));
    this.revealedCells = reveal.flatMap((label) => puzzle.labels[label]);
    this.ways = allPlacements(puzzle, this.cellNumbers);
    this.codeLength = Math.ceil(Math.log(this.ways.length + this.tokens.length * 8) / Math.log(DIGITS.length)); // of a code
    this.hand = /** @type {Hand | null} */ (null);
    this.turned = this.tokens.map(() => 0);
    this.spots = /** @type {Map<number, Spot>} in order of placing */ (new Map());
    this.history = [""];
    this.cursor = 0;
    this.help = /** @type {Help} until the board is empty again */ ("");
    this.mergeKey = "";
    this.isFresh = false; // the position is new since the last finish
  }

  /** Return the shape of a token as it is turned. @param {number} token */
  shape(token) {
    return this.tokens[token].orientations[this.turned[token]];
  }

  /** Return cell numbers, undefined beyond the board. @param {number} token @param {Spot} at */
  cells(token, at) {
    return offsetCells(this.shape(token), at).map((cell) => this.cellNumbers.get(key(cell)));
  }

  /** @param {number} token @param {Spot} at */
  fits(token, at) {
    const others = [...this.spots].filter(([other]) => other !== token);
    const taken = new Set([undefined, ...this.revealedCells, ...others.flatMap(([other, spot]) => this.cells(other, spot))]);
    return this.cells(token, at).every((cell) => !taken.has(cell));
  }

  /** @returns {Placement[]} */
  get placed() {
    return [...this.spots].map(([token, spot]) => this.#wayOf(token, spot)).map(({ piece, cells }) => ({ piece: piece.name, cells }));
  }

  /** Return the placement of a token; of one in the hand, its placement before. @param {number} token @param {Spot} spot */
  #wayOf(token, spot) {
    const turned = this.hand?.token === token ? this.hand.originTurn : this.turned[token];
    return this.ways.filter((way) => way.piece === this.tokens[token] && way.turned === turned)
      .find((way) => key(way.spot) === key(spot)) ?? this.ways[0];
  }

  get isSolved() {
    return this.spots.size === this.tokens.length;
  }

  get handFits() {
    return Boolean(this.hand?.spot && this.fits(this.hand.token, this.hand.spot));
  }

  /** Return where a piece is shown, and whether it fits there: off the board, one in the hand is shown where it lay, and
   * may overlap others when turned. @param {number} token */
  stateOf(token) {
    const hand = this.hand?.token === token ? this.hand : null;
    const spot = hand?.spot ?? this.spots.get(token) ?? null;
    return { spot, isHeld: Boolean(hand), fits: !spot || !hand || this.fits(token, spot) };
  }

  /** @param {...string} events */
  #emit(...events) {
    for (const event of events) this.dispatchEvent(new Event(event));
  }

  // -- the hand

  /** Take a piece, by a cell of its shape. @param {number} token @param {Spot} [grab] */
  pickUp(token, grab = centreCell(this.shape(token))) {
    if (this.hand?.token === token) {
      this.hand.grab = grab;
      return;
    }
    this.release();
    const origin = this.spots.get(token) ?? null;
    this.hand = { token, grab, spot: origin, origin, originTurn: this.turned[token], wasMoved: false };
    this.#emit("hand");
  }

  /** Put the piece in the hand down: where it hovers if it came from the board and fits, else back. */
  release() {
    if (this.hand?.origin && this.handFits) this.place();
    else this.cancel();
  }

  /** Put the piece in the hand back where it came from. */
  cancel() {
    if (!this.hand) return;
    if (this.hand.origin) this.turned[this.hand.token] = this.hand.originTurn;
    this.hand = null;
    this.#emit("hand");
  }

  /** Take a piece and turn it or flip it; return whether the rules allow it. @param {number} token @param {"turn" | "flip"} how */
  turn(token, how) {
    this.pickUp(token, this.hand?.token === token ? this.hand.grab : undefined);
    const shape = this.shape(token);
    const target = transformShape(how, shape).join(" ");
    const next = this.tokens[token].orientations.findIndex((each) => each.join(" ") === target);
    if (next < 0) return false;
    const hand = /** @type {Hand} */ (this.hand);
    const [row, column] = hand.grab;
    this.turned[token] = next;
    hand.grab = transformCell(how, hand.grab, shape);
    if (hand.spot) hand.spot = [hand.spot[0] + row - hand.grab[0], hand.spot[1] + column - hand.grab[1]];
    if (hand.origin && hand.spot && !hand.wasMoved && this.handFits) { // it was turned where it is placed
      this.spots.set(token, hand.spot);
      Object.assign(hand, { origin: hand.spot, originTurn: next });
    }
    if (!hand.origin) hand.originTurn = next;
    if (!this.spots.has(token)) this.#saveTurns();
    else if (hand.originTurn === next) this.#commit(`turn ${token}`);
    this.#emit("hand");
    return true;
  }

  /** Hover near a point between cells, where the piece fits. @param {number} row @param {number} column */
  hoverNear(row, column) {
    const distance = (/** @type {Spot} */ [r, c]) => (r - row) ** 2 + (c - column) ** 2;
    const spots = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => /** @type {Spot} */ ([Math.round(row) + r, Math.round(column) + c])));
    this.#hover(spots.filter((spot) => distance(spot) < SNAP_DISTANCE).sort((a, b) => distance(a) - distance(b)));
  }

  /** Hover so that the piece covers a cell: with the cell by which it is held, or the nearest with which it fits.
   * @param {Spot} cell */
  hoverOver([row, column]) {
    if (!this.hand) return;
    const { token, grab } = this.hand;
    const distance = (/** @type {Spot} */ [r, c]) => (r - grab[0]) ** 2 + (c - grab[1]) ** 2;
    const cells = [...this.shape(token)].sort((a, b) => distance(a) - distance(b));
    this.#hover(cells.map((cell) => [row - cell[0], column - cell[1]]));
  }

  /** Hover at the first of some spots where the piece fits. @param {Spot[]} spots */
  #hover(spots) {
    const { hand } = this;
    if (!hand) return;
    const spot = spots.find((each) => this.fits(hand.token, each)) ?? null;
    hand.wasMoved ||= spot?.join() !== hand.spot?.join();
    hand.spot = spot;
    this.#emit("hand");
  }

  stopHovering() {
    if (!this.hand?.spot) return;
    this.hand.spot = null;
    this.#emit("hand");
  }

  /** Move by the arrow keys; from off the board to the first spot that fits. @param {Spot} by */
  nudge(by) {
    if (!this.hand) return;
    const { hand, hand: { token, spot } } = this;
    const [high, wide] = sizeOf(this.shape(token));
    const clamp = (/** @type {number} */ value, /** @type {number} */ room) => Math.min(Math.max(value, 0), room);
    const first = this.ways.find((way) => way.piece === this.tokens[token] && way.turned === this.turned[token]
      && this.fits(token, way.spot)) ?? this.ways[0];
    const [row, column] = spot ? [spot[0] + by[0], spot[1] + by[1]] : first.spot;
    hand.spot = [clamp(row, this.puzzle.rows - high), clamp(column, this.puzzle.columns - wide)];
    hand.wasMoved = true;
    this.#emit("hand");
  }

  /** Place the piece in the hand where it hovers, if it fits. */
  place() {
    if (!this.hand?.spot || !this.handFits) return false;
    const { token, spot, origin, originTurn } = this.hand;
    this.hand = null;
    if (origin?.join() !== spot.join() || originTurn !== this.turned[token]) {
      this.spots.delete(token);
      this.spots.set(token, spot);
      this.#commit();
    }
    this.#emit("hand");
    return true;
  }

  // -- the board

  /** Take a piece off the board. @param {number} token */
  remove(token) {
    if (this.hand?.token === token) this.hand = null;
    this.spots.delete(token);
    this.#commit();
    this.#emit("hand");
  }

  /** Replace what is on the board. @param {Placement[]} placements @param {Help} [help] */
  setPlacements(placements, help = "") {
    this.cancel();
    if (HELP_LEVELS.indexOf(help) > HELP_LEVELS.indexOf(this.help)) this.help = help;
    this.spots.clear();
    for (const { piece, cells } of placements) {
      const cellKey = [...cells].sort((a, b) => a - b).join();
      this.#placeFree(this.ways.find((way) => way.piece.name === piece && way.cells.join() === cellKey));
    }
    this.#commit();
    this.#emit("hand");
  }

  /** Place a free token of a piece, if it fits. @param {(typeof this.ways)[number]} [way] */
  #placeFree(way) {
    const token = this.tokens.findIndex((piece, number) => piece === way?.piece && !this.spots.has(number));
    if (!way || token < 0) return;
    this.turned[token] = way.turned;
    if (this.fits(token, way.spot)) this.spots.set(token, way.spot);
  }

  /** Record help of the page. @param {Help} help */
  recordHelp(help) {
    if (HELP_LEVELS.indexOf(help) <= HELP_LEVELS.indexOf(this.help)) return;
    this.help = help;
    this.history[this.cursor] = `${this.history[this.cursor].split("~")[0]}~${help}`;
  }

  // -- codes: a position as a few letters, for links, storage and undo

  /** Return the code of the position, with the pieces that were turned in the tray unless `boardOnly`. */
  encode(boardOnly = false) {
    const placedNumbers = [...this.spots].map(([token, spot]) => this.ways.indexOf(this.#wayOf(token, spot)));
    const turned = [...this.tokens.keys()].filter((token) => !boardOnly && !this.spots.has(token) && this.turned[token]);
    return this.#encodeNumbers([...placedNumbers, ...turned.map((token) => this.ways.length + token * 8 + this.turned[token])]);
  }

  /** @param {number[]} values */
  #encodeNumbers(values) {
    return values.map((value) => Array.from({ length: this.codeLength }, (_, digit) =>
      DIGITS[Math.floor(value / DIGITS.length ** digit) % DIGITS.length]).join("")).join("");
  }

  /** Code of what is on the board, in any order of placing. */
  get tilingCode() {
    return this.#encodeNumbers([...this.spots].map(([token, spot]) => this.ways.indexOf(this.#wayOf(token, spot))).sort((a, b) => a - b));
  }

  /** Restore a step of the history; what does not fit, or means nothing, is left out. @param {string} step */
  #restore(step) {
    const [code, help = ""] = step.split("~");
    this.help = /** @type {Help} */ (HELP_LEVELS.includes(help) ? help : "");
    this.hand = null;
    this.spots.clear();
    this.turned.fill(0);
    for (const value of this.#decodeNumbers(code)) {
      const [token, turned] = [Math.floor((value - this.ways.length) / 8), (value - this.ways.length) % 8];
      if (value < this.ways.length) this.#placeFree(this.ways[value]);
      else if (this.tokens[token]?.orientations[turned]) this.turned[token] = turned;
    }
  }

  /** @param {string} code */
  #decodeNumbers(code) {
    return Array.from({ length: Math.floor(code.length / this.codeLength) }, (_, at) => [...code.slice(at * this.codeLength, (at + 1) * this.codeLength)]
      .reduceRight((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0));
  }

  // -- undo

  /** Add the position to the history; several turns of one piece are one step. */
  #commit(merging = "") {
    if (!this.spots.size) this.help = "";
    const code = this.encode() + (this.help && `~${this.help}`);
    if (code.split("~")[0] === this.history[this.cursor].split("~")[0]) return;
    if (!merging || merging !== this.mergeKey) this.cursor += 1;
    this.history.splice(this.cursor, Infinity, code);
    this.mergeKey = merging;
    this.isFresh = true;
    this.#emit("placed");
  }

  /** Save a turn in the tray with the last step. */
  #saveTurns() {
    this.history[this.cursor] = this.encode() + (this.help && `~${this.help}`);
    this.#emit("turned");
  }

  /** Open a position from a link or another window. @param {string} code @param {Help} [help] */
  openCode(code, help) {
    this.#restore(code);
    if (help && HELP_LEVELS.indexOf(help) > HELP_LEVELS.indexOf(this.help)) this.help = help;
    this.#commit();
    this.#emit("hand");
  }

  /** Go on with a saved game. @param {string[]} history @param {number} cursor */
  resume(history, cursor) {
    this.#restoreStep(history, cursor);
    this.#emit("hand", "placed");
  }

  /** @param {string[]} history @param {number} cursor */
  #restoreStep(history, cursor) {
    Object.assign(this, { history, cursor, mergeKey: "", isFresh: false });
    this.#restore(history[cursor]);
  }

  /** Undo or redo a step; pieces in the tray stay turned. @param {-1 | 1} by */
  step(by) {
    if (this.history[this.cursor + by] === undefined) return;
    const inTray = [...this.tokens.keys()].filter((token) => !this.spots.has(token)).map((token) => [token, this.turned[token]]);
    this.#restoreStep(this.history, this.cursor + by);
    for (const [token, turned] of inTray) if (!this.spots.has(token)) this.turned[token] = turned;
    this.#emit("hand", "placed");
  }
}
