// A thread that counts for one puzzle, one task after the other.
import { sliceOf, unpack } from "./diagram.js";
import { Tilings, openOptions, trim } from "./tilings.js";

/** @import { Placement, Puzzle, Question } from "./types.js" @import { Diagram } from "./diagram.js" */

/** @type {Puzzle} */
let puzzle;
/** @type {Diagram} */
let whole;
/** @type {Map<string, Diagram>} */
const slices = new Map();
const SLICES = 8; // cached diagrams of reveals

/** @type {Record<string, (value: any) => any>} */
const tasks = {
  open(/** @type {Puzzle} */ opened) { puzzle = opened; },
  async ask(/** @type {Question} */ question) {
    const diagram = diagramFor(question.reveal), { placed, want } = question;
    const { count } = new Tilings(diagram, placed);
    if (count && !want) return { count };
    const { answer } = await import("./questions.js");
    return answer(puzzle, diagram, question);
  },
  unpack(/** @type {Uint8Array} */ bytes) { whole = unpack(puzzle, bytes); },
  async build() {
    const { buildWhole } = await import("./whole.js");
    whole = buildWhole(puzzle, (share) => postMessage({ progress: { share } }));
  },
  async solvable(/** @type {string[][]} */ reveals) {
    const { findSolvable } = await import("./solvable.js");
    findSolvable(puzzle, reveals, (number, isSolvable) => postMessage({ progress: { number, isSolvable } }));
  },
  async year(/** @type {Placement[]} */ placed) {
    const { countReveals } = await import("./questions.js");
    return countReveals(puzzle, whole, placed);
  },
};

/** @param {string[]} reveal */
function diagramFor(reveal) {
  const key = reveal.join(), known = slices.get(key);
  if (known) return known;
  // without categories the file holds the only reveal
  const found = reveal.length ? sliceOf(puzzle, reveal) : whole;
  const made = trim(found, openOptions(found, []));
  slices.set(key, made);
  if (slices.size > SLICES) slices.delete([...slices.keys()][0]);
  return made;
}

let last = Promise.resolve();
addEventListener("message", ({ data: { id, task, value } }) => {
  last = last.then(async () => {
    try {
      postMessage({ id, result: await tasks[task](value) });
    } catch (error) {
      postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
});
