// The free cells row by row, for those who cannot see them.
import { at, element } from "./geometry.js";
import "./more-sentences.js";
import { labelInWords, labelsInWords, say } from "./words.js";

/** @param {import("./app.js").Current} current */
export function listFree({ game: { puzzle, placed }, reveal }) {
  const taken = new Set([...placed.flatMap(({ cells }) => cells), ...reveal.flatMap((label) => puzzle.labels[label])]);
  const name = (/** @type {import("./types.js").Cell} */ { label, column }) => say(label === null ? "free-cell-plain" : "free-cell", { label: labelInWords(label ?? ""), column: column + 1 });
  const rows = Array.from({ length: puzzle.rows }, (_, row) => puzzle.cells.filter((cell, number) => cell.row === row && !taken.has(number)).map(name));
  const lines = rows.flatMap((cells, row) => (cells.length ? [say("free-row", { row: row + 1, cells: cells.join(", ") })] : []));
  if (!lines.length) lines.push(say("free-none"));
  if (reveal.length) lines.push(say("free-left-open", { labels: labelsInWords(reveal) }));
  at("free").replaceChildren(...lines.map((textContent) => element("li", { textContent })));
}
