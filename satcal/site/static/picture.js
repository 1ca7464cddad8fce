// The picture that is shared: the board with its date, what was achieved, and the address.
import { positionsOf } from "./board-view.js";
import { createElement, outline, UNIT } from "./geometry.js";
import { formatLabel } from "./i18n.js";

/** @import { Page } from "./types-page.js" */

const SIDE = 1080; // pixels
const BOARD = [132, 800]; // the top of the board, and its largest side
const TOKENS = ["background", "bottom", "text", "quiet", "frame", "line", "board", "full", "grid", "revealed", "revealed-line", "glow", "serif", "sans"];

/** Return colours and typefaces of the page, as they are in light. @returns {Record<string, string>} */
function readTokens() {
  const probe = createElement("i");
  document.body.append(probe);
  const styleOf = (/** @type {string} */ token) => {
    const property = /^s(erif|ans)$/.test(token) ? "fontFamily" : "color";
    probe.style.cssText = "color-scheme: light";
    probe.style[property] = `var(--${token})`;
    return getComputedStyle(probe)[property];
  };
  const found = Object.fromEntries(TOKENS.map((token) => [token, styleOf(token)]));
  probe.remove();
  return found;
}

/** Paint the board, with or without its pieces. @param {HTMLCanvasElement} canvas @param {Page} page @param {boolean} withPieces
 * @param {string[]} facts @param {string} address */
export function paint(canvas, page, withPieces, facts, address) {
  const { game, heading } = page.current();
  const { puzzle, reveal } = game;
  const colour = readTokens();
  Object.assign(canvas, { width: SIDE, height: SIDE });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const ground = pen.createRadialGradient(SIDE / 2, 0, 0, SIDE / 2, 0, SIDE);
  ground.addColorStop(0, colour.background);
  ground.addColorStop(1, colour.bottom);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, SIDE, SIDE);
  Object.assign(pen, { textAlign: "center", textBaseline: "middle" });
  const write = (/** @type {string} */ text, /** @type {number} */ y, /** @type {string} */ font, /** @type {string} */ fillStyle) => {
    Object.assign(pen, { font, fillStyle });
    pen.fillText(text, SIDE / 2, y, SIDE - 80);
  };
  write(heading || puzzle.title, 72, `600 62px ${colour.serif}`, colour.text);
  write(facts.join("   ·   "), 985, `34px ${colour.sans}`, colour.text);
  write(address, 1040, `28px ${colour.sans}`, colour.quiet);
  const cell = BOARD[1] / Math.max(puzzle.columns + 0.6, puzzle.rows + 0.6);
  pen.setTransform(cell / UNIT, 0, 0, cell / UNIT, (SIDE - puzzle.columns * cell) / 2, BOARD[0] + (BOARD[1] - puzzle.rows * cell) / 2);
  const path = (/** @type {[number, number][]} */ cells, /** @type {number} */ round, /** @type {number} */ inset) => new Path2D(outline(cells, round, inset));
  const draw = (/** @type {Path2D} */ shape, /** @type {string} */ fillStyle, /** @type {string} */ strokeStyle, /** @type {number} */ lineWidth) => {
    Object.assign(pen, { fillStyle, strokeStyle, lineWidth });
    pen.fill(shape);
    pen.stroke(shape);
  };
  const all = positionsOf(puzzle, puzzle.cells.map((_, number) => number));
  draw(path(all, 0.26, -0.19), colour.frame, colour.line, 0.45);
  draw(path(all, 0.1, 0), withPieces && game.isSolved ? colour.full : colour.board, colour.line, 0.35);
  const drawLabel = (/** @type {string} */ label, /** @type {number[]} */ cells, /** @type {boolean} */ isOpen) => {
    const spots = positionsOf(puzzle, cells);
    draw(path(spots, 0.1, 0.03), isOpen ? colour.revealed : colour.board, isOpen ? colour["revealed-line"] : colour.grid, isOpen ? 0.42 : 0.16);
    pen.shadowBlur = 0;
    const [row, column] = spots[Math.floor((spots.length - 1) / 2)];
    Object.assign(pen, { fillStyle: colour.text, font: `${isOpen ? 700 : 400} 3.4px ${colour.sans}` });
    pen.fillText(label, (column + 0.5) * UNIT, (row + 0.5) * UNIT, 9);
  };
  puzzle.cells.forEach(({ label }, number) => label === null && draw(path(positionsOf(puzzle, [number]), 0.1, 0.03), colour.board, colour.grid, 0.16));
  for (const [label, cells] of Object.entries(puzzle.labels)) drawLabel(formatLabel(puzzle, label), cells, false);
  const colours = new Map(puzzle.pieces.map((piece) => [piece.name, piece.colour]));
  for (const { piece, cells } of withPieces ? game.placed : []) {
    draw(path(positionsOf(puzzle, cells), 0.14, 0.015), colours.get(piece) ?? "gray", "rgb(0 0 0 / .45)", 0.3);
  }
  for (const label of reveal) { // in their glow, above the pieces
    if (withPieces) Object.assign(pen, { shadowColor: colour.glow, shadowBlur: cell / 3 });
    drawLabel(formatLabel(puzzle, label), puzzle.labels[label], true);
  }
}
