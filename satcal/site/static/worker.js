// Counts in a thread of its own: one puzzle, tasks one after the other.
import { sliceOf, unpack } from "./diagram.js";
import { allowed, answer, countReveals, trim } from "./tilings.js";

/**
 * @typedef {import("./diagram.js").Diagram} Diagram
 * @typedef {{puzzle: import("./engine.js").Puzzle, base: string}} Source */

/** @type {Source} */
let source;
/** @type {Promise<Diagram> | undefined} */
let whole;
/** @type {Map<string, Diagram>} */
const slices = new Map();
const SLICES = 8; // kept, of the reveals asked about last

/** @type {Record<string, (value: any) => any>} */
const tasks = {
  open(/** @type {Source} */ given) { source = given; },
  async ask(/** @type {import("./engine.js").Question} */ question) {
    return answer(source.puzzle, await slice(question.reveal), question);
  },
  async load() { await (whole ??= fetchWhole()); },
  async year(/** @type {import("./engine.js").Placement[]} */ placed) {
    return countReveals(source.puzzle, await (whole ??= fetchWhole()), placed);
  },
};

/** @param {string[]} reveal */
async function slice(reveal) {
  const key = reveal.join(), known = slices.get(key);
  if (known) return known;
  // without categories the file holds the one reveal that there is
  const found = reveal.length ? sliceOf(source.puzzle, reveal) : await (whole ??= fetchWhole());
  const made = trim(found, allowed(found, []));
  slices.set(key, made);
  if (slices.size > SLICES) slices.delete([...slices.keys()][0]);
  return made;
}

async function fetchWhole() {
  try {
    const response = await fetch(`${source.base}${source.puzzle.name}.bin`);
    if (!response.ok) throw new Error("The tilings of this puzzle could not be loaded.");
    return unpack(source.puzzle, new Uint8Array(await response.arrayBuffer()));
  } catch (error) {
    whole = undefined; // the next question tries again
    throw error instanceof TypeError ? new Error("There is no connection, and this was not kept.") : error;
  }
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
