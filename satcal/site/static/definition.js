// A drawing as the text of a puzzle file, what is wrong with it, and a puzzle as a drawing.
import { key, size } from "./geometry.js";
import "./sentences-served.js";
import { say } from "./words.js";

/** @import { Spot } from "./geometry.js" */
/** @typedef {{name: string, copies: number, cells: Spot[], flip?: boolean}} Drawn
 * @typedef {{name: string, board: (string | null)[][], pieces: Drawn[]}} Drawing
 * rows of "" (a cell), null (none) or a label */

/** @type {Record<string, string[]>} */
const DATES = {
  weekday: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  day: Array.from({ length: 31 }, (_, number) => String(number + 1)),
};

/** What is wrong with each piece, "" where nothing is. @param {Drawn[]} pieces */
export const complaints = (pieces) => pieces.map(({ name, cells }, number) => {
  if (!/^[A-Za-z][0-9]*$/.test(name)) return say("make-wrong-name");
  if (pieces.findIndex((other) => other.name === name) < number) return say("make-wrong-twice");
  return cells.length ? "" : say("make-wrong-empty");
});

/** @param {Drawing} drawing */
export function write({ name, board, pieces }) {
  const wide = Math.max(...board.flat().map((label) => (label ?? "").length), 1);
  const drawn = board.map((row) => row.map((label) => (label === null ? "." : label || "*").padEnd(wide)).join(" ").trimEnd());
  const rows = drawn.map((row) => JSON.stringify(row).slice(1, -1)); // a label may be a quote, or a backslash
  const labels = [...new Set(board.flat().flatMap((label) => label || []))];
  const dated = new Set(Object.values(DATES).flat());
  const groups = { ...DATES, label: labels.filter((label) => !dated.has(label)) }; // in the calendar's order, or the board's
  const lines = Object.entries(groups).map(([group, known]) => [group, known.filter((label) => labels.includes(label))])
    .filter(([, found]) => found.length).map(([group, found]) => `${group} = ${JSON.stringify(found)}`);
  const shapes = pieces.map((piece) => `${piece.name} = { shape = """\n${shape(piece.cells)}\n""", `
    + `copies = ${piece.copies}, flip = ${piece.flip ?? true} }`);
  return [`name = ${JSON.stringify(name)}`, 'board = """', ...rows, '"""', "[categories]", ...lines, "[pieces]", ...shapes, ""].join("\n");
}

/** @param {Spot[]} cells */
function shape(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const inside = new Set(cells.map(([r, c]) => key([r - top, c - left])));
  const [high, wide] = size(cells.map(([r, c]) => [r - top, c - left]));
  return Array.from({ length: high }, (_, r) => Array.from({ length: wide }, (_unused, c) => (inside.has(key([r, c])) ? "#" : ".")).join("")).join("\n");
}

/** @param {any} puzzle as the API describes it @returns {Drawing} */
export function drawingOf({ name, rows, columns, board, labels, piece_set }) {
  const drawn = Array.from({ length: rows }, () => Array(columns).fill(null));
  for (const [row, column] of board) drawn[row][column] = "";
  for (const { text, cells } of labels) for (const [row, column] of cells) drawn[row][column] = text;
  const pieces = piece_set.map((/** @type {any} */ piece) => ({ ...piece, cells: piece.orientations[0], orientations: undefined }));
  return { name: `my-${name}`, board: drawn, pieces };
}
