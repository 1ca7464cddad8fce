// Draws board and pieces, and lays each piece where the game has it.
import { UNIT, element, nearest, outline, size, sorted, svg, wantsLight } from "./geometry.js";
import { FRAME, arrange } from "./layout.js";
import { labelInWords, say, shapeInWords, where } from "./words.js";

/** @import { Game } from "./game.js" @import { Placement, Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */

const ROUND = 0.14; // of a cell: the corners of a piece
const BORDER = 0.19; // of a cell: the frame
const LIFT = 1.03; // how much larger a piece is in the hand

/** @param {Puzzle} puzzle @param {number[]} cells @returns {Spot[]} */
export const spotsOf = (puzzle, cells) => cells.map((cell) => [puzzle.cells[cell].row, puzzle.cells[cell].column]);

/** A board without pieces: frame, bed and cells; those of the reveal are marked.
 * @param {Puzzle} puzzle @param {string[]} reveal */
export function drawBoard(puzzle, reveal) {
  const edge = FRAME * UNIT;
  const drawn = svg("svg", {
    viewBox: `${-edge} ${-edge} ${puzzle.columns * UNIT + 2 * edge} ${puzzle.rows * UNIT + 2 * edge}`,
    class: "board", "aria-hidden": "true" });
  const all = spotsOf(puzzle, puzzle.cells.map((_, number) => number));
  const [bed, frame] = [outline(all, 0.1), outline(all, 0.26, -BORDER)];
  drawn.append(svg("path", { d: frame, class: "frame" }), clipped(frame, ...edges(frame)), svg("path", { d: bed, class: "bed" }),
    clipped(bed, svg("path", { d: bed, class: "dent" }))); // an inner shadow from above
  const cell = (/** @type {number[]} */ cells, kind = "cell") => svg("path", { d: outline(spotsOf(puzzle, cells), 0.1, 0.03), class: kind });
  puzzle.cells.forEach(({ label }, number) => label === null && drawn.append(cell([number])));
  for (const [label, cells] of Object.entries(puzzle.labels)) {
    const shown = reveal.includes(label);
    drawn.append(cell(cells, shown ? "revealed" : "cell"), word(spotsOf(puzzle, cells), labelInWords(label)));
  }
  drawn.append(svg("path", { d: bed, class: "rim" }));
  return drawn;
}

/** A label in the middle of its cells. @param {Spot[]} cells @param {string} label */
function word(cells, label) {
  const spots = sorted(cells);
  const [row, column] = spots[Math.floor((spots.length - 1) / 2)];
  const flat = spots.every((spot) => spot[0] === row);
  const middle = flat ? (spots[0][1] + spots[spots.length - 1][1]) / 2 : column;
  const wide = 0.86 * UNIT * (flat ? spots.length : 1);
  return letters([row, middle], label, { "font-size": Math.min(3.6, wide / label.length / 0.62).toFixed(2) });
}

/** @param {Spot} cell @param {string} text @param {Record<string, string>} attributes */
const letters = ([row, column], text, attributes) => svg(
  "text", { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT, ...attributes }, document.createTextNode(text));

let clips = 0;

/** What of some drawings lies inside an outline. @param {string} d @param {...SVGElement} drawings */
function clipped(d, ...drawings) {
  const id = `clip-${clips += 1}`;
  return svg("g", {}, svg("clipPath", { id }, svg("path", { d })), svg("g", { "clip-path": `url(#${id})` }, ...drawings));
}

/** A light edge above and a dark one below: of a piece, and of the frame. @param {string} d */
const edges = (d) => ["lit", "shade"].map((kind) => svg("path", { d, class: kind }));

/** The parts of a piece: its body, a light edge above and a dark one below (both inside), its name.
 * @param {Spot[]} shape @param {string} colour @param {string} name */
function drawPiece(shape, colour, name) {
  const body = outline(shape, ROUND, 0.015);
  return [
    svg("path", { d: body, class: "body" }),
    clipped(body, ...edges(body)),
    letters(sorted(shape)[0], name, { class: wantsLight(colour) ? "name light" : "name dark" }),
    svg("path", { d: outline(shape, ROUND, -0.03), class: "ring" })];
}

/** A whole tiling as a picture. @param {Puzzle} puzzle @param {string[]} reveal @param {Placement[]} tiling */
export function drawTiling(puzzle, reveal, tiling) {
  const drawn = drawBoard(puzzle, reveal);
  const colours = new Map(puzzle.pieces.map((piece) => [piece.name, piece.colour]));
  for (const { piece, cells } of tiling) {
    const colour = colours.get(piece) ?? "#888888";
    const group = svg("g", { class: "laid" }, ...drawPiece(spotsOf(puzzle, cells), colour, piece).slice(0, 3));
    group.style.setProperty("--colour", colour);
    drawn.append(group);
  }
  return drawn;
}

/** How many cells wide and high a place for each piece is. @param {Puzzle} puzzle */
export const sidesOf = (puzzle) => puzzle.pieces.flatMap(
  ({ copies, orientations }) => Array(copies).fill(Math.max(...size(orientations[0]))));

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.pieces = /** @type {HTMLElement[]} by token */ ([]);
    this.carried = /** @type {{token: number, x: number, y: number} | null} by a pointer */ (null);
    this.near = /** @type {Spot | null} on the board, where a carried piece would be if it fitted */ (null);
    this.lift = 0; // in cells: so far above a finger, which would hide it, a piece is carried
    this.hint = /** @type {number[]} */ ([]);
    this.blamed = /** @type {string[]} names of pieces that are in the way */ ([]);
    this.level = 0; // of the next hint
    this.staged = false; // the board has the stage: nothing lies in the tray
    this.where = arrange(1, 1, { rows: 1, columns: 1, sides: [] });
    this.view = { x: 0, y: 0, scale: 1 }; // where the scene is on the table
    this.scene = element("div", { className: "scene" }); // board and pieces, which move as one
    this.pointer = [0, 0];
    this.game = /** @type {Game | undefined} */ (undefined);
    this.board = svg("svg");
    this.under = svg("svg"); // what is drawn on the board beneath the pieces
    this.over = svg("svg"); // and above them
    this.laid = ""; // for a table of this size
    this.settling = 0; // the frame after which pieces move to where they are drawn, not before they ever lay
    new ResizeObserver(() => this.laid !== this.#extent() && this.layout()).observe(root);
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    this.board = drawBoard(game.puzzle, game.reveal);
    const viewBox = this.board.getAttribute("viewBox") ?? "";
    [this.under, this.over] = ["under", "over"].map((kind) => svg("svg", { viewBox, class: `board ${kind}`, "aria-hidden": "true" }));
    this.pieces = game.tokens.map(({ colour }, token) => {
      const piece = element("div", { className: "piece", role: "button", tabIndex: 0, "data-token": token, "aria-describedby": "keys" },
        svg("svg", { "aria-hidden": "true" }));
      piece.style.setProperty("--colour", colour);
      return piece;
    });
    this.carried = null;
    this.staged = false;
    cancelAnimationFrame(this.settling);
    this.root.classList.remove("ready");
    this.hint = this.blamed = this.where.places = [];
    this.scene.replaceChildren(this.board, this.under, ...this.pieces, this.over);
    this.root.replaceChildren(this.scene);
    this.layout();
  }

  /** Shows what a hint is about; the next one is of the given level.
   * @param {number} [level] @param {number[]} [cells] @param {string} [tight] @param {string[]} [blamed] */
  showHint(level = 0, cells = [], tight = "", blamed = []) {
    Object.assign(this, { level, hint: cells, blamed });
    this.pieces.forEach((piece, token) => piece.classList.toggle("tight", this.game?.tokens[token].name === tight));
    this.draw();
  }

  /** Gives the board all of the table, or gives the tray back its room. @param {boolean} staged */
  stage(staged) {
    if (staged === this.staged) return;
    this.staged = staged;
    this.root.classList.toggle("staged", staged);
    if (staged) this.#show();
    else this.layout();
  }

  /** Moves the scene as a whole: at the finish the board has all of the table. */
  #show() {
    const { root, where: { unit, board: [left, top] } } = this;
    const { rows, columns } = /** @type {Game} */ (this.game).puzzle;
    this.view = { x: 0, y: 0, scale: 1 };
    if (this.staged) {
      // what is said at the finish stands below the board, on a phone on its side beside it
      const beside = matchMedia("(max-height: 30rem) and (min-width: 30.01rem)").matches;
      const words = 8.25 * parseFloat(getComputedStyle(document.documentElement).fontSize);
      const [share, below] = beside ? [0.64, 0] : [1, words];
      const room = Math.max(root.clientHeight * 0.55, root.clientHeight - below);
      const alone = arrange(root.clientWidth * share, room, { rows, columns, sides: [] });
      const scale = alone.unit / unit;
      this.view = { x: alone.board[0] - left * scale, y: alone.board[1] - top * scale, scale };
    }
    const { x, y, scale } = this.view;
    this.scene.style.transform = scale === 1 && !x && !y ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
  }

  #extent() {
    return `${this.root.clientWidth} ${this.root.clientHeight}`;
  }

  layout() {
    const { root, game } = this;
    if (!game || !root.clientWidth) return; // not shown
    this.laid = this.#extent();
    if (this.staged) return this.#show(); // what is said takes less room now: only the scene moves
    const { rows, columns } = game.puzzle;
    this.where = arrange(root.clientWidth, root.clientHeight, { rows, columns, sides: sidesOf(game.puzzle) });
    this.#show();
    const { unit, board: [left, top], height } = this.where;
    root.style.setProperty("--unit", `${unit}px`);
    root.classList.toggle("tight", height > root.clientHeight + 1);
    for (const drawn of [this.board, this.under, this.over]) {
      const [wide, high] = [columns, rows].map((cells) => (cells + 2 * FRAME) * unit);
      drawn.style.cssText = `left:${left - FRAME * unit}px;top:${top - FRAME * unit}px;width:${wide}px;height:${high}px`;
    }
    this.draw();
    cancelAnimationFrame(this.settling);
    this.settling = requestAnimationFrame(() => { this.settling = requestAnimationFrame(() => root.classList.add("ready")); });
  }

  /** The one of two puzzles whose cells are larger in this window. @param {Puzzle} one @param {Puzzle} other */
  prefers(one, other) {
    const { clientWidth, clientHeight } = this.root;
    const [first, second] = [one, other].map(
      ({ rows, columns }) => arrange(clientWidth, clientHeight, { rows, columns, sides: sidesOf(one) }).unit);
    return second > first ? other : one;
  }

  draw() {
    if (!this.game || !this.where.places.length) return; // not shown yet
    this.pieces.forEach((_, token) => this.drawToken(token));
    this.drawMarks();
    this.#order();
  }

  /** The pieces from the upper left to the lower right, those on the board first: the order of Tab and of the arrows. */
  inOrder() {
    const game = /** @type {Game} */ (this.game);
    const place = (/** @type {number} */ token) => {
      const spot = game.spots.get(token) ?? null;
      const [x, y] = this.corner(game, token, spot);
      return { token, lies: Number(!spot), x, y };
    };
    const near = this.where.unit / 2; // what is less apart is in one row
    return game.tokens.map((_, token) => place(token))
      .sort((a, b) => a.lies - b.lies || (Math.abs(a.y - b.y) < near ? a.x - b.x : a.y - b.y) || a.token - b.token).map(({ token }) => this.pieces[token]);
  }

  /** Puts the pieces into their order, around the one that has the focus and would lose it if it were moved. */
  #order() {
    const wanted = this.inOrder();
    const there = [...this.scene.querySelectorAll(".piece")];
    if (wanted.every((piece, at) => piece === there[at])) return;
    const focused = wanted.findIndex((piece) => piece === document.activeElement);
    if (focused < 0) this.over.before(...wanted);
    else {
      wanted[focused].before(...wanted.slice(0, focused));
      this.over.before(...wanted.slice(focused + 1));
    }
  }

  /** What is in the hand was moved: only that is drawn. */
  drawHand() {
    const { game } = this;
    if (!game?.hand || !this.where.places.length) return this.draw();
    this.drawToken(game.hand.token);
    this.drawMarks();
  }

  /** The shadow where a piece would land, and the cells of a hint. */
  drawMarks() {
    const { game, carried, hint, under, over } = this;
    if (!game) return;
    const { hand } = game;
    const fits = Boolean(hand?.at && game.handFits);
    const spot = fits ? hand?.at : this.near; // where it would land, or where the finger is and it does not fit
    // turned, it may reach off the board
    const target = carried && hand && spot ? game.cells(hand.token, spot).filter((cell) => cell !== undefined) : [];
    const path = (/** @type {number[]} */ cells, /** @type {string} */ kind) => (cells.length
      ? [svg("path", { d: outline(spotsOf(game.puzzle, cells), ROUND, 0.03), class: kind })] : []);
    const said = `${fits} ${target} ${hint}`;
    if (under.dataset.said === said) return;
    under.dataset.said = said;
    if (hand) under.style.setProperty("--colour", game.tokens[hand.token].colour);
    under.replaceChildren(...path(target, fits ? "target" : "target misfit"));
    over.replaceChildren(...path(hint, "hinted"));
  }

  /** @param {number} token */
  drawToken(token) {
    const { carried, pieces: { [token]: piece } } = this;
    const game = /** @type {Game} */ (this.game);
    const state = game.state(token), { spot } = state;
    if (piece.dataset.turned !== String(game.turned[token])) this.#reshape(game, piece, token);
    const held = carried?.token === token;
    const lies = held || spot;
    const [x, y] = held ? [carried.x, carried.y] : this.corner(game, token, spot);
    const scale = held ? LIFT : lies ? 1 : this.where.tray / this.where.unit;
    piece.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(4)})`;
    piece.classList.toggle("carried", held);
    piece.classList.toggle("placed", Boolean(spot));
    piece.classList.toggle("misfit", !state.fits);
    piece.classList.toggle("blamed", !state.held && this.blamed.includes(game.tokens[token].name) && Boolean(spot));
    piece.setAttribute("aria-pressed", String(state.held));
    if (!held) piece.setAttribute("aria-label", this.says(token));
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
    const fresh = svg("svg", {}, ...drawPiece(shape, colour, name));
    if (!picture.children.length) return picture.append(...fresh.children);
    const parts = [...fresh.querySelectorAll("*")];
    picture.querySelectorAll("*").forEach((drawn, number) => {
      for (const each of ["d", "x", "y"]) if (parts[number].hasAttribute(each)) drawn.setAttribute(each, parts[number].getAttribute(each) ?? "");
    });
  }

  /** What a piece is called, how it lies, and where. @param {number} token */
  says(token) {
    const game = /** @type {Game} */ (this.game);
    const { spot, held, fits } = game.state(token);
    const { name, orientations } = game.tokens[token];
    const piece = `${name}, ${shapeInWords(game.shape(token), orientations[0])}`;
    if (!spot) return say(held ? "piece-in-hand" : "piece-free", { piece });
    const cells = where(game.puzzle, game.cells(token, spot).filter((cell) => cell !== undefined));
    return say(held ? (fits ? "piece-over" : "piece-misfits") : "piece-covers", { piece, cells });
  }

  /** Its upper left corner on the table, in pixels. @param {Game} game @param {number} token @param {Spot | null} spot */
  corner(game, token, spot) {
    const { unit, tray, board: [left, top], places } = this.where;
    if (spot) return [left + spot[1] * unit, top + spot[0] * unit];
    const [high, wide] = size(game.shape(token));
    const [x, y, side] = places[token];
    return [x + (side - wide * tray) / 2, y + (side - high * tray) / 2];
  }

  /** In pixels of the scene. @param {number} x @param {number} y */
  #point(x, y) {
    const box = this.root.getBoundingClientRect(), { view } = this;
    return [(x - box.left + this.root.scrollLeft - view.x) / view.scale, (y - box.top + this.root.scrollTop - view.y) / view.scale];
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
    const shape = /** @type {Game} */ (this.game).shape(token);
    const box = this.pieces[token].getBoundingClientRect();
    const unit = box.width / size(shape)[1];
    return nearest(shape, [(y - box.top) / unit - 0.5, (x - box.left) / unit - 0.5]);
  }

  /** Carries the piece in the hand to a point, by the cell by which it is held; the game tells what follows.
   * @param {number} x @param {number} y */
  carry(x = this.pointer[0], y = this.pointer[1]) {
    this.pointer = [x, y];
    const { game, where: { unit } } = this;
    if (!game?.hand) return;
    const { token, grab: [row, column] } = game.hand;
    const [left, top] = this.#point(x, y - this.lift * unit * this.view.scale);
    this.carried = { token, x: left - (column + 0.5) * unit * LIFT, y: top - (row + 0.5) * unit * LIFT };
    const lifted = y - this.lift * unit * this.view.scale;
    const here = this.cellAt(x, lifted);
    const over = this.onBoard(x, lifted);
    const spot = /** @type {Spot} */ ([Math.round(here[0] - 0.5 - row), Math.round(here[1] - 0.5 - column)]);
    this.near = over ? spot : null;
    if (over) game.aim(here[0] - 0.5 - row, here[1] - 0.5 - column);
    else game.aim(NaN, NaN); // off the board it hovers nowhere
  }

  /** Shows that a piece does not fit where it was put. @param {number} token */
  refuse(token) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.pieces[token].children[0].animate({ transform: ["translateX(0)", "translateX(-4px)", "translateX(4px)", "translateX(0)"] }, 120);
  }

  letGo() {
    this.carried = this.near = null;
    this.draw();
  }
}
