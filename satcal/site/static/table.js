// Draws board and pieces, all at one scale, and lays each piece where the game has it.
import { UNIT, element, outline, size, sorted, svg, wantsLight } from "./geometry.js";
import { arrange } from "./layout.js";
import { covered } from "./words.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./engine.js").Puzzle} Puzzle */
/** @typedef {import("./geometry.js").Spot} Spot */

/** @param {Puzzle} puzzle @param {number[]} cells @returns {Spot[]} */
const spotsOf = (puzzle, cells) => cells.map((cell) => [puzzle.cells[cell].row, puzzle.cells[cell].column]);

/** A board without pieces: rim, cells and labels, those of the reveal marked.
 * @param {Puzzle} puzzle @param {string[]} reveal */
export function drawBoard(puzzle, reveal) {
  const all = puzzle.cells.map((_, cell) => cell);
  const drawn = svg("svg", {
    viewBox: `-1 -1 ${puzzle.columns * UNIT + 2} ${puzzle.rows * UNIT + 2}`, class: "board", "aria-hidden": "true" },
  svg("path", { d: outline(spotsOf(puzzle, all)), class: "rim" }));
  for (const cell of all.filter((each) => puzzle.cells[each].label === null)) {
    drawn.append(svg("path", { d: outline(spotsOf(puzzle, [cell])), class: "cell" }));
  }
  const marked = svg("g");
  for (const [label, cells] of Object.entries(puzzle.labels)) {
    const shown = reveal.includes(label);
    (shown ? marked : drawn).append(
      svg("path", { d: outline(spotsOf(puzzle, cells)), class: shown ? "revealed" : "cell" }), words(puzzle, label, cells));
  }
  drawn.append(marked);
  return drawn;
}

/** @param {Puzzle} puzzle @param {string} label @param {number[]} cells */
function words(puzzle, label, cells) {
  const spots = sorted(spotsOf(puzzle, cells));
  const middle = spots[Math.floor((spots.length - 1) / 2)];
  const one = spots.every(([row]) => row === spots[0][0]);
  const column = one ? spots.reduce((sum, spot) => sum + spot[1], 0) / spots.length : middle[1];
  const wide = 0.9 * UNIT * (one ? spots.length : 1);
  const text = svg("text", {
    x: (column + 0.5) * UNIT, y: (middle[0] + 0.5) * UNIT,
    "font-size": Math.min(4.2, wide / label.length / 0.62).toFixed(2) });
  text.textContent = label;
  return text;
}

/** A piece with its name in its first cell. @param {Element} into an svg @param {Spot[]} shape
 * @param {string} colour @param {string} name */
export function drawPiece(into, shape, colour, name) {
  const [row, column] = sorted(shape)[0];
  const letter = svg("text", { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT, class: wantsLight(colour) ? "light" : "dark" });
  letter.textContent = name;
  into.append(svg("path", { d: outline(shape), fill: colour }), letter);
}

/** A whole tiling as a picture. @param {Puzzle} puzzle @param {string[]} reveal
 * @param {import("./engine.js").Placement[]} tiling */
export function drawTiling(puzzle, reveal, tiling) {
  const drawn = drawBoard(puzzle, reveal);
  const colours = new Map(puzzle.pieces.map((piece) => [piece.name, piece.colour]));
  for (const { piece, cells } of tiling) {
    drawPiece(drawn, spotsOf(puzzle, cells), colours.get(piece) ?? "#888888", piece);
  }
  drawn.append(...drawn.querySelectorAll("g")); // the rings lie over the edges of pieces
  return drawn;
}

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {HTMLElement[]} by token */
    this.pieces = [];
    /** @type {{token: number, x: number, y: number} | null} where a pointer carries a piece */
    this.carried = null;
    this.hint = /** @type {number[] | null} */ (null);
    /** @type {import("./layout.js").Layout} */
    this.where = { unit: 1, height: 0, board: [0, 0], places: [] };
    this.origin = [0, 0];
    this.pointer = [0, 0];
    this.sides = /** @type {number[]} */ ([]);
    this.game = /** @type {Game | undefined} */ (undefined);
    new ResizeObserver(() => this.layout()).observe(root);
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    const { puzzle, reveal } = game;
    this.board = drawBoard(puzzle, reveal);
    this.above = svg("svg", { viewBox: this.board.getAttribute("viewBox") ?? "", class: "board above", "aria-hidden": "true" });
    this.pieces = game.tokens.map((_, token) => element("div", {
      className: "piece", role: "button", tabIndex: 0, "data-token": token, "aria-describedby": "keys" },
    svg("svg", { "aria-hidden": "true" })));
    this.carried = this.hint = null;
    this.root.replaceChildren(this.board, ...this.pieces, this.above);
    this.layout();
  }

  layout() {
    if (!this.game || !this.root.clientWidth) return; // not shown
    const { puzzle, tokens } = this.game;
    const style = getComputedStyle(this.root);
    const inside = (/** @type {string} */ one, /** @type {string} */ other) => parseFloat(style.getPropertyValue(one)) + parseFloat(style.getPropertyValue(other));
    const width = this.root.clientWidth - inside("padding-left", "padding-right");
    const height = this.root.clientHeight - inside("padding-top", "padding-bottom");
    const sides = tokens.map((piece) => Math.max(...size(piece.orientations[0])));
    this.where = arrange(width, height, puzzle.rows, puzzle.columns, sides);
    this.origin = [parseFloat(style.paddingLeft), parseFloat(style.paddingTop)];
    this.sides = sides;
    const { unit, board } = this.where;
    this.root.style.setProperty("--unit", `${unit}px`);
    this.root.classList.toggle("tight", this.where.height > height);
    for (const drawn of [this.board, this.above]) {
      drawn?.setAttribute("style", `left:${board[0] + this.origin[0] - unit / UNIT}px;top:${board[1] + this.origin[1] - unit / UNIT}px;`
        + `width:${(puzzle.columns * UNIT + 2) * unit / UNIT}px;height:${(puzzle.rows * UNIT + 2) * unit / UNIT}px`);
    }
    this.draw();
  }

  /** Whether the board is better laid on its side: only one without labels may be.
   * @param {Puzzle} puzzle @param {Puzzle} other */
  prefers(puzzle, other) {
    const unit = (/** @type {Puzzle} */ each) => arrange(
      this.root.clientWidth, this.root.clientHeight, each.rows, each.columns,
      each.pieces.flatMap((piece) => Array(piece.copies).fill(Math.max(...size(piece.orientations[0]))))).unit;
    return unit(other) > unit(puzzle) ? other : puzzle;
  }

  draw() {
    if (!this.game || !this.where.height) return;
    this.pieces.forEach((_, token) => this.#drawPiece(token));
    this.#drawAbove();
  }

  /** @param {number} token */
  #drawPiece(token) {
    const { game } = this;
    if (!game) return;
    const [piece, shape, drawn] = [game.tokens[token], game.shape(token), this.pieces[token]];
    const hand = game.hand?.token === token ? game.hand : null;
    const spot = hand?.at ?? game.spots.get(token) ?? null;
    if (drawn.dataset.turned !== String(game.turned[token])) {
      drawn.dataset.turned = String(game.turned[token]);
      drawn.style.setProperty("--rows", String(size(shape)[0]));
      drawn.style.setProperty("--columns", String(size(shape)[1]));
      const picture = /** @type {Element} */ (drawn.firstElementChild);
      picture.setAttribute("viewBox", `0 0 ${size(shape)[1] * UNIT} ${size(shape)[0] * UNIT}`);
      if (picture.firstElementChild) { // the finger that turns it is on it: it must stay
        const fresh = svg("g");
        drawPiece(fresh, shape, piece.colour, piece.name);
        picture.children[0].setAttribute("d", fresh.children[0].getAttribute("d") ?? "");
        for (const axis of ["x", "y"]) picture.children[1].setAttribute(axis, fresh.children[1].getAttribute(axis) ?? "");
      } else drawPiece(picture, shape, piece.colour, piece.name);
    }
    const [x, y] = this.carried?.token === token ? [this.carried.x, this.carried.y] : this.#corner(token, spot);
    drawn.style.transform = `translate(${x}px, ${y}px)`;
    drawn.classList.toggle("carried", this.carried?.token === token);
    drawn.classList.toggle("placed", Boolean(spot));
    drawn.classList.toggle("misfit", Boolean(hand?.at && !game.handFits));
    drawn.setAttribute("aria-pressed", String(Boolean(hand)));
    drawn.setAttribute("aria-label", this.#says(token, spot, hand !== null));
  }

  /** @param {number} token @param {Spot | null} spot @param {boolean} held */
  #says(token, spot, held) {
    const game = /** @type {Game} */ (this.game);
    const where = spot ? game.cells(token, spot).filter((cell) => cell !== undefined) : [];
    const name = `Piece ${game.tokens[token].name}`;
    if (!spot) return `${name}, ${held ? "in your hand" : "not placed"}`;
    const cells = covered(game.puzzle, /** @type {number[]} */ (where));
    if (!held) return `${name}, covers ${cells}`;
    return `${name}, over ${cells}${game.handFits ? "" : ", does not fit here"}`;
  }

  /** Where the upper left corner of a token is, in pixels of the table.
   * @param {number} token @param {Spot | null} spot */
  #corner(token, spot) {
    const { where: { unit, board, places }, origin: [left, top] } = this;
    if (spot) return [left + board[0] + spot[1] * unit, top + board[1] + spot[0] * unit];
    const [high, wide] = size(/** @type {Game} */ (this.game).shape(token));
    const middle = (/** @type {number} */ span) => ((this.sides[token] - span) * unit) / 2;
    return [left + places[token][0] + middle(wide), top + places[token][1] + middle(high)];
  }

  /** The dashed lines: where a carried piece would fall, where a hint points. */
  #drawAbove() {
    const { game, above } = this;
    if (!game || !above) return;
    const { hand } = game;
    const cells = this.carried && hand?.at && hand.from?.join() !== hand.at.join() ? game.cells(hand.token, hand.at) : this.hint;
    above.replaceChildren(...(cells?.length ? [svg("path", {
      d: outline(spotsOf(game.puzzle, /** @type {number[]} */ (cells))), class: this.carried ? "target" : "hinted" })] : []));
  }

  /** Row and column of a point of the window, between 0 and 1 within the first cell.
   * @param {number} x @param {number} y @returns {Spot} */
  cellAt(x, y) {
    const box = this.root.getBoundingClientRect();
    const { where: { unit, board }, origin } = this;
    return [(y - box.top - this.root.clientTop + this.root.scrollTop - origin[1] - board[1]) / unit,
      (x - box.left - this.root.clientLeft + this.root.scrollLeft - origin[0] - board[0]) / unit];
  }

  /** @param {number} x @param {number} y */
  onBoard(x, y) {
    const [row, column] = this.cellAt(x, y);
    const { puzzle } = /** @type {Game} */ (this.game);
    return row >= -0.5 && column >= -0.5 && row < puzzle.rows + 0.5 && column < puzzle.columns + 0.5;
  }

  /** The cell of a token's shape under a point of the window. @param {number} token
   * @param {number} x @param {number} y @returns {Spot} */
  cellOf(token, x, y) {
    const box = this.pieces[token].getBoundingClientRect();
    const { unit } = this.where;
    const exact = [(y - box.top) / unit - 0.5, (x - box.left) / unit - 0.5];
    const far = (/** @type {Spot} */ [r, c]) => (r - exact[0]) ** 2 + (c - exact[1]) ** 2;
    const shape = /** @type {Game} */ (this.game).shape(token);
    return shape.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
  }

  /** Carries the piece in the hand under a point of the window, by the cell by which it is held.
   * @param {number} x @param {number} y */
  carry(x, y) {
    const game = /** @type {Game} */ (this.game);
    this.pointer = [x, y];
    if (!game.hand) return;
    const { unit } = this.where;
    const box = this.root.getBoundingClientRect();
    const [row, column] = game.hand.grab;
    this.carried = {
      token: game.hand.token,
      x: x - box.left - this.root.clientLeft + this.root.scrollLeft - (column + 0.5) * unit,
      y: y - box.top - this.root.clientTop + this.root.scrollTop - (row + 0.5) * unit };
    const here = this.cellAt(x, y);
    if (this.onBoard(x, y)) game.aim(here[0] - 0.5 - row, here[1] - 0.5 - column);
    else game.leave();
    this.draw();
  }

  /** The same after the piece was turned. */
  carryOn() {
    this.carry(this.pointer[0], this.pointer[1]);
  }

  letGo() {
    this.carried = null;
    this.draw();
  }

  /** Shows once how a piece moves: one goes to the board, turns on the way, and comes back. */
  demonstrate() {
    const [piece] = this.pieces;
    if (!piece || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [from, to] = [this.#corner(0, null), this.#corner(0, [2, 2])];
    const step = (/** @type {number[]} */ [x, y], /** @type {number} */ angle) => `translate(${x}px, ${y}px) rotate(${angle}deg)`;
    const shown = piece.animate({
      transform: [step(from, 0), step(from, 90), step(to, 90), step(to, 90), step(from, 0)],
      offset: [0, 0.2, 0.5, 0.7, 1], zIndex: [4, 4] }, { duration: 3200, delay: 600, easing: "ease-in-out" });
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => shown.cancel(), { once: true });
  }
}
