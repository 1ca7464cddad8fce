// Draws board and pieces, all at one scale, and lays each piece where the game has it.
import { UNIT, element, nearest, outline, size, sorted, svg, wantsLight } from "./geometry.js";
import { arrange } from "./layout.js";
import { covered } from "./words.js";

/** @import { Game } from "./game.js" @import { Placement, Puzzle } from "./engine.js" @import { Spot } from "./geometry.js" */

/** @param {Puzzle} puzzle @param {number[]} cells @returns {Spot[]} */
const spotsOf = (puzzle, cells) => cells.map((cell) => [puzzle.cells[cell].row, puzzle.cells[cell].column]);

/** A board without pieces; the labels of the reveal are marked. @param {Puzzle} puzzle @param {string[]} reveal */
function drawBoard(puzzle, reveal) {
  const marked = svg("g");
  const drawn = svg("svg", {
    viewBox: `-1 -1 ${puzzle.columns * UNIT + 2} ${puzzle.rows * UNIT + 2}`, class: "board", "aria-hidden": "true" });
  const cell = (/** @type {number[]} */ cells, kind = "cell") => svg("path", { d: outline(spotsOf(puzzle, cells)), class: kind });
  drawn.append(cell(puzzle.cells.map((_, number) => number), "rim"));
  puzzle.cells.forEach(({ label }, number) => label === null && drawn.append(cell([number])));
  for (const [label, cells] of Object.entries(puzzle.labels)) {
    const shown = reveal.includes(label);
    (shown ? marked : drawn).append(cell(cells, shown ? "revealed" : "cell"), word(spotsOf(puzzle, cells), label));
  }
  drawn.append(marked);
  return drawn;
}

/** A label in the middle of its cells. @param {Spot[]} cells @param {string} label */
function word(cells, label) {
  const spots = sorted(cells);
  const [row, column] = spots[Math.floor((spots.length - 1) / 2)];
  const flat = spots.every((spot) => spot[0] === row);
  const middle = flat ? (spots[0][1] + spots[spots.length - 1][1]) / 2 : column;
  const wide = 0.9 * UNIT * (flat ? spots.length : 1);
  return letters([row, middle], label, { "font-size": Math.min(4.2, wide / label.length / 0.62).toFixed(2) });
}

/** @param {Spot} cell @param {string} text @param {Record<string, string>} attributes */
const letters = ([row, column], text, attributes) => svg(
  "text", { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT, ...attributes }, document.createTextNode(text));

/** A piece, with its name in its first cell. @param {Spot[]} shape @param {string} colour @param {string} name */
const drawPiece = (shape, colour, name) => [svg("path", { d: outline(shape), fill: colour }),
  letters(sorted(shape)[0], name, { class: wantsLight(colour) ? "light" : "dark" })];

/** A whole tiling as a picture. @param {Puzzle} puzzle @param {string[]} reveal @param {Placement[]} tiling */
export function drawTiling(puzzle, reveal, tiling) {
  const drawn = drawBoard(puzzle, reveal);
  const colours = new Map(puzzle.pieces.map((piece) => [piece.name, piece.colour]));
  for (const { piece, cells } of tiling) {
    drawn.append(...drawPiece(spotsOf(puzzle, cells), colours.get(piece) ?? "#888888", piece));
  }
  drawn.append(...drawn.querySelectorAll("g")); // the rings lie over the edges of pieces
  return drawn;
}

/** How many cells wide and high a place for each piece is. @param {Puzzle} puzzle */
const sidesOf = (puzzle) => puzzle.pieces.flatMap(
  ({ copies, orientations }) => Array(copies).fill(Math.max(...size(orientations[0]))));

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.pieces = /** @type {HTMLElement[]} by token */ ([]);
    this.carried = /** @type {{token: number, x: number, y: number} | null} by a pointer */ (null);
    this.hint = /** @type {number[]} */ ([]);
    this.where = arrange(1, 1, { rows: 0, columns: 0, sides: [] });
    this.pointer = [0, 0];
    this.game = /** @type {Game | undefined} */ (undefined);
    this.boards = /** @type {SVGElement[]} the board, and what is drawn above the pieces */ ([]);
    this.marked = /** @type {Element} */ (svg("g"));
    new ResizeObserver(() => this.layout()).observe(root);
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    const board = drawBoard(game.puzzle, game.reveal);
    const above = svg("svg", { viewBox: board.getAttribute("viewBox") ?? "", class: "board above", "aria-hidden": "true" });
    this.boards = [board, above];
    this.pieces = game.tokens.map((_, token) => element("div", {
      className: "piece", role: "button", tabIndex: 0, "data-token": token, "aria-describedby": "keys" },
    svg("svg", { "aria-hidden": "true" })));
    this.carried = null;
    this.hint = this.where.places = [];
    this.marked = board.children[board.children.length - 1]; // the reveal's rings lie over the edges of pieces
    this.root.replaceChildren(board, ...this.pieces, above);
    this.layout();
  }

  layout() {
    const { root, game } = this;
    if (!game || !root.clientWidth) return; // not shown
    const { rows, columns } = game.puzzle;
    this.where = arrange(root.clientWidth, root.clientHeight, { rows, columns, sides: sidesOf(game.puzzle) });
    const { unit, board: [left, top], height } = this.where;
    root.style.setProperty("--unit", `${unit}px`);
    root.classList.toggle("tight", height > root.clientHeight);
    for (const drawn of this.boards) {
      const [wide, high] = [columns, rows].map((cells) => (cells + 2 / UNIT) * unit);
      drawn.style.cssText = `left:${left - unit / UNIT}px;top:${top - unit / UNIT}px;width:${wide}px;height:${high}px`;
    }
    this.draw();
  }

  /** The one of two puzzles whose cells are larger in this window. @param {Puzzle} one @param {Puzzle} other */
  prefers(one, other) {
    const { clientWidth, clientHeight } = this.root;
    const [first, second] = [one, other].map(
      ({ rows, columns }) => arrange(clientWidth, clientHeight, { rows, columns, sides: sidesOf(one) }).unit);
    return second > first ? other : one;
  }

  draw() {
    const { game, carried, boards } = this;
    if (!game || !this.where.places.length) return; // not shown yet
    this.pieces.forEach((piece, token) => this.#draw(game, piece, token));
    const { hand } = game;
    const target = carried && hand?.at && hand.from?.join() !== hand.at.join();
    const cells = target ? game.cells(hand.token, hand.at ?? [0, 0]) : this.hint;
    boards[1].replaceChildren(this.marked, ...(cells.length ? [svg("path", {
      d: outline(spotsOf(game.puzzle, /** @type {number[]} */ (cells))), class: target ? "target" : "hinted" })] : []));
  }

  /** @param {Game} game @param {HTMLElement} piece @param {number} token */
  #draw(game, piece, token) {
    const { carried } = this;
    const hand = game.hand?.token === token ? game.hand : null;
    const spot = hand?.at ?? game.spots.get(token) ?? null;
    if (piece.dataset.turned !== String(game.turned[token])) this.#reshape(game, piece, token);
    const [x, y] = carried?.token === token ? [carried.x, carried.y] : this.#corner(game, token, spot);
    piece.style.transform = `translate(${x}px, ${y}px)`;
    piece.classList.toggle("carried", carried?.token === token);
    piece.classList.toggle("placed", Boolean(spot));
    piece.classList.toggle("misfit", Boolean(hand?.at && !game.handFits));
    piece.setAttribute("aria-pressed", String(Boolean(hand)));
    piece.setAttribute("aria-label", this.says(token));
  }

  /** Changes the drawing in place: the finger that turns it is on it. @param {Game} game
   * @param {HTMLElement} piece @param {number} token */
  #reshape(game, piece, token) {
    const [shape, { colour, name }] = [game.shape(token), game.tokens[token]];
    const [high, wide] = size(shape);
    piece.dataset.turned = String(game.turned[token]);
    piece.style.setProperty("--rows", String(high));
    piece.style.setProperty("--columns", String(wide));
    const picture = piece.children[0];
    picture.setAttribute("viewBox", `0 0 ${wide * UNIT} ${high * UNIT}`);
    const fresh = drawPiece(shape, colour, name);
    if (!picture.children.length) picture.append(...fresh);
    fresh.forEach((drawn, number) => {
      for (const { name: each, value } of drawn.attributes) picture.children[number].setAttribute(each, value);
    });
  }

  /** What a piece is called, and where it is. @param {number} token */
  says(token) {
    const game = /** @type {Game} */ (this.game);
    const hand = game.hand?.token === token ? game.hand : null;
    const spot = hand?.at ?? game.spots.get(token);
    const name = `Piece ${game.tokens[token].name}`;
    if (!spot) return `${name}, ${hand ? "in your hand" : "not placed"}`;
    const cells = covered(game.puzzle, game.cells(token, spot).filter((cell) => cell !== undefined));
    return hand ? `${name}, over ${cells}${game.handFits ? "" : ", does not fit here"}` : `${name}, covers ${cells}`;
  }

  /** Its upper left corner on the table, in pixels. @param {Game} game @param {number} token @param {Spot | null} spot */
  #corner(game, token, spot) {
    const { unit, board: [left, top], places } = this.where;
    if (spot) return [left + spot[1] * unit, top + spot[0] * unit];
    const [high, wide] = size(game.shape(token));
    const side = Math.max(high, wide);
    return [places[token][0] + ((side - wide) * unit) / 2, places[token][1] + ((side - high) * unit) / 2];
  }

  /** A point of the window in pixels of the table. @param {number} x @param {number} y */
  #point(x, y) {
    const box = this.root.getBoundingClientRect();
    return [x - box.left + this.root.scrollLeft, y - box.top + this.root.scrollTop];
  }

  /** Row and column of a point; 0.5 is the middle of the first cell. @param {number} x @param {number} y */
  cellAt(x, y) {
    const { unit, board: [left, top] } = this.where;
    const point = this.#point(x, y);
    return [(point[1] - top) / unit, (point[0] - left) / unit];
  }

  /** @param {number} x @param {number} y */
  onBoard(x, y) {
    const [row, column] = this.cellAt(x, y);
    const { rows, columns } = /** @type {Game} */ (this.game).puzzle;
    return row >= -0.5 && column >= -0.5 && row < rows + 0.5 && column < columns + 0.5;
  }

  /** The cell of a piece nearest to a point. @param {number} token @param {number} x @param {number} y */
  cellOf(token, x, y) {
    const box = this.pieces[token].getBoundingClientRect();
    const [row, column] = [(y - box.top) / this.where.unit - 0.5, (x - box.left) / this.where.unit - 0.5];
    return nearest(/** @type {Game} */ (this.game).shape(token), [row, column]);
  }

  /** Carries the piece in the hand to a point, by the cell by which it is held. @param {number} x @param {number} y */
  carry(x = this.pointer[0], y = this.pointer[1]) {
    this.pointer = [x, y];
    const { game, where: { unit } } = this;
    if (!game?.hand) return;
    const { token, grab: [row, column] } = game.hand;
    const [left, top] = this.#point(x, y);
    this.carried = { token, x: left - (column + 0.5) * unit, y: top - (row + 0.5) * unit };
    const here = this.cellAt(x, y);
    if (this.onBoard(x, y)) game.aim(here[0] - 0.5 - row, here[1] - 0.5 - column);
    else game.leave();
    this.draw();
  }

  letGo() {
    this.carried = null;
    this.draw();
  }

  /** Shows how a piece moves: one turns, goes to the board and comes back. */
  demonstrate() {
    const { game, pieces: [piece] } = this;
    if (!game || !this.where.places.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [from, to] = [this.#corner(game, 0, null), this.#corner(game, 0, [2, 2])];
    const step = (/** @type {number[]} */ [x, y], /** @type {number} */ angle) => `translate(${x}px, ${y}px) rotate(${angle}deg)`;
    const shown = piece.animate({
      transform: [step(from, 0), step(from, 90), step(to, 90), step(to, 90), step(from, 0)], offset: [0, 0.2, 0.5, 0.7, 1] },
    { duration: 3200, delay: 4000, easing: "ease-in-out" });
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => shown.cancel(), { once: true });
  }
}
