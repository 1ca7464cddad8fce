// The list of free cells, row by row, for screen readers.
import { byId, createElement } from "./geometry.js";
import { addSentences, formatLabel, formatLabels, translate } from "./i18n.js";

await addSentences("more");

/** @param {import("./types-page.js").Session} current */
export function listFreeCells({ game: { puzzle, placed }, reveal }) {
  const taken = new Set([...placed.flatMap(({ cells }) => cells), ...reveal.flatMap((label) => puzzle.labels[label])]);
  const name = (/** @type {import("./types.js").Cell} */ { label, column }) => translate(label === null ? "free-cell-plain" : "free-cell", { label: formatLabel(puzzle, label ?? ""), column: column + 1 });
  const rows = Array.from({ length: puzzle.rows }, (_, row) => puzzle.cells.filter((cell, number) => cell.row === row && !taken.has(number)).map(name));
  const lines = rows.flatMap((cells, row) => (cells.length ? [translate("free-row", { row: row + 1, cells: cells.join(", ") })] : []));
  if (!lines.length) lines.push(translate("free-none"));
  if (reveal.length) lines.push(translate("free-left-open", { labels: formatLabels(puzzle, reveal) }));
  byId("free").replaceChildren(...lines.map((textContent) => createElement("li", { textContent })));
}
