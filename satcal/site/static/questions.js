// Questions to a diagram beside a count: see satcal/diagram/questions.py.
import { Tilings, openOptions, placementKey, trim } from "./tilings.js";

/** @import { Answer, Move, Placement, Puzzle, Question } from "./types.js" @import { Diagram } from "./diagram.js" */

/** Answer a question about one reveal. @param {Puzzle} puzzle @param {Diagram} diagram of the question's reveal
 * @param {Question} question @returns {Answer} */
export function answer(puzzle, diagram, { placed, want, from = 0, limit = 1, whole }) {
  const tilings = new TilingList(diagram, placed);
  const count = tilings.count;
  if (!count) return { count, hint: null, tilings: [], blame: blame(diagram, placed) };
  if (want === "tilings") return { count, tilings: tilings.list(puzzle, BigInt(from), limit) };
  if (want === "rank") return { count, rank: tilings.rank(new Set((whole ?? []).map(placementKey))) };
  return want === "hint" ? { count, ...hint(puzzle, tilings.moves()) } : { count };
}

/** Return the free cell that the fewest placements of tilings cover, their number, and the one that most tilings have.
 * @param {Puzzle} puzzle @param {Move[]} moves */
function hint(puzzle, moves) {
  const ways = puzzle.order.map((cell) => ({ cell, moves: moves.filter((move) => move.cells.includes(cell)) }));
  const [tightest] = ways.filter((each) => each.moves.length).sort((a, b) => a.moves.length - b.moves.length);
  if (!tightest) return { hint: null };
  const best = tightest.moves.reduce((one, other) => (other.count > one.count ? other : one));
  return { hint: best, cell: tightest.cell, places: tightest.moves.length };
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
    const names = puzzle.pieces.map((piece) => piece.name);
    const found = [];
    for (let rank = first; rank < this.count && found.length < limit; rank += 1n) {
      found.push(this.tilingAt(rank).sort((a, b) => names.indexOf(a.piece) - names.indexOf(b.piece)));
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

/** Return which pieces to take back when no tiling contains all placed ones: each that suffices alone, or as few as possible.
 * @param {Diagram} diagram @param {Placement[]} placed */
function blame(diagram, placed) {
  const without = (/** @type {Placement[]} */ pieces) => {
    const rest = placed.filter((each) => !pieces.includes(each));
    return { pieces, count: new Tilings(diagram, rest).count };
  };
  const single = placed.map((piece) => without([piece])).filter(({ count }) => count);
  if (single.length || !diagram.nodes) return single;
  const kept = closestTiling(diagram, placed);
  return placed.length ? [without(placed.filter((each) => !kept.has(placementKey(each))))] : [];
}

/** Return the placed pieces that a closest tiling contains. @param {Diagram} diagram @param {Placement[]} placed @returns {Set<string>} */
function closestTiling({ problem, nodes, from, option, child }, placed) {
  const keys = new Set(placed.map(placementKey));
  const kept = problem.options.map((each) => (keys.has(placementKey(each)) ? 1 : 0));
  const best = new Int32Array(nodes), arcTo = new Int32Array(nodes);
  for (let node = nodes - 2; node >= 0; node -= 1) {
    best[node] = -1;
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      const agreement = kept[option[arc]] + best[child[arc]];
      if (agreement > best[node]) [best[node], arcTo[node]] = [agreement, arc];
    }
  }
  const agreeing = new Set();
  for (let node = 0; node !== nodes - 1; node = child[arcTo[node]]) {
    const number = option[arcTo[node]];
    if (kept[number]) agreeing.add(placementKey(problem.options[number]));
  }
  return agreeing;
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
