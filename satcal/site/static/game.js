// The rules: what is placed, what is in the hand, what fits where, and the way back. It draws nothing.
import { changed, follow, grip, key, moved, size } from "./geometry.js";

/** @import { Placement, Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */
/** @typedef {"" | "h" | "l" | "s"} Help of the page's: none, it said where a piece goes, a link brought pieces, it laid a solution
 * @typedef {{token: number, grab: Spot, at: Spot | null, from: Spot | null, turned: number, aimed: boolean}} Hand
 * by which cell of its shape a piece is held, where it hovers (null: off the board), where (null: in the
 * tray) and how it lay before, and whether it was moved since it was taken */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const HELP = ["", "h", "l", "s"]; // a step of the history ends with "~" and one of these
const NEAR = 0.6; // of a cell squared: so far a piece snaps to where it fits

/** A board with its rows as columns; its cells keep their numbers. @param {Puzzle} puzzle @returns {Puzzle} */
export const onItsSide = (puzzle) => ({
  ...puzzle, rows: puzzle.columns, columns: puzzle.rows,
  cells: puzzle.cells.map(({ row, column, label }) => ({ row: column, column: puzzle.rows - 1 - row, label })),
  pieces: puzzle.pieces.map((piece) => ({
    ...piece, orientations: piece.orientations.map((shape) => changed("turn", shape)) })),
});

/** Every way in which a piece can lie on an empty board; numbered alike if the board lies on its side.
 * @param {Puzzle} puzzle @param {Map<string, number>} numbers of cells */
function allWays({ cells, pieces }, numbers) {
  return pieces.flatMap((piece) => piece.orientations.flatMap((shape, turned) => {
    const spots = cells.map(({ row, column }) => /** @type {Spot} */ ([row - shape[0][0], column - shape[0][1]]));
    return spots.map((spot) => ({
      piece, turned, spot, cells: moved(shape, spot).map((cell) => numbers.get(key(cell)) ?? -1).sort((a, b) => a - b) }))
      .filter((way) => way.cells[0] >= 0).sort((a, b) => a.cells[0] - b.cells[0]);
  }));
}

/** Each copy of a piece is a token, a number. Events: "hand", "placed", "turned" (in the tray), each after the change. */
export class Game extends EventTarget {
  /** @param {Puzzle} puzzle @param {string[]} reveal */
  constructor(puzzle, reveal) {
    super();
    this.puzzle = puzzle;
    this.reveal = reveal;
    this.tokens = puzzle.pieces.flatMap((piece) => Array.from({ length: piece.copies }, () => piece));
    this.numbers = new Map(puzzle.cells.map((cell, number) => [key([cell.row, cell.column]), number]));
    this.hidden = reveal.flatMap((label) => puzzle.labels[label]);
    this.ways = allWays(puzzle, this.numbers);
    this.digits = Math.ceil(Math.log(this.ways.length + this.tokens.length * 8) / Math.log(DIGITS.length)); // of a code
    this.hand = /** @type {Hand | null} */ (null);
    this.turned = this.tokens.map(() => 0);
    this.spots = /** @type {Map<number, Spot>} in the order in which they were placed */ (new Map());
    this.history = [""];
    this.now = 0;
    this.help = /** @type {Help} until the board is empty again */ ("");
    this.merging = "";
    this.fresh = false; // the position has just been made, by whomever
  }

  /** The shape of a token as it is turned now. @param {number} token */
  shape(token) {
    return this.tokens[token].orientations[this.turned[token]];
  }

  /** Cell numbers, undefined beyond the board. @param {number} token @param {Spot} at */
  cells(token, at) {
    return moved(this.shape(token), at).map((cell) => this.numbers.get(key(cell)));
  }

  /** @param {number} token @param {Spot} at */
  fits(token, at) {
    const others = [...this.spots].filter(([other]) => other !== token);
    const taken = new Set([undefined, ...this.hidden, ...others.flatMap(([other, spot]) => this.cells(other, spot))]);
    return this.cells(token, at).every((cell) => !taken.has(cell));
  }

  /** @returns {Placement[]} */
  get placed() {
    return [...this.spots].map(([token, spot]) => this.#way(token, spot)).map(({ piece, cells }) => ({ piece: piece.name, cells }));
  }

  /** How a token lies on the board; one in the hand as it lay before. @param {number} token @param {Spot} spot */
  #way(token, spot) {
    const turned = this.hand?.token === token ? this.hand.turned : this.turned[token];
    return this.ways.filter((way) => way.piece === this.tokens[token] && way.turned === turned)
      .find((way) => key(way.spot) === key(spot)) ?? this.ways[0];
  }

  get solved() {
    return this.spots.size === this.tokens.length;
  }

  get handFits() {
    return Boolean(this.hand?.at && this.fits(this.hand.token, this.hand.at));
  }

  /** Where a piece is shown, and whether it may lie there. A piece that was taken from the board and hovers nowhere
   * is shown where it lay; turned, it may overlap others there. @param {number} token */
  state(token) {
    const hand = this.hand?.token === token ? this.hand : null;
    const spot = hand?.at ?? this.spots.get(token) ?? null;
    return { spot, held: Boolean(hand), fits: !spot || !hand || this.fits(token, spot) };
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

  /** Puts down a piece that was only looked at: where it hovers if it came from the board and fits, else back. */
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

  /** Takes a piece and turns it (over); says whether it may be. @param {number} token @param {"turn" | "flip"} how */
  turn(token, how) {
    this.take(token, this.hand?.token === token ? this.hand.grab : undefined);
    const shape = this.shape(token);
    const wanted = changed(how, shape).join(" ");
    const next = this.tokens[token].orientations.findIndex((each) => each.join(" ") === wanted);
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
    if (!hand.from) hand.turned = next;
    if (!this.spots.has(token)) this.#keepTurns();
    else if (hand.turned === next) this.#commit(`turn ${token}`);
    this.#tell("hand");
    return true;
  }

  /** Hovers with its corner near a point between cells, if it fits there. @param {number} row @param {number} column */
  aim(row, column) {
    if (!this.hand) return;
    const { token, at } = this.hand;
    const near = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => /** @type {Spot} */ ([Math.round(row) + r, Math.round(column) + c])));
    const far = (/** @type {Spot} */ spot) => (spot[0] - row) ** 2 + (spot[1] - column) ** 2;
    const spot = near.filter((each) => far(each) < NEAR).sort((a, b) => far(a) - far(b)).find((each) => this.fits(token, each));
    this.hand.aimed ||= spot?.join() !== at?.join();
    this.hand.at = spot ?? null;
    this.#tell("hand");
  }

  /** Hovers so that it covers a cell: by the cell by which it is held, or else by the nearest to it with which it fits.
   * @param {Spot} cell */
  cover([row, column]) {
    if (!this.hand) return;
    const { token, at, grab } = this.hand;
    const far = (/** @type {Spot} */ spot) => (spot[0] - grab[0]) ** 2 + (spot[1] - grab[1]) ** 2;
    const spots = [...this.shape(token)].sort((a, b) => far(a) - far(b)).map((each) => /** @type {Spot} */ ([row - each[0], column - each[1]]));
    const spot = spots.find((each) => this.fits(token, each));
    this.hand.aimed ||= spot?.join() !== at?.join();
    this.hand.at = spot ?? null;
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
    const { token, at } = this.hand;
    const [high, wide] = size(this.shape(token));
    const within = (/** @type {number} */ value, /** @type {number} */ room) => Math.min(Math.max(value, 0), room);
    const { spot } = this.ways.find(({ piece, turned, spot: each }) => piece === this.tokens[token]
      && turned === this.turned[token] && this.fits(token, each)) ?? this.ways[0];
    const [row, column] = at ? [at[0] + by[0], at[1] + by[1]] : spot;
    this.hand.at = [within(row, this.puzzle.rows - high), within(column, this.puzzle.columns - wide)];
    this.hand.aimed = true;
    this.#tell("hand");
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

  /** Takes the pieces off that lie on these cells. @param {number[][]} places */
  takeBack(places) {
    const cells = new Set(places.flat());
    this.set(this.placed.filter((each) => !each.cells.some((cell) => cells.has(cell))));
  }

  /** Lays these pieces and no others. @param {Placement[]} placements @param {Help} [help] who laid them */
  set(placements, help = "") {
    this.back();
    if (HELP.indexOf(help) > HELP.indexOf(this.help)) this.help = help;
    this.spots.clear();
    for (const { piece, cells } of placements) {
      const wanted = [...cells].sort((a, b) => a - b).join();
      this.#lay(this.ways.find((way) => way.piece.name === piece && way.cells.join() === wanted));
    }
    this.#commit();
    this.#tell("hand");
  }

  /** Lays the next token of a piece, if it is free and fits. @param {(typeof this.ways)[number]} [way] */
  #lay(way) {
    const token = this.tokens.findIndex((piece, number) => piece === way?.piece && !this.spots.has(number));
    if (!way || token < 0) return;
    this.turned[token] = way.turned;
    if (this.fits(token, way.spot)) this.spots.set(token, way.spot);
  }

  /** Remembers what the page helped with. @param {Help} help */
  helped(help) {
    if (HELP.indexOf(help) <= HELP.indexOf(this.help)) return;
    this.help = help;
    this.history[this.now] = `${this.history[this.now].split("~")[0]}~${help}`;
  }

  // -- codes: a position as a few letters, for links, for what is kept, and for the way back

  /** The ways in which pieces lie; and those that were turned in the tray, unless only the board is wanted. */
  code(boardOnly = false) {
    const lying = [...this.spots].map(([token, spot]) => this.ways.indexOf(this.#way(token, spot)));
    const turned = [...this.tokens.keys()].filter((token) => !boardOnly && !this.spots.has(token) && this.turned[token]);
    return this.#digits([...lying, ...turned.map((token) => this.ways.length + token * 8 + this.turned[token])]);
  }

  /** The code of a tiling that need not lie on the board. @param {Placement[]} placements */
  codeOf(placements) {
    const wanted = placements.map(({ piece, cells }) => `${piece}:${[...cells].sort((a, b) => a - b)}`);
    const known = new Map(this.ways.map(({ piece, cells }, number) => [`${piece.name}:${cells}`, number]));
    return this.#digits(wanted.map((each) => known.get(each) ?? 0).sort((a, b) => a - b));
  }

  /** The placements of a tiling's code. @param {string} code @returns {Placement[]} */
  placementsOf(code) {
    return this.#values(code).flatMap((value) => this.ways[value] ?? []).map(({ piece, cells }) => ({ piece: piece.name, cells }));
  }

  /** @param {number[]} values */
  #digits(values) {
    return values.map((value) => Array.from({ length: this.digits }, (_, digit) =>
      DIGITS[Math.floor(value / DIGITS.length ** digit) % DIGITS.length]).join("")).join("");
  }

  /** What is on the board, however it came there: equal tilings have equal codes. */
  get tiling() {
    return this.#digits([...this.spots].map(([token, spot]) => this.ways.indexOf(this.#way(token, spot))).sort((a, b) => a - b));
  }

  /** Lays what a step says; what does not fit, or makes no sense, is left out. @param {string} step */
  #read(step) {
    const [code, help = ""] = step.split("~");
    this.help = /** @type {Help} */ (HELP.includes(help) ? help : "");
    this.hand = null;
    this.spots.clear();
    this.turned.fill(0);
    for (const value of this.#values(code)) {
      const [token, turned] = [Math.floor((value - this.ways.length) / 8), (value - this.ways.length) % 8];
      if (value < this.ways.length) this.#lay(this.ways[value]);
      else if (this.tokens[token]?.orientations[turned]) this.turned[token] = turned;
    }
  }

  /** @param {string} code */
  #values(code) {
    return Array.from({ length: Math.floor(code.length / this.digits) }, (_, at) => [...code.slice(at * this.digits, (at + 1) * this.digits)]
      .reduceRight((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0));
  }

  // -- the way back

  /** Remembers the position; several turns of one piece are one step. */
  #commit(merging = "") {
    if (!this.spots.size) this.help = "";
    const code = this.code() + (this.help && `~${this.help}`);
    if (code.split("~")[0] === this.history[this.now].split("~")[0]) return;
    if (!merging || merging !== this.merging) this.now += 1;
    this.history.splice(this.now, Infinity, code);
    this.merging = merging;
    this.fresh = true;
    this.#tell("placed");
  }

  /** A turn in the tray is no step: it is kept with the step that was made last. */
  #keepTurns() {
    this.history[this.now] = this.code() + (this.help && `~${this.help}`);
    this.#tell("turned");
  }

  /** A position from elsewhere: a link, another window. @param {string} code @param {Help} [help] */
  open(code, help) {
    this.#read(code);
    if (help && HELP.indexOf(help) > HELP.indexOf(this.help)) this.help = help;
    this.#commit();
    this.#tell("hand");
  }

  /** Begins where the game was left. @param {string[]} history @param {number} now */
  resume(history, now) {
    this.#begin(history, now);
    this.#tell("hand", "placed");
  }

  /** @param {string[]} history @param {number} now */
  #begin(history, now) {
    Object.assign(this, { history, now, merging: "", fresh: false });
    this.#read(history[now]);
  }

  /** One step back, or forward again; pieces stay in the tray as they are turned there. @param {-1 | 1} by */
  step(by) {
    if (this.history[this.now + by] === undefined) return;
    const inTray = [...this.tokens.keys()].filter((token) => !this.spots.has(token)).map((token) => [token, this.turned[token]]);
    this.#begin(this.history, this.now + by);
    for (const [token, turned] of inTray) if (!this.spots.has(token)) this.turned[token] = turned;
    this.#tell("hand", "placed");
  }
}
