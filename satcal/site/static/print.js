// One sheet of paper to play on: board, pieces to cut out, and the date.
import { byId, createElement, outline, createSvg, UNIT } from "./geometry.js";
import { drawBoard } from "./board-view.js";

/** @import { Page } from "./app.js" */

const [WIDE, HIGH] = [186, 226]; // millimetres of A4 and of Letter, without the date
const GAP = 0.4; // of a cell

/** @param {Page} page */
export function fillPrintSheet({ current }) {
  const { puzzle, reveal, heading } = current();
  const board = drawBoard(puzzle, reveal);
  const shapes = puzzle.pieces.flatMap(({ copies, orientations, name }) => Array.from({ length: copies }, () => ({ name, shape: widest(orientations) })));
  const { scale, spots } = packSheet(puzzle.rows, puzzle.columns, shapes.map(({ shape }) => sizeOf(shape)));
  const cell = UNIT;
  const drawn = createSvg("svg", { viewBox: `0 0 ${(WIDE / scale) * cell} ${(HIGH / scale) * cell}`, class: "sheet-of-paper" });
  const left = (WIDE / scale - puzzle.columns) / 2;
  const inside = createSvg("g", { transform: `translate(${left * cell} ${0.4 * cell})` }, ...board.children);
  drawn.append(inside);
  shapes.forEach(({ shape, name }, number) => {
    const [x, y] = spots[number];
    drawn.append(createSvg("g", { transform: `translate(${x * cell} ${y * cell})`, class: "paper-piece" },
      createSvg("path", { d: outline(shape), fill: "none", stroke: "#000", "stroke-width": 0.35 }),
      createSvg("text", { x: (shape[0][1] + 0.5) * cell, y: (shape[0][0] + 0.5) * cell, "font-size": 3, "text-anchor": "middle", "dominant-baseline": "central" },
        document.createTextNode(name))));
  });
  byId("paper").replaceChildren(createElement("h1", { textContent: heading || puzzle.title }), drawn);
}

/** @param {[number, number][]} shape */
const sizeOf = (shape) => [0, 1].map((axis) => 1 + Math.max(...shape.map((cell) => cell[axis])));
/** Return the widest orientation. @param {[number, number][][]} orientations */
const widest = (orientations) => orientations.reduce((one, other) => (sizeOf(other)[1] > sizeOf(one)[1] ? other : one));

/** Return the largest scale (millimetres a cell) at which board and rows of pieces fit, and the spots of pieces, in cells.
 * @param {number} rows @param {number} columns @param {number[][]} sizes */
function packSheet(rows, columns, sizes) {
  for (let scale = 24; ; scale -= 0.5) {
    const [width, high] = [WIDE / scale, HIGH / scale];
    /** @type {[number, number][]} */
    const spots = [];
    let [x, y, tallest] = [0.2, rows + 1.2, 0];
    for (const number of sizes.keys()) {
      const [tall, broad] = sizes[number];
      if (x + broad > width - 0.2) [x, y, tallest] = [0.2, y + tallest + GAP, 0];
      spots.push([x, y]);
      x += broad + GAP;
      tallest = Math.max(tallest, tall);
    }
    if ((y + tallest < high - 0.2 && columns + 1 <= width) || scale < 3) return { scale, spots };
  }
}
