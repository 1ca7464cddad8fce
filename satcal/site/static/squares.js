// A board in squares of text: a colour for each piece, another than its neighbours'.

/** @import { Game } from "./game.js" @import { Puzzle } from "./types.js" */

/** @type {Record<string, string>} the squares that messengers have, but for black and white */
const SQUARES = { "🟦": "#55acee", "🟥": "#dd2e44", "🟧": "#f4900c", "🟨": "#fdcb58", "🟩": "#78b159", "🟪": "#aa8ed6", "🟫": "#c1694f" };

/** @param {string} one @param {string} other */
const distance = (one, other) => [1, 3, 5].reduce((sum, at) => sum + (parseInt(one.slice(at, at + 2), 16) - parseInt(other.slice(at, at + 2), 16)) ** 2, 0);

/** Return the rows of the board as squares. @param {Pick<Game, "puzzle" | "placed">} game */
export function squareGrid({ puzzle, placed }) {
  const squares = chooseSquares(puzzle, placed);
  const rows = Array.from({ length: puzzle.rows }, () => Array(puzzle.columns).fill("\u3000"));
  puzzle.cells.forEach(({ row, column }) => { rows[row][column] = "⬜"; });
  placed.forEach(({ cells }, number) => cells.forEach((cell) => { rows[puzzle.cells[cell].row][puzzle.cells[cell].column] = squares[number]; }));
  return rows.map((row) => row.join("").trimEnd());
}

/** Choose a square for each piece, the nearest in colour that no neighbour has. The graph of neighbours is planar: if those
 * with the fewest neighbours come last, at most five of each piece's have their square before it, and there are seven.
 * @param {Puzzle} puzzle @param {Game["placed"]} placed */
function chooseSquares(puzzle, placed) {
  const near = placed.map((one) => new Set(placed.flatMap((other, number) => (other !== one && touch(puzzle, one.cells, other.cells) ? [number] : []))));
  const left = new Set(placed.keys());
  const last = [];
  while (left.size) {
    const degree = (/** @type {number} */ number) => [...near[number]].filter((each) => left.has(each)).length;
    const least = [...left].reduce((one, other) => (degree(other) < degree(one) ? other : one));
    left.delete(least);
    last.push(least);
  }
  /** @type {string[]} */
  const chosen = [];
  for (const number of last.reverse()) {
    const colour = puzzle.pieces.find(({ name }) => name === placed[number].piece)?.colour ?? "#808080";
    const order = Object.keys(SQUARES).sort((one, other) => distance(SQUARES[one], colour) - distance(SQUARES[other], colour));
    chosen[number] = order.find((square) => ![...near[number]].some((each) => chosen[each] === square)) ?? order[0];
  }
  return chosen;
}

/** @param {Puzzle} puzzle @param {number[]} one @param {number[]} other cells */
const touch = ({ cells }, one, other) => one.some((a) => other.some((b) => Math.abs(cells[a].row - cells[b].row) + Math.abs(cells[a].column - cells[b].column) === 1));
