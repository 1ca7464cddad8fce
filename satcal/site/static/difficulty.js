// How hard a date is: `guesses` of docs/explanation/difficulty.md, by the definition of satcal's own measure.
import { Listed } from "./questions.js";

/** @typedef {import("./types.js").Puzzle} Puzzle @typedef {import("./diagram.js").Diagram} Diagram */

const SAMPLE = 250; // tilings that are examined, evenly chosen
const MOST_PIECES = 14; // each set of a tiling's placements is looked at

/** The fewest placements of a tiling after which all others follow one by one, each as the only one
 * left for a cell or for a piece: the mean over the tilings; null if there is none, or too many pieces.
 * @param {Puzzle} puzzle @param {Diagram} diagram of a reveal @param {string[]} reveal @returns {number | null} */
export function guesses(puzzle, diagram, reveal) {
  const tilings = new Listed(diagram, []);
  const { problem: { options } } = diagram;
  if (!tilings.count || puzzle.pieces.reduce((sum, piece) => sum + piece.copies, 0) > MOST_PIECES) return null;
  const left = new Set(reveal.flatMap((label) => puzzle.labels[label]));
  const open = options.filter(({ cells, label }) => label === null && cells.every((cell) => !left.has(cell)));
  const size = Math.min(SAMPLE, Number(tilings.count));
  let sum = 0;
  for (let n = 0; n < size; n += 1) sum += fewest(open, tilings.kth((BigInt(n) * tilings.count) / BigInt(size)), puzzle);
  return sum / size;
}

/** The size of the smallest set of a tiling's placements from which the rest follows.
 * @param {import("./diagram.js").Option[]} options @param {import("./types.js").Placement[]} tiling @param {Puzzle} puzzle */
function fewest(options, tiling, puzzle) {
  const everything = (1 << tiling.length) - 1;
  const names = puzzle.pieces.map((piece) => piece.name);
  const owner = new Int32Array(puzzle.cells.length).fill(-1); // of each cell: which placement
  tiling.forEach(({ cells }, number) => cells.forEach((cell) => { owner[cell] = number; }));
  const own = new Set(tiling.map(({ piece, cells }) => `${piece}:${[...cells].sort((a, b) => a - b)}`));
  const words = Math.ceil(puzzle.cells.length / 31) + 1; // the last one is of pieces
  const left = Array.from({ length: words }, () => new Int32Array(everything + 1));
  for (const { piece, cells } of options) { // a set rules it out if it meets one of `needed`
    if (own.has(`${piece}:${[...cells].sort((a, b) => a - b)}`)) continue;
    const overlaps = cells.reduce((set, cell) => set | (1 << owner[cell]), 0);
    tiling.forEach((other, copy) => {
      if (other.piece !== piece) return;
      const needed = overlaps | (1 << copy);
      for (const cell of cells) left[Math.floor(cell / 31)][needed] |= 1 << (cell % 31);
      left[words - 1][needed] |= 1 << names.indexOf(piece);
    });
  }
  for (const bits of left) {
    for (let n = 0; n < tiling.length; n += 1) {
      for (let set = 0; set <= everything; set += 1) if ((set >> n) & 1) bits[set] |= bits[set ^ (1 << n)];
    }
  }
  const decided = (/** @type {number} */ number, /** @type {number} */ set) => {
    const rest = everything ^ set; // what is needed lies within it: nothing of it is met
    const { piece, cells } = tiling[number];
    return !((left[words - 1][rest] >> names.indexOf(piece)) & 1)
      || cells.some((cell) => !((left[Math.floor(cell / 31)][rest] >> (cell % 31)) & 1));
  };
  let best = tiling.length;
  for (let start = 0; start <= everything; start += 1) {
    const size = ones(start);
    if (size >= best) continue;
    for (let set = start, next; ; set = next) {
      next = tiling.reduce((all, _, number) => ((set >> number) & 1 || decided(number, set) ? all | (1 << number) : all), 0);
      if (next === everything) { best = size; break; }
      if (next === set) break;
    }
  }
  return best;
}

/** @param {number} set */
function ones(set) {
  let number = 0;
  for (let rest = set; rest; rest &= rest - 1) number += 1;
  return number;
}
