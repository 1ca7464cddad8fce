// Whether reveals have a tiling, one after the other: a search that gives up early. And why one has none, where that is plain.
import { placements, problemOf } from "./diagram.js";
import { connectedParts } from "./shapes.js";

/** @import { Puzzle } from "./types.js" @import { Problem } from "./diagram.js" @import { Spot } from "./geometry.js" */

const MOST_STEPS = 30_000; // of the search for one reveal

/** Report for each reveal whether it has a tiling; null if the search was given up.
 * @param {Puzzle} puzzle @param {string[][]} reveals @param {(number: number, isSolvable: boolean | null) => void} report */
export function findSolvable(puzzle, reveals, report) {
  const problem = problemOf(puzzle, null);
  const numberOf = new Map(problem.options.flatMap(({ label }, number) => (label === null ? [] : [[label, number]])));
  reveals.forEach((reveal, number) => report(number, hasTiling(problem, reveal.map((label) => numberOf.get(label) ?? -1))));
}

/** @param {Problem} problem @param {number[]} labels the options that are used @returns {boolean | null} */
function hasTiling({ size, width, start, end, masks, steps, layers }, labels) {
  let left = MOST_STEPS;
  const isFree = (/** @type {Int32Array} */ state, /** @type {number} */ rank) => !(state[rank >> 5] >>> (rank & 31) & 1);
  /** @type {(state: Int32Array, rank: number) => boolean | null} */
  const search = (state, rank) => {
    while (rank < size && !isFree(state, rank)) rank += 1;
    if (rank === size) return state.every((bits, word) => bits === end[word]);
    left -= 1;
    for (const option of layers[rank]) {
      const at = option * width;
      let word = 0;
      while (word < width && !(state[word] & masks[at + word])) word += 1;
      if (word < width) continue;
      if (left < 0) return null;
      const found = search(state.map((bits, each) => bits + steps[at + each]), rank + 1);
      if (found !== false) return found;
    }
    return false;
  };
  return search(start.map((bits, word) => labels.reduce((sum, option) => sum + steps[option * width + word], bits)), 0);
}

/** Return the cells that explain why a reveal has no tiling: one that no piece can cover, or a part of the board to whose size
 * no pieces add up; null if there is no such explanation. @param {Puzzle} puzzle @param {string[]} reveal @returns {number[] | null} */
export function explainNone(puzzle, reveal) {
  const { cells, pieces, labels } = puzzle;
  const open = new Set(reveal.flatMap((label) => labels[label]));
  const covered = new Set(placements(puzzle).flatMap((placement) => (placement.cells.some((cell) => open.has(cell)) ? [] : placement.cells)));
  const alone = cells.findIndex((_, number) => !open.has(number) && !covered.has(number));
  if (alone >= 0) return [alone];
  const sums = new Set([0]);
  for (const { copies, orientations } of pieces) for (let copy = 0; copy < copies; copy += 1) for (const sum of [...sums]) sums.add(sum + orientations[0].length);
  const spots = cells.map(({ row, column }) => /** @type {Spot} */ ([row, column]));
  const part = connectedParts(spots.filter((_, number) => !open.has(number))).find((each) => !sums.has(each.length));
  return part ? part.map((spot) => spots.indexOf(spot)) : null;
}
