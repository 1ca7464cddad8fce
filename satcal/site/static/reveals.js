// The tilings of all reveals at once.
import { Listed } from "./questions.js";
import { allowed, trim } from "./tilings.js";

/** @typedef {import("./types.js").Placement} Placement
 * @typedef {import("./types.js").Puzzle} Puzzle
 * @typedef {import("./diagram.js").Diagram} Diagram */

/** The tilings of all reveals that contain what is placed: the diagram is cut down to one label after
 * the other, and those of the last category are counted together, as the options that they are.
 * @param {Puzzle} puzzle
 * @param {Diagram} whole that of all reveals
 * @param {Placement[]} placed
 * @returns {bigint[]} by reveal, the last category varying fastest */
export function countReveals(puzzle, whole, placed) {
  const options = whole.problem.options, last = puzzle.categories.length - 1;
  const places = puzzle.categories.map(({ labels }) =>
    labels.map((label) => options.findIndex((option) => option.label === label)));
  const opens = places.slice(0, last).map((own, category) => own.map((place) => {
    const item = puzzle.pieces.length + category;
    return Uint8Array.from(options, (option, number) => Number(option.item !== item || number === place));
  }));
  /** @type {bigint[]} */
  const counts = [];
  /** @type {(part: Diagram, depth: number) => void} */
  const visit = (part, depth) => {
    if (depth < last) return opens[depth].forEach((open) => visit(trim(part, open), depth + 1));
    const through = new Listed(part, []).through();
    for (const place of places[last]) counts.push(BigInt(through[place]));
  };
  visit(trim(whole, allowed(whole, placed)), 0);
  return counts;
}
