// Counts in a thread of its own: one puzzle, tasks one after the other.
import { sliceOf, unpack } from "./diagram.js";
import { Tilings, allowed, trim } from "./tilings.js";

/** @typedef {import("./diagram.js").Diagram} Diagram */

/** @type {import("./types.js").Puzzle} */
let puzzle;
/** @type {Diagram} */
let whole;
/** @type {Map<string, Diagram>} */
const slices = new Map();
const SLICES = 8; // kept, of the reveals asked about last

/** @type {Record<string, (value: any) => any>} */
const tasks = {
  open(/** @type {import("./types.js").Puzzle} */ given) { puzzle = given; },
  async ask(/** @type {import("./types.js").Question} */ question) {
    const diagram = slice(question.reveal), { placed, want } = question;
    const { count } = new Tilings(diagram, placed);
    if (count && !want) return { count };
    const { answer } = await import("./questions.js");
    return answer(puzzle, diagram, question);
  },
  unpack(/** @type {Uint8Array} */ bytes) { whole = unpack(puzzle, bytes); },
  async year(/** @type {import("./types.js").Placement[]} */ placed) {
    const { countReveals } = await import("./reveals.js");
    return countReveals(puzzle, whole, placed);
  },
};

/** @param {string[]} reveal */
function slice(reveal) {
  const key = reveal.join(), known = slices.get(key);
  if (known) return known;
  // without categories the file holds the one reveal that there is
  const found = reveal.length ? sliceOf(puzzle, reveal) : whole;
  const made = trim(found, allowed(found, []));
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
