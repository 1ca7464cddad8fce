// The diagram of all reveals, built here: for a board that has no file of it. The first pass forgets which pieces are left,
// so it meets few states (frontiers); from their ends it finds which pieces each of them may have left (its rooms). The
// second pass puts the pieces back, and drops what no room allows. See satcal/diagram/build.py.
import { expand, problemOf } from "./diagram.js";

/** @import { Puzzle } from "./types.js" @import { Diagram, Problem } from "./diagram.js" */

const MOST_FRONTIERS = 2_500_000, MOST_STATES = 5_000_000; // some 500 MB
const ROOM = 6; // items: a room is a set of subsets of them, 64 bits
const LACKING = [0, 1, 2, 3, 4].map((item) => Array.from({ length: 32 }, (_, subset) => (subset >> item & 1 ? 0 : 1 << subset)).reduce((one, other) => one | other));

/** Build the diagram of all reveals; it is an Error "too-large" if a browser cannot.
 * @param {Puzzle} puzzle @param {(share: number) => void} [onProgress] of the work, from 0 to 1
 * @param {number} [most] states @returns {Diagram} */
export function buildWhole(puzzle, onProgress = () => {}, most = MOST_STATES) {
  const problem = problemOf(puzzle, null), { size } = problem;
  const frontiers = expand(withoutItems(problem), () => true, Math.min(most, MOST_FRONTIERS), undefined, (layer) => onProgress(0.2 * layer / size));
  const { nodeOf: _, ...whole } = expand(problem, () => true, most, deadEnds(puzzle, problem, frontiers), (layer) => onProgress(0.2 + 0.8 * layer / size));
  return whole;
}

/** Return a problem in which every item may be used as often as one likes. @param {Problem} problem @returns {Problem} */
function withoutItems(problem) {
  const cellWords = Math.ceil(problem.size / 32);
  const strip = (/** @type {Int32Array} */ words) => words.map((word, at) => (at % problem.width < cellWords ? word : 0));
  return { ...problem, start: strip(problem.start), end: strip(problem.end), masks: strip(problem.masks), steps: strip(problem.steps) };
}

/** Return what tells whether a state of the problem leads to no tiling; it may miss some.
 * @param {Puzzle} puzzle @param {Problem} problem @param {ReturnType<typeof expand>} frontiers */
function deadEnds({ pieces, categories }, { width, size, fields }, frontiers) {
  const cellWords = Math.ceil(size / 32), frontier = new Int32Array(width);
  const chosen = categories.slice(0, ROOM - 1).map((_, number) => pieces.length + number);
  const single = pieces.flatMap(({ copies }, number) => (copies === 1 ? [number] : []));
  /** @type {{fields: Problem["fields"], low: Int32Array, high: Int32Array}[]} */
  const rooms = [];
  for (let at = 0; at === 0 || at < single.length; at += ROOM - chosen.length) {
    const items = [...chosen, ...single.slice(at, at + ROOM - chosen.length)];
    rooms.push({ fields: items.map((item) => fields[item]), ...roomsOf(frontiers, items) });
  }
  return (/** @type {Int32Array} */ state) => {
    for (let word = 0; word < cellWords; word += 1) frontier[word] = state[word];
    const node = frontiers.nodeOf(frontier);
    return node < 0 || rooms.some(({ fields: own, low, high }) => {
      let left = 0;
      for (let item = 0; item < own.length; item += 1) if (!(state[own[item].word] & own[item].last)) left |= 1 << item;
      return !((left < 32 ? low[node] >>> left : high[node] >>> (left - 32)) & 1);
    });
  };
}

/** Return the subsets of at most six items that may be left at each node: bit s of `low`, then of `high`, for subset s.
 * @param {Diagram} diagram @param {number[]} items */
function roomsOf({ problem, nodes, from, option, child }, items) {
  const low = new Int32Array(nodes), high = new Int32Array(nodes);
  const places = Int32Array.from(problem.options, ({ item }) => items.indexOf(item));
  if (nodes) low[nodes - 1] = 1;
  for (let node = nodes - 2; node >= 0; node -= 1) {
    let [few, many] = [0, 0];
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      const place = places[option[arc]], [before, beyond] = [low[child[arc]], high[child[arc]]];
      if (place === ROOM - 1) many |= before;
      else if (place >= 0) [few, many] = [few | (before & LACKING[place]) << (1 << place), many | (beyond & LACKING[place]) << (1 << place)];
      else [few, many] = [few | before, many | beyond];
    }
    [low[node], high[node]] = [few, many];
  }
  return { low, high };
}
