// Answers the vectors as the page does; puzzles are those of an edition. See test_shared.py.
import { readFileSync } from "node:fs";
import { expand, problemOf, sliceOf } from "../../satcal/site/static/diagram.js";
import { outline, UNIT } from "../../satcal/site/static/geometry.js";
import { parseWrittenDate } from "../../satcal/site/static/parse-date.js";
import { answer } from "../../satcal/site/static/questions.js";
import { openOptions, trim } from "../../satcal/site/static/tilings.js";

const { puzzles, today } = JSON.parse(readFileSync(0, "utf8"));
const vectors = (/** @type {string} */ name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

const diagrams = {};
function diagramOf(board, reveal) {
  const found = diagrams[[board, ...reveal]] ??= reveal.length ? sliceOf(puzzles[board], reveal) : expand(problemOf(puzzles[board], null), () => true);
  return trim(found, openOptions(found, []));
}

const cellName = ({ row, column }) => `r${row}c${column}`;

function ask({ board, reveal, place }, more) {
  const puzzle = puzzles[board];
  const names = puzzle.cells.map(cellName);
  const placed = place.map((text) => {
    const [piece, cells] = text.split(":");
    return { piece, cells: cells.split(",").map((name) => names.indexOf(name)) };
  });
  const write = ({ piece, cells }) => `${piece}:${cells.map((cell) => names[cell]).join()}`;
  return { write, names, ...answer(puzzle, diagramOf(board, reveal), { reveal, placed, ...more(placed) }) };
}

const hints = vectors("hints").map((row) => {
  const { write, names, count, hint, cell, blame = [] } = ask(row, () => ({ want: "hint" }));
  return {
    ...row, tilings: Number(count), cell: names[cell] ?? null, next: hint ? write(hint) : null,
    blame: blame.map(({ pieces, count: tilings }) => ({ place: pieces.map(write), tilings: Number(tilings) })),
  };
});

const ranks = vectors("ranks").map((row) => {
  const { write, tilings: [tiling] } = ask(row, () => ({ want: "tilings", from: row.rank }));
  const { rank } = ask(row, () => ({ want: "rank", whole: tiling }));
  return { ...row, rank: Number(rank), tiling: tiling.map(write) };
});

const dates = vectors("dates").map(([text]) => [text, parseWrittenDate(text, today) || null]);

const outlines = vectors("outlines").map(({ cells }) => {
  const loops = outline(cells).split("Z").filter(Boolean)
    .map((loop) => loop.slice(1).split("L").map((point) => point.split(" ").map((value) => Number(value) / UNIT)));
  return { cells, loops };
});

console.log(JSON.stringify({ hints, ranks, dates, outlines }));
