// A drawing as the text of a puzzle file, what is wrong with it, and a puzzle as a drawing.
import { key, size, sorted } from "./geometry.js";

/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {{name: string, copies: number, cells: Spot[], flip?: boolean}} Drawn */
/** @typedef {{name: string, board: (string | null)[][], pieces: Drawn[]}} Drawing
 * rows of "" (a cell), null (none) or a label */

export const SIDE = 5; // of the field in which a piece is drawn
/** @type {Record<string, string[]>} */
const DATES = {
  weekday: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  day: Array.from({ length: 31 }, (_, number) => String(number + 1)),
};

/** What is wrong with each piece, "" where nothing is. @param {Drawn[]} pieces */
export const complaints = (pieces) => pieces.map(({ name, cells }, number) => {
  if (!/^[A-Za-z][0-9]*$/.test(name)) return "A name is a letter, and digits if you like.";
  if (pieces.findIndex((other) => other.name === name) < number) return "There is a piece of this name.";
  return cells.length ? "" : "It has no squares.";
});

/** @param {Spot[]} cells as the rows of a drawing */
function rows(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const shape = sorted(cells.map(([r, c]) => [r - top, c - left]));
  const inside = new Set(shape.map(key));
  const [high, wide] = size(shape);
  return Array.from({ length: high }, (_, r) => Array.from({ length: wide }, (_unused, c) => (inside.has(key([r, c])) ? "#" : ".")).join(""));
}

/** @param {Drawing} drawing */
export function write({ name, board, pieces }) {
  const quoted = JSON.stringify;
  const wide = Math.max(1, ...board.flat().map((label) => (label ?? "").length));
  const lines = board.map((row) => row.map(
    (label) => (label === null ? "." : label || "*").padEnd(wide)).join(" ").trimEnd());
  const groups = categories(/** @type {string[]} */ (board.flat().filter(Boolean)));
  return [
    `name = ${quoted(name)}`, `board = """`, ...lines, `"""`, "", "[categories]",
    ...Object.entries(groups).map(([group, labels]) => `${group} = [${labels.map((label) => quoted(label)).join(", ")}]`),
    "", "[pieces]", ...pieces.map((piece) => `${piece.name} = { shape = """\n${rows(piece.cells).join("\n")}\n""", `
      + `copies = ${piece.copies}, flip = ${piece.flip ?? true} }`), "",
  ].join("\n");
}

/** Labels by group, each in the order of the calendar or of the board. @param {string[]} labels */
function categories(labels) {
  /** @type {Record<string, string[]>} */
  const groups = {};
  for (const [name, known] of Object.entries(DATES)) {
    const found = known.filter((label) => labels.includes(label));
    if (found.length) groups[name] = found;
  }
  const others = labels.filter((label) => !Object.values(DATES).flat().includes(label));
  if (others.length) groups.label = [...new Set(others)];
  return groups;
}

/** @param {any} puzzle as the API describes it @returns {Drawing} */
export function drawingOf(puzzle) {
  const board = Array.from({ length: puzzle.rows }, () => Array(puzzle.columns).fill(null));
  for (const [row, column] of puzzle.board) board[row][column] = "";
  for (const { text, cells } of puzzle.labels) for (const [row, column] of cells) board[row][column] = text;
  const pieces = puzzle.piece_set.map((/** @type {any} */ { name, copies, flip, orientations }) => ({
    name, copies, flip, cells: orientations[0] }));
  return { name: `my-${puzzle.name}`, board, pieces };
}
