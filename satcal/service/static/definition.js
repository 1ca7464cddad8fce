// A drawing as the text of a puzzle file, and the description of a puzzle as a drawing.
import { key, normal, size } from "./geometry.js";

export const SIDE = 5; // of the field in which a piece is drawn
const DATES = {
  weekday: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  day: Array.from({ length: 31 }, (_, number) => String(number + 1)),
};

const quoted = (text) => JSON.stringify(text);

// drawing: { name, board: rows of "" (a cell), null (none) or a label, pieces: [{ name, copies, cells }] }
export function write(drawing) {
  const wide = Math.max(1, ...drawing.board.flat().map((label) => (label ?? "").length));
  const lines = drawing.board.map((row) => row.map(
    (label) => (label === null ? "." : label || "*").padEnd(wide)).join(" ").trimEnd());
  const groups = categories(drawing.board.flat().filter(Boolean));
  const pieces = drawing.pieces.map((piece) => {
    const cells = normal(piece.cells);
    const [high, broad] = size(cells);
    const inside = new Set(cells.map(key));
    const rows = Array.from({ length: high }, (_, row) => Array.from({ length: broad },
      (_unused, column) => (inside.has(key([row, column])) ? "#" : ".")).join(""));
    const shape = `"""\n${rows.join("\n")}\n"""`;
    return `${piece.name} = { shape = ${shape}, copies = ${piece.copies}, flip = ${piece.flip ?? true} }`;
  });
  return [
    `name = ${quoted(drawing.name)}`, `board = """`, ...lines, `"""`, "", "[categories]",
    ...Object.entries(groups).map(([name, labels]) => `${name} = [${labels.map(quoted).join(", ")}]`),
    "", "[pieces]", ...pieces, "",
  ].join("\n");
}

// Labels by group, each in the order of the calendar or of the board.
function categories(labels) {
  const groups = {};
  for (const [name, known] of Object.entries(DATES)) {
    const found = known.filter((label) => labels.includes(label));
    if (found.length) groups[name] = found;
  }
  const others = labels.filter((label) => !Object.values(DATES).flat().includes(label));
  if (others.length) groups.label = [...new Set(others)];
  return groups;
}

export function drawingOf(puzzle) {
  const board = Array.from({ length: puzzle.rows }, () => Array(puzzle.columns).fill(null));
  for (const [row, column] of puzzle.board) board[row][column] = "";
  for (const label of puzzle.labels) for (const [row, column] of label.cells) board[row][column] = label.text;
  const pieces = puzzle.piece_set.map((piece) => ({
    name: piece.name, copies: piece.copies, flip: piece.flip, cells: piece.orientations[0] }));
  return { name: `my-${puzzle.name}`, board, pieces };
}
