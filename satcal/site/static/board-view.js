// The view of a game: draws board and tray, and each piece where the game has it.
import { UNIT, createElement, nearestCell, outline, sizeOf, sortCells, createSvg, needsLightText } from "./geometry.js";
import { FRAME, computeLayout, traySizes } from "./layout.js";
import { formatLabel, translate, describeShape, describeCells } from "./i18n.js";

/** @import { Game } from "./game.js" @import { Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */

const ROUND = 0.14; // of a cell: the corners of a piece
const BORDER = 0.19; // of a cell: the frame
const LIFT = 1.03; // how much larger a piece is in the hand

/** @param {Pick<Puzzle, "cells">} puzzle @param {number[]} cells @returns {Spot[]} */
export const positionsOf = (puzzle, cells) => cells.map((cell) => [puzzle.cells[cell].row, puzzle.cells[cell].column]);

/** Draw a board: frame, bed and cells; those of the reveal are marked.
 * @param {Pick<Puzzle, "rows" | "columns" | "cells" | "labels" | "categories">} puzzle @param {string[]} reveal */
export function drawBoard(puzzle, reveal) {
  const edge = FRAME * UNIT;
  const drawn = createSvg("svg", {
    viewBox: `${-edge} ${-edge} ${puzzle.columns * UNIT + 2 * edge} ${puzzle.rows * UNIT + 2 * edge}`,
    class: "board", "aria-hidden": "true" });
  const all = positionsOf(puzzle, puzzle.cells.map((_, number) => number));
  const [bed, frame] = [outline(all, 0.1), outline(all, 0.26, -BORDER)];
  drawn.append(createSvg("path", { d: frame, class: "frame" }), clipTo(frame, ...drawEdges(frame)), createSvg("path", { d: bed, class: "bed" }),
    clipTo(bed, createSvg("path", { d: bed, class: "dent" }))); // an inner shadow from above
  const cell = (/** @type {number[]} */ cells, kind = "cell") => createSvg("path", { d: outline(positionsOf(puzzle, cells), 0.1, 0.03), class: kind });
  puzzle.cells.forEach(({ label }, number) => label === null && drawn.append(cell([number])));
  for (const [label, cells] of Object.entries(puzzle.labels)) {
    const shown = reveal.includes(label);
    drawn.append(cell(cells, shown ? "revealed" : "cell"), drawLabel(positionsOf(puzzle, cells), formatLabel(puzzle, label)));
  }
  drawn.append(createSvg("path", { d: bed, class: "rim" }));
  return drawn;
}

/** Draw a label in the middle of its cells. @param {Spot[]} cells @param {string} label */
function drawLabel(cells, label) {
  const spots = sortCells(cells);
  const [row, column] = spots[Math.floor((spots.length - 1) / 2)];
  const flat = spots.every((spot) => spot[0] === row);
  const middle = flat ? (spots[0][1] + spots[spots.length - 1][1]) / 2 : column;
  const wide = 0.86 * UNIT * (flat ? spots.length : 1);
  return drawText([row, middle], label, { "font-size": Math.min(3.6, wide / label.length / 0.62).toFixed(2) });
}

/** @param {Spot} cell @param {string} text @param {Record<string, string>} attributes */
const drawText = ([row, column], text, attributes) => createSvg(
  "text", { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT, ...attributes }, document.createTextNode(text));

let clips = 0;

/** Clip drawings to an outline. @param {string} d @param {...SVGElement} drawings */
export function clipTo(d, ...drawings) {
  const id = `clip-${clips += 1}`;
  return createSvg("g", {}, createSvg("clipPath", { id }, createSvg("path", { d })), createSvg("g", { "clip-path": `url(#${id})` }, ...drawings));
}

/** Draw the light edge above and the dark one below, of a piece or the frame. @param {string} d */
const drawEdges = (d) => ["lit", "shade"].map((kind) => createSvg("path", { d, class: kind }));

/** Draw the parts of a piece: body, edges, name and ring.
 * @param {Spot[]} shape @param {string} colour @param {string} name */
export function drawPiece(shape, colour, name) {
  const body = outline(shape, ROUND, 0.015);
  return [
    createSvg("path", { d: body, class: "body" }),
    clipTo(body, ...drawEdges(body)),
    drawText(sortCells(shape)[0], name, { class: needsLightText(colour) ? "name light" : "name dark" }),
    createSvg("path", { d: outline(shape, ROUND, -0.03), class: "ring" })];
}

export class BoardView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.pieces = /** @type {HTMLElement[]} by token */ ([]);
    this.carried = /** @type {{token: number, x: number, y: number} | null} by a pointer */ (null);
    this.dropSpot = /** @type {Spot | null} of a carried piece, whether it fits there or not */ (null);
    this.lift = 0; // cells by which a piece is carried above the finger
    this.hint = /** @type {number[]} */ ([]);
    this.blamed = /** @type {string[]} names */ ([]);
    this.hintLevel = 0; // of the next hint
    this.layout = computeLayout(1, 1, { rows: 1, columns: 1, sides: [1] });
    this.scene = createElement("div", { className: "scene" }); // board and pieces
    this.pointer = [0, 0];
    this.game = /** @type {Game} */ (/** @type {unknown} */ (undefined)); // until one is opened
    this.board = createSvg("svg");
    this.under = createSvg("svg"); // what is drawn on the board beneath the pieces
    this.over = createSvg("svg"); // and above them
    this.layoutKey = ""; // the size of the table
    this.readyFrame = 0; // after it, moves are animated
    new ResizeObserver(() => this.layoutKey !== this.#sizeKey() && this.updateLayout()).observe(root);
  }

  /** @param {Game} game */
  openGame(game) {
    this.game = game;
    this.board = drawBoard(game.puzzle, game.reveal);
    const viewBox = this.board.getAttribute("viewBox") ?? "";
    [this.under, this.over] = ["under", "over"].map((kind) => createSvg("svg", { viewBox, class: `board ${kind}`, "aria-hidden": "true" }));
    this.pieces = game.tokens.map(({ colour }, token) => {
      const piece = createElement("div", { className: "piece", role: "button", tabIndex: 0, "data-token": token, "aria-describedby": "keys" },
        createSvg("svg", { "aria-hidden": "true" }));
      piece.style.setProperty("--colour", colour);
      return piece;
    });
    this.carried = null;
    this.root.classList.remove("ready");
    this.hint = this.blamed = this.layout.places = [];
    this.scene.replaceChildren(this.board, this.under, ...this.pieces, this.over);
    this.root.replaceChildren(this.scene);
    this.updateLayout();
  }

  /** Show what a hint is about.
   * @param {number} [level] of the next hint @param {number[]} [cells] @param {string} [hintedPiece] @param {string[]} [blamed] */
  showHint(level = 0, cells = [], hintedPiece = "", blamed = []) {
    Object.assign(this, { hintLevel: level, hint: cells, blamed });
    this.pieces.forEach((piece, token) => piece.classList.toggle("tight", this.game?.tokens[token].name === hintedPiece));
    this.draw();
  }

  /** Show the finish by drawings above the pieces, or end it. @param {SVGElement[] | null} drawings */
  setStaged(drawings) {
    this.root.classList.toggle("staged", drawings !== null);
    if (drawings) this.over.replaceChildren(...drawings);
    else this.drawMarks();
  }

  #sizeKey() {
    return `${this.root.clientWidth} ${this.root.clientHeight}`;
  }

  updateLayout() {
    const { root, game } = this;
    if (!game || !root.clientWidth) return; // not shown
    this.layoutKey = this.#sizeKey();
    const { rows, columns } = game.puzzle;
    this.layout = computeLayout(root.clientWidth, root.clientHeight, { rows, columns, sides: traySizes(game.puzzle) });
    const { unit, board: [left, top], height, card: [cardLeft, cardTop, cardWidth], beside } = this.layout;
    root.style.setProperty("--unit", `${unit}px`);
    root.dataset.beside = String(beside);
    const card = { left: root.offsetLeft + cardLeft, top: root.offsetTop + cardTop, width: cardWidth };
    for (const [name, value] of Object.entries(card)) root.parentElement?.style.setProperty(`--card-${name}`, `${value}px`);
    root.classList.toggle("tight", height > root.clientHeight + 1);
    for (const drawn of [this.board, this.under, this.over]) {
      const [wide, high] = [columns, rows].map((cells) => (cells + 2 * FRAME) * unit);
      drawn.style.cssText = `left:${left - FRAME * unit}px;top:${top - FRAME * unit}px;width:${wide}px;height:${high}px`;
    }
    this.draw();
    cancelAnimationFrame(this.readyFrame);
    this.readyFrame = requestAnimationFrame(() => { this.readyFrame = requestAnimationFrame(() => root.classList.add("ready")); });
  }

  /** Return the one of two puzzles whose cells are larger in this window. @param {Puzzle} one @param {Puzzle} other */
  preferred(one, other) {
    const { clientWidth, clientHeight } = this.root;
    const [first, second] = [one, other].map(
      ({ rows, columns }) => computeLayout(clientWidth, clientHeight, { rows, columns, sides: traySizes(one) }).unit);
    return second > first ? other : one;
  }

  draw() {
    if (!this.game || !this.layout.places.length) return; // not shown yet
    this.pieces.forEach((_, token) => this.drawToken(token));
    this.drawMarks();
    this.#sortPieces();
  }

  /** Return the pieces in the order of Tab: first those on the board, each group from the upper left to the lower right. */
  piecesInOrder() {
    const { game } = this;
    const rowHeight = this.layout.unit / 2;
    const entries = game.tokens.map((_, token) => {
      const spot = game.spots.get(token) ?? null;
      const [x, y] = this.cornerOf(token, spot);
      return { token, inTray: Number(!spot), x, y };
    });
    return entries.sort((a, b) => a.inTray - b.inTray || (Math.abs(a.y - b.y) < rowHeight ? a.x - b.x : a.y - b.y) || a.token - b.token)
      .map(({ token }) => this.pieces[token]);
  }

  /** Sort the elements of pieces, around the one with the focus, which it would lose by a move. */
  #sortPieces() {
    const sorted = this.piecesInOrder();
    const present = [...this.scene.querySelectorAll(".piece")];
    if (sorted.every((piece, at) => piece === present[at])) return;
    const focused = sorted.findIndex((piece) => piece === document.activeElement);
    if (focused < 0) this.over.before(...sorted);
    else {
      sorted[focused].before(...sorted.slice(0, focused));
      this.over.before(...sorted.slice(focused + 1));
    }
  }

  /** Draw only the piece in the hand. */
  drawHand() {
    const { game } = this;
    if (!game?.hand || !this.layout.places.length) return this.draw();
    this.drawToken(game.hand.token);
    this.drawMarks();
  }

  /** Draw the preview of a drop, and the cells of a hint. */
  drawMarks() {
    const { game, carried, hint, under, over } = this;
    if (!game) return;
    const { hand } = game;
    const fits = Boolean(hand?.spot && game.handFits);
    const spot = fits ? hand?.spot : this.dropSpot;
    // a turned piece may reach off the board
    const target = carried && hand && spot ? game.cells(hand.token, spot).filter((cell) => cell !== undefined) : [];
    const path = (/** @type {number[]} */ cells, /** @type {string} */ kind) => (cells.length
      ? [createSvg("path", { d: outline(positionsOf(game.puzzle, cells), ROUND, 0.03), class: kind })] : []);
    const key = `${fits} ${target} ${hint}`;
    if (under.dataset.key === key) return;
    under.dataset.key = key;
    if (hand) under.style.setProperty("--colour", game.tokens[hand.token].colour);
    under.replaceChildren(...path(fits ? target : [], "target"));
    if (!this.root.classList.contains("staged")) over.replaceChildren(...path(hint, "hinted"));
  }

  /** @param {number} token */
  drawToken(token) {
    const { game, carried, pieces: { [token]: piece } } = this;
    const state = game.stateOf(token), { spot } = state;
    if (piece.dataset.turned !== String(game.turned[token])) this.#reshape(piece, token);
    const isCarried = carried?.token === token;
    const isPlaced = isCarried || spot;
    const [x, y] = isCarried ? [carried.x, carried.y] : this.cornerOf(token, spot);
    const scale = isCarried ? LIFT : isPlaced ? 1 : this.layout.tray / this.layout.unit;
    piece.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(4)})`;
    piece.classList.toggle("carried", isCarried);
    piece.classList.toggle("placed", Boolean(spot));
    piece.classList.toggle("misfit", !state.fits || (isCarried && !spot && this.dropSpot !== null));
    piece.classList.toggle("blamed", !state.isHeld && this.blamed.includes(game.tokens[token].name) && Boolean(spot));
    piece.setAttribute("aria-pressed", String(state.isHeld));
    if (!isCarried) piece.setAttribute("aria-label", this.describePiece(token));
  }

  /** Change the drawing in place, because a finger may be on it. @param {HTMLElement} piece @param {number} token */
  #reshape(piece, token) {
    const { game } = this;
    const [shape, { colour, name }] = [game.shape(token), game.tokens[token]];
    const [high, wide] = sizeOf(shape);
    piece.dataset.turned = String(game.turned[token]);
    piece.style.setProperty("--rows", String(high));
    piece.style.setProperty("--columns", String(wide));
    const picture = piece.children[0];
    picture.setAttribute("viewBox", `0 0 ${wide * UNIT} ${high * UNIT}`);
    const fresh = createSvg("svg", {}, ...drawPiece(shape, colour, name));
    if (!picture.children.length) return picture.append(...fresh.children);
    const parts = [...fresh.querySelectorAll("*")];
    picture.querySelectorAll("*").forEach((drawn, number) => {
      for (const each of ["d", "x", "y"]) if (parts[number].hasAttribute(each)) drawn.setAttribute(each, parts[number].getAttribute(each) ?? "");
    });
  }

  /** Return the accessible name of a piece: its name, shape and cells. @param {number} token */
  describePiece(token) {
    const { game } = this;
    const { spot, isHeld, fits } = game.stateOf(token);
    const { name, orientations } = game.tokens[token];
    const piece = `${name}, ${describeShape(game.shape(token), orientations[0])}`;
    if (!spot) return translate(isHeld ? "piece-in-hand" : "piece-free", { piece });
    const cells = describeCells(game.puzzle, game.cells(token, spot).filter((cell) => cell !== undefined));
    return translate(isHeld ? (fits ? "piece-over" : "piece-misfits") : "piece-covers", { piece, cells });
  }

  /** Return the upper left corner of a piece, in pixels of the scene. @param {number} token @param {Spot | null} spot */
  cornerOf(token, spot) {
    const { unit, tray, board: [left, top], places } = this.layout;
    if (spot) return [left + spot[1] * unit, top + spot[0] * unit];
    const [high, wide] = sizeOf(this.game.shape(token));
    const [x, y, side] = places[token];
    return [x + (side - wide * tray) / 2, y + (side - high * tray) / 2];
  }

  /** Return a point in pixels of the scene. @param {number} x @param {number} y */
  #toScene(x, y) {
    const box = this.root.getBoundingClientRect();
    return [x - box.left + this.root.scrollLeft, y - box.top + this.root.scrollTop];
  }

  /** Return row and column of a point; 0.5 is the middle of the first cell. @param {number} x @param {number} y */
  cellAt(x, y) {
    const { unit, board: [left, top] } = this.layout;
    const point = this.#toScene(x, y);
    return [(point[1] - top) / unit, (point[0] - left) / unit];
  }

  /** @param {number} x @param {number} y */
  isOnBoard(x, y) {
    const [row, column] = this.cellAt(x, y);
    const { rows, columns } = this.game.puzzle;
    return row >= -0.5 && column >= -0.5 && row < rows + 0.5 && column < columns + 0.5;
  }

  /** Return the cell of a piece nearest to a point. @param {number} token @param {number} x @param {number} y */
  nearestCellOf(token, x, y) {
    const shape = this.game.shape(token);
    const box = this.pieces[token].getBoundingClientRect();
    const unit = box.width / sizeOf(shape)[1];
    return nearestCell(shape, [(y - box.top) / unit - 0.5, (x - box.left) / unit - 0.5]);
  }

  /** Carry the piece in the hand to a point. @param {number} x @param {number} y */
  carry(x = this.pointer[0], y = this.pointer[1]) {
    this.pointer = [x, y];
    const { game, layout: { unit } } = this;
    if (!game?.hand) return;
    const { token, grab: [row, column] } = game.hand;
    const lifted = y - this.lift * unit;
    const [left, top] = this.#toScene(x, lifted);
    this.carried = { token, x: left - (column + 0.5) * unit * LIFT, y: top - (row + 0.5) * unit * LIFT };
    const [atRow, atColumn] = this.cellAt(x, lifted);
    const corner = this.isOnBoard(x, lifted) ? [atRow - 0.5 - row, atColumn - 0.5 - column] : [NaN, NaN];
    this.dropSpot = Number.isNaN(corner[0]) ? null : /** @type {Spot} */ (corner.map(Math.round));
    game.hoverNear(corner[0], corner[1]);
  }

  /** Show that a piece does not fit. @param {number} token */
  shake(token) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.pieces[token].children[0].animate({ transform: ["translateX(0)", "translateX(-4px)", "translateX(4px)", "translateX(0)"] }, 120);
  }

  stopCarrying() {
    this.carried = this.dropSpot = null;
    this.draw();
  }
}
