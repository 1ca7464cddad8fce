// One sheet of paper to play on: board, pieces to cut out, and the date.
import { byId, createElement, outline, createSvg, sizeOf, sortCells, UNIT } from "./geometry.js";
import { drawBoard, positionsOf } from "./board-view.js";
import { addSentences, addressOf, formatLabels, translate } from "./i18n.js";

await addSentences("more");

/** @import { Page } from "./types-page.js" @import { Placement, Puzzle } from "./types.js" */

const [WIDE, HIGH] = [186, 226]; // millimetres of A4 and of Letter, without the words
const GAP = 0.4; // of a cell

/** Keep a sheet of the position for the printer. @param {Page} page */
export function preparePrintSheet({ current }) {
  const fill = () => {
    const { name, puzzle, reveal, date, dateParam, heading, game } = current();
    const rule = reveal.length ? translate("start", { labels: formatLabels(puzzle, reveal) }) : translate("start-plain");
    // that of the game: the window's may be one that means nothing
    const address = location.protocol.startsWith("http") ? location.host + location.pathname.replace(/index\.html$/, "") + decodeURI(addressOf(name, date ?? dateParam)) : "";
    const placed = current().puzzle === game.puzzle ? game.placed : []; // not on a board that lies on its side
    fillPaper(puzzle, reveal, placed, heading || puzzle.title, () => [heading && puzzle.title, rule].filter(Boolean).join(" · "), address);
  };
  onbeforeprint = fill;
  fill();
}

/** Draw board and pieces on a sheet. @param {Puzzle} puzzle @param {string[]} reveal @param {Placement[]} placed @param {string} title
 * @param {(scale: number) => string} describe returns what stands above, for a scale in millimetres a cell @param {string} [below] */
export function fillPaper(puzzle, reveal, placed, title, describe, below = "") {
  const board = drawBoard(puzzle, reveal);
  for (const { piece, cells } of placed) {
    const spots = positionsOf(puzzle, cells);
    board.append(createSvg("path", { d: outline(spots, 0.1, 0.04), class: "paper-laid" }), drawName(sortCells(spots)[0], piece));
  }
  const left = new Map(puzzle.pieces.map(({ name, copies }) => [name, copies - placed.filter(({ piece }) => piece === name).length]));
  const shapes = puzzle.pieces.flatMap(({ orientations, name }) => Array.from({ length: left.get(name) ?? 0 }, () => ({ name, shape: widest(orientations) })));
  const { scale, spots, isBeside } = packSheet(puzzle.rows, puzzle.columns, shapes.map(({ shape }) => sizeOf(shape)));
  const cell = UNIT;
  const drawn = createSvg("svg", { viewBox: `0 0 ${(WIDE / scale) * cell} ${(HIGH / scale) * cell}`, class: "sheet-of-paper" });
  const margin = isBeside ? 0.5 : (WIDE / scale - puzzle.columns) / 2;
  drawn.append(createSvg("g", { transform: `translate(${margin * cell} ${0.4 * cell})` }, ...board.children));
  shapes.forEach(({ shape, name }, number) => {
    const [x, y] = spots[number];
    drawn.append(createSvg("g", { transform: `translate(${x * cell} ${y * cell})`, class: "paper-piece" },
      createSvg("path", { d: outline(shape), fill: "none", stroke: "#000", "stroke-width": 0.35 }),
      drawName(shape[0], name)));
  });
  byId("paper").replaceChildren(createElement("h1", { textContent: title }), createElement("p", { textContent: describe(scale) }), drawn, createElement("p", { textContent: below }));
}

/** @param {[number, number]} cell @param {string} name */
const drawName = ([row, column], name) => createSvg(
  "text", { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT, "font-size": 3, "text-anchor": "middle", "dominant-baseline": "central" }, document.createTextNode(name));

/** Return the widest orientation. @param {[number, number][][]} orientations */
const widest = (orientations) => orientations.reduce((one, other) => (sizeOf(other)[1] > sizeOf(one)[1] ? other : one));

/** Return the largest scale (millimetres a cell) at which the board, and the pieces in rows beside and below it, fit; the spots of
 * the pieces, in cells, and whether some are beside the board. @param {number} rows @param {number} columns @param {number[][]} sizes */
export function packSheet(rows, columns, sizes) {
  const order = [...sizes.keys()].sort((one, other) => sizes[other][0] - sizes[one][0] || one - other); // the tallest first
  for (let scale = 24; ; scale -= 0.5) {
    const [width, high] = [WIDE / scale, HIGH / scale];
    /** @type {[number, number][]} */
    const spots = [];
    /** @type {[number, number][]} the next spot of each row */
    const lines = [];
    let [beside, below] = [0.4, rows + 1.2];
    for (const number of order) {
      const [tall, broad] = sizes[number];
      let line = lines.find(([x]) => x + broad <= width - 0.2);
      if (!line && columns + 1.4 + broad <= width && beside + tall <= rows + 0.8) {
        line = [columns + 1.2, beside];
        beside += tall + GAP;
        lines.push(line);
      } else if (!line) {
        line = [0.2, below];
        below += tall + GAP;
        lines.push(line);
      }
      spots[number] = [line[0], line[1]];
      line[0] += broad + GAP;
    }
    if ((below - GAP < high - 0.2 && columns + 1 <= width) || scale < 3) return { scale, spots, isBeside: beside > 0.4 };
  }
}
