// The tilings of a diagram that contain the placed pieces: see satcal/diagram/puzzle.py. Every tiling is a path, so every
// answer is a sum over arcs: in doubles while the total is below 2^53, beyond it in BigInt, so that counts are exact.

/** @import { Placement } from "./types.js" @import { Diagram } from "./diagram.js" */

/** The tilings of a diagram that contain the placed pieces. */
export class Tilings {
  /** @param {Diagram} diagram @param {Placement[]} placed */
  constructor(diagram, placed) {
    this.diagram = diagram;
    this.placed = new Set(placed.map(placementKey));
    this.openMask = openOptions(diagram, placed);
    this.ways = countCompletions(diagram, this.openMask, new Float64Array(diagram.nodes));
    if (this.ways[0] > Number.MAX_SAFE_INTEGER) {
      this.ways = countCompletions(diagram, this.openMask, new Array(diagram.nodes).fill(0n));
    }
    this.count = BigInt(this.ways[0] ?? 0);
  }
}

/** Return a placement as a key. @param {Placement} placement */
export const placementKey = ({ piece, cells }) => `${piece}:${[...cells].sort((a, b) => a - b)}`;

/** Return which options go with the placed pieces: those without overlap, and themselves.
 * @param {Diagram} diagram @param {Placement[]} placed
 * @returns {Uint8Array} [options] */
export function openOptions({ problem }, placed) {
  if (!placed.length) return new Uint8Array(problem.options.length).fill(1);
  const known = new Set(placed.map(placementKey)), covered = new Set(placed.flatMap(({ cells }) => cells));
  return Uint8Array.from(problem.options, (option) =>
    Number(!option.cells.some((cell) => covered.has(cell)) || known.has(placementKey(option))));
}

/** Count the ways from each node to the end, over open options.
 * @param {Diagram} diagram @param {Uint8Array} openMask
 * @param {any} ways zeros, [nodes], which are filled */
function countCompletions({ nodes, from, option, child }, openMask, ways) {
  if (!nodes) return ways;
  const one = typeof ways[0] === "bigint" ? 1n : 1;
  ways[nodes - 1] = one;
  for (let node = nodes - 2; node >= 0; node -= 1) {
    let sum = ways[node];
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      if (openMask[option[arc]]) sum += ways[child[arc]];
    }
    ways[node] = sum;
  }
  return ways;
}

/** Return the part of a diagram on paths of open options from its first node to its end.
 * @param {Diagram} diagram @param {Uint8Array} openMask
 * @returns {Diagram} */
export function trim({ problem, nodes, from, option, child }, openMask) {
  const ends = new Uint8Array(nodes), number = new Int32Array(nodes).fill(-1);
  if (nodes) ends[nodes - 1] = 1;
  for (let node = nodes - 2; node >= 0; node -= 1) {
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      ends[node] |= openMask[option[arc]] & ends[child[arc]];
    }
  }
  const starts = [0], options = new Int32Array(option.length), children = new Int32Array(option.length);
  if (nodes && ends[0]) number[0] = 0; // it is met, and will be numbered
  for (let node = 0, arcs = 0; node < nodes; node += 1) {
    if (number[node] < 0) continue;
    number[node] = starts.length - 1;
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      if (!openMask[option[arc]] || !ends[child[arc]]) continue;
      number[child[arc]] = 0;
      options[arcs] = option[arc];
      children[arcs] = child[arc];
      arcs += 1;
    }
    starts.push(arcs);
  }
  const arcs = starts[starts.length - 1];
  return {
    problem, nodes: starts.length - 1, from: Int32Array.from(starts), option: options.slice(0, arcs),
    child: children.slice(0, arcs).map((each) => number[each]),
  };
}
