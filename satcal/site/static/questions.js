// Questions to a diagram beside a count: see satcal/diagram/puzzle.py, and satcal/analysis/hint.py for the rules of hints.
import { Tilings, openOptions, placementKey, trim } from "./tilings.js";

const MAX_SUBSETS = 1000; // equally large parts of a position that tilings contain

/** @import { Answer, Move, Placement, Puzzle, Question } from "./types.js" @import { Diagram } from "./diagram.js" */

/** Answer a question about one reveal. @param {Puzzle} puzzle @param {Diagram} diagram of the question's reveal
 * @param {Question} question @returns {Answer} */
export function answer(puzzle, diagram, { placed, want, from = 0, limit = 1, whole }) {
  const tilings = new TilingList(diagram, placed);
  const count = tilings.count;
  if (!count) return { count, hint: null, tilings: [], blame: findBlame(puzzle, diagram, placed) };
  if (want === "tilings") return { count, tilings: tilings.list(puzzle, BigInt(from), limit) };
  if (want === "rank") return { count, rank: tilings.rank(new Set((whole ?? []).map(placementKey))) };
  return want === "hint" ? { count, ...hint(puzzle, tilings.moves()) } : { count };
}

/** Return the first cell, row by row, that the fewest placements of tilings cover, and the one on it that most tilings have.
 * @param {Puzzle} puzzle @param {Move[]} moves */
function hint(puzzle, moves) {
  const ways = puzzle.cells.map(() => 0);
  for (const { cells } of moves) for (const cell of cells) ways[cell] += 1;
  const fewest = Math.min(...ways.filter(Boolean));
  const cell = ways.indexOf(fewest);
  const rank = rankOfPieces(puzzle);
  const isBetter = (/** @type {Move} */ one, /** @type {Move} */ other) => (one.count === other.count
    ? comparePlacements(rank, one, other) < 0 : one.count > other.count);
  const onCell = moves.filter((move) => move.cells.includes(cell));
  return onCell.length ? { hint: onCell.reduce((best, move) => (isBetter(move, best) ? move : best)), cell } : { hint: null };
}

/** Return the numbers of pieces in the order of the file. @param {Puzzle} puzzle */
const rankOfPieces = (puzzle) => new Map(puzzle.pieces.map(({ name }, number) => [name, number]));

/** Compare placements by their pieces in the order of the file, then by their cells. @param {Map<string, number>} rank
 * @param {Placement} one @param {Placement} other */
function comparePlacements(rank, one, other) {
  const [first, second] = [one, other].map(({ piece, cells }) => [rank.get(piece) ?? 0, ...[...cells].sort((a, b) => a - b)]);
  const at = first.findIndex((number, place) => number !== second[place]);
  return at < 0 ? 0 : first[at] - second[at];
}

/** The list of tilings, in the order of the paths. */
export class TilingList extends Tilings {
  /** Return for each option the number of tilings that contain it. @returns {(number | bigint)[]} */
  countPerOption() {
    const { diagram: { problem, nodes, from, option, child }, openMask, ways } = this;
    const zero = typeof ways[0] === "bigint" ? 0n : 0;
    /** @type {any} */
    const paths = zero === 0 ? new Float64Array(nodes) : new Array(nodes).fill(zero);
    /** @type {any[]} */
    const through = problem.options.map(() => zero);
    if (nodes) paths[0] = ways[nodes - 1];
    for (let node = 0; node < nodes; node += 1) {
      if (!paths[node] || !ways[node]) continue;
      for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
        if (!openMask[option[arc]]) continue;
        paths[child[arc]] += paths[node];
        through[option[arc]] += paths[node] * ways[child[arc]];
      }
    }
    return through;
  }

  /** Return the placements that are in tilings and not on the board, by piece. @returns {Move[]} */
  moves() {
    const through = this.countPerOption();
    return this.diagram.problem.options
      .map(({ piece, cells }, number) => ({ piece, cells, count: BigInt(through[number]) }))
      .filter((move) => move.piece && move.count && !this.placed.has(placementKey(move)));
  }

  /** Return tilings from a rank on. @param {Puzzle} puzzle @param {bigint} first @param {number} limit */
  list(puzzle, first, limit) {
    const rank = rankOfPieces(puzzle);
    const found = [];
    for (let number = first; number < this.count && found.length < limit; number += 1n) {
      found.push(this.tilingAt(number).sort((one, other) => comparePlacements(rank, one, other)));
    }
    return found;
  }

  /** Return the rank of a tiling, from 0. @param {Set<string>} tiling */
  rank(tiling) {
    const { diagram: { problem, nodes, from, option, child }, openMask, ways } = this;
    let rank = 0n;
    for (let node = 0, arc = from[0]; node !== nodes - 1; arc += 1) {
      if (arc === from[node + 1]) return 0n; // it is not among them
      if (!openMask[option[arc]]) continue;
      if (tiling.has(placementKey(problem.options[option[arc]]))) {
        node = child[arc];
        arc = from[node] - 1;
      } else rank += BigInt(ways[child[arc]]);
    }
    return rank;
  }

  /** @param {bigint} rank from 0, below the count @returns {Placement[]} */
  tilingAt(rank) {
    const { diagram: { problem, nodes, from, option, child }, openMask, ways } = this;
    const tiling = [];
    for (let node = 0, arc = from[0]; node !== nodes - 1; arc += 1) {
      const count = openMask[option[arc]] ? BigInt(ways[child[arc]]) : 0n;
      if (rank >= count) {
        rank -= count;
        continue;
      }
      const { piece, cells } = problem.options[option[arc]];
      if (piece) tiling.push({ piece, cells });
      node = child[arc];
      arc = from[node] - 1;
    }
    return tiling;
  }
}

/** Return what to take back from a dead end, best first: each single piece that is enough, or else the best set of the fewest;
 * nothing if there are no tilings at all, or too many such sets.
 * @param {Puzzle} puzzle @param {Diagram} diagram @param {Placement[]} placed */
function findBlame(puzzle, diagram, placed) {
  const rank = rankOfPieces(puzzle);
  const ordered = [...placed].sort((one, other) => comparePlacements(rank, one, other));
  const sets = [...largestSubsets(diagram, ordered)].map(([subset, count]) => (
    { pieces: ordered.filter((_, number) => !(subset >> BigInt(number) & 1n)), count }));
  const places = (/** @type {Placement[]} */ pieces) => pieces.map((piece) => String(ordered.indexOf(piece)).padStart(4, "0")).join();
  sets.sort((one, other) => Number(other.count > one.count) - Number(other.count < one.count)
    || (places(one.pieces) < places(other.pieces) ? -1 : 1));
  return sets.slice(0, sets[0]?.pieces.length === 1 ? Infinity : 1);
}

/** Return the largest subsets of placements that a tiling contains, and their tilings; bit i of a subset is the placement i.
 * @param {Diagram} diagram @param {Placement[]} placed @returns {Map<bigint, bigint>} */
function largestSubsets({ problem, nodes, from, option, child }, placed) {
  const numbers = new Map(placed.map((each, number) => [placementKey(each), 1n << BigInt(number)]));
  const bits = problem.options.map((each) => numbers.get(placementKey(each)) ?? 0n);
  const largest = new Int32Array(nodes); // subset on the paths from each node to the end
  const agreement = (/** @type {number} */ arc) => Number(bits[option[arc]] > 0n) + largest[child[arc]];
  for (let node = nodes - 2; node >= 0; node -= 1) {
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) largest[node] = Math.max(largest[node], agreement(arc));
  }
  /** @type {Map<bigint, bigint>[]} */
  const subsets = Array.from({ length: nodes });
  if (nodes) subsets[0] = new Map([[0n, 1n]]);
  for (let node = 0; node < nodes - 1; node += 1) {
    for (let arc = from[node]; subsets[node] && arc < from[node + 1]; arc += 1) {
      if (agreement(arc) !== largest[node]) continue;
      const next = subsets[child[arc]] ??= new Map();
      for (const [subset, paths] of subsets[node]) {
        const more = subset | bits[option[arc]];
        next.set(more, (next.get(more) ?? 0n) + paths);
      }
      if (next.size > MAX_SUBSETS) return new Map();
    }
  }
  return subsets[nodes - 1] ?? new Map();
}

/** Count the tilings of all reveals that contain the placed pieces: the diagram is cut down to one label after the other, and
 * the labels of the last category are counted together, because they are options.
 * @param {Puzzle} puzzle @param {Diagram} whole of all reveals @param {Placement[]} placed
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
    const through = new TilingList(part, []).countPerOption();
    for (const place of places[last]) counts.push(BigInt(through[place]));
  };
  visit(trim(whole, openOptions(whole, placed)), 0);
  return counts;
}
