// Converts a drawing to the text of a puzzle file and a puzzle to a drawing, and checks pieces.
import { key, sizeOf } from "./geometry.js";
import "./served-sentences.js";
import { translate } from "./i18n.js";

/** @import { Spot } from "./geometry.js" */
/** @typedef {{name: string, copies: number, cells: Spot[], flip?: boolean}} Drawn
 * @typedef {{name: string, board: (string | null)[][], pieces: Drawn[], categories?: Record<string, string[]>}} Drawing
 * rows of "" (a cell), null (none) or a label; the categories of the puzzle that was drawn first */

/** @type {Record<string, string[]>} */
const DATES = {
  weekday: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  day: Array.from({ length: 31 }, (_, number) => String(number + 1)),
};

/** Return what is wrong with each piece, or "". @param {Drawn[]} pieces */
export const complaints = (pieces) => pieces.map(({ name, cells }, number) => {
  if (!/^[A-Za-z][0-9]*$/.test(name)) return translate("make-wrong-name");
  if (pieces.findIndex((other) => other.name === name) < number) return translate("make-wrong-twice");
  return cells.length ? "" : translate("make-wrong-empty");
});

/** @param {Drawing} drawing */
export function formatDefinition({ name, board, pieces, categories = {} }) {
  const width = Math.max(...board.flat().map((label) => (label ?? "").length), 1);
  const drawn = board.map((row) => row.map((label) => (label === null ? "." : label || "*").padEnd(width)).join(" ").trimEnd());
  const rows = drawn.map((row) => JSON.stringify(row).slice(1, -1)); // a label may be a quote or a backslash
  const labels = [...new Set(board.flat().flatMap((label) => label || []))];
  const rest = new Set(labels);
  /** @type {Record<string, string[]>} in the order of the puzzle, of the calendar or the board */
  const groups = {};
  // a label keeps its category, whatever it says in English
  for (const [group, known] of [...Object.entries(categories), ...Object.entries(DATES), /** @type {const} */ (["label", labels])]) {
    for (const label of known) if (rest.delete(label)) (groups[group] ??= []).push(label);
  }
  const lines = Object.entries(groups).map(([group, found]) => `${/^[\w-]+$/.test(group) ? group : JSON.stringify(group)} = ${JSON.stringify(found)}`);
  const shapes = pieces.map((piece) => `${piece.name} = { shape = """\n${drawShape(piece.cells)}\n""", `
    + `copies = ${piece.copies}, flip = ${piece.flip ?? true} }`);
  return [`name = ${JSON.stringify(name)}`, 'board = """', ...rows, '"""', "[categories]", ...lines, "[pieces]", ...shapes, ""].join("\n");
}

/** @param {Spot[]} cells */
function drawShape(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const inside = new Set(cells.map(([r, c]) => key([r - top, c - left])));
  const [high, wide] = sizeOf(cells.map(([r, c]) => [r - top, c - left]));
  return Array.from({ length: high }, (_, r) => Array.from({ length: wide }, (_unused, c) => (inside.has(key([r, c])) ? "#" : ".")).join("")).join("\n");
}

/** @param {any} puzzle as the API describes it @returns {Drawing} */
export function drawingOf({ name, rows, columns, board, labels, piece_set, categories }) {
  const drawn = Array.from({ length: rows }, () => Array(columns).fill(null));
  for (const [row, column] of board) drawn[row][column] = "";
  for (const { text, cells } of labels) for (const [row, column] of cells) drawn[row][column] = text;
  const pieces = piece_set.map((/** @type {any} */ piece) => ({ ...piece, cells: piece.orientations[0], orientations: undefined }));
  return { name: `my-${name}`, board: drawn, pieces, categories };
}
