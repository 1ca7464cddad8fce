// What is asked of a diagram beside a count: see satcal/diagram/questions.py.
import { Tilings, text } from "./tilings.js";

/**
 * @typedef {import("./types.js").Placement} Placement
 * @typedef {import("./types.js").Question} Question
 * @typedef {import("./types.js").Answer} Answer
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Puzzle} Puzzle
 * @typedef {import("./diagram.js").Diagram} Diagram */

/** Answers a question about one reveal.
 * @param {Puzzle} puzzle
 * @param {Diagram} diagram that of the question's reveal
 * @param {Question} question
 * @returns {Answer} */
export function answer(puzzle, diagram, { placed, want, from = 0, limit = 1, seed, whole }) {
  const tilings = new Listed(diagram, placed);
  const count = tilings.count;
  if (!count) return { count, hint: null, tilings: [], blame: blame(diagram, placed) };
  if (want === "tilings") return { count, tilings: tilings.list(puzzle, BigInt(from), limit) };
  if (want === "random") return { count, tilings: tilings.list(puzzle, below(count, seed), 1) };
  if (want === "rank") return { count, rank: tilings.rank(new Set((whole ?? []).map(text))) };
  return want === "hint" ? { count, ...hint(puzzle, tilings.moves()) } : { count };
}

/** Where to look: the free cell that the fewest placements of tilings cover, how many these are, and
 * the one of them that most tilings have.
 * @param {Puzzle} puzzle @param {Move[]} moves */
function hint(puzzle, moves) {
  const ways = puzzle.order.map((cell) => ({ cell, moves: moves.filter((move) => move.cells.includes(cell)) }));
  const [tightest] = ways.filter((each) => each.moves.length).sort((a, b) => a.moves.length - b.moves.length);
  if (!tightest) return { hint: null };
  const best = tightest.moves.reduce((one, other) => (other.count > one.count ? other : one));
  return { hint: best, cell: tightest.cell, places: tightest.moves.length };
}

/** Tilings in a row, in the order of the paths. */
export class Listed extends Tilings {
  /** Of every option the tilings that contain it. @returns {(number | bigint)[]} */
  through() {
    const { diagram: { problem, nodes, from, option, child }, open, ways } = this;
    const zero = typeof ways[0] === "bigint" ? 0n : 0;
    /** @type {any} */
    const paths = zero === 0 ? new Float64Array(nodes) : new Array(nodes).fill(zero);
    /** @type {any[]} */
    const through = problem.options.map(() => zero);
    if (nodes) paths[0] = ways[nodes - 1];
    for (let node = 0; node < nodes; node += 1) {
      if (!paths[node] || !ways[node]) continue;
      for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
        if (!open[option[arc]]) continue;
        paths[child[arc]] += paths[node];
        through[option[arc]] += paths[node] * ways[child[arc]];
      }
    }
    return through;
  }

  /** Every placement that is in some tiling and not on the board, by piece. @returns {Move[]} */
  moves() {
    const through = this.through();
    return this.diagram.problem.options
      .map(({ piece, cells }, number) => ({ piece, cells, count: BigInt(through[number]) }))
      .filter((move) => move.piece && move.count && !this.placed.has(text(move)));
  }

  /** Some of them in a row.
   * @param {Puzzle} puzzle
   * @param {bigint} first its rank @param {number} limit */
  list(puzzle, first, limit) {
    const names = puzzle.pieces.map((piece) => piece.name);
    const found = [];
    for (let rank = first; rank < this.count && found.length < limit; rank += 1n) {
      found.push(this.kth(rank).sort((a, b) => names.indexOf(a.piece) - names.indexOf(b.piece)));
    }
    return found;
  }

  /** The rank of a tiling, from 0. @param {Set<string>} tiling */
  rank(tiling) {
    const { diagram: { problem, nodes, from, option, child }, open, ways } = this;
    let rank = 0n;
    for (let node = 0, arc = from[0]; node !== nodes - 1; arc += 1) {
      if (arc === from[node + 1]) return 0n; // it is not among them
      if (!open[option[arc]]) continue;
      if (tiling.has(text(problem.options[option[arc]]))) {
        node = child[arc];
        arc = from[node] - 1;
      } else rank += BigInt(ways[child[arc]]);
    }
    return rank;
  }

  /** @param {bigint} rank from 0, below the count @returns {Placement[]} */
  kth(rank) {
    const { diagram: { problem, nodes, from, option, child }, open, ways } = this;
    const tiling = [];
    for (let node = 0, arc = from[0]; node !== nodes - 1; arc += 1) {
      const here = open[option[arc]] ? BigInt(ways[child[arc]]) : 0n;
      if (rank >= here) {
        rank -= here;
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

/** Which pieces to take back when no tiling contains all that is placed: each that suffices alone,
 * or else as few as possible.
 * @param {Diagram} diagram @param {Placement[]} placed */
function blame(diagram, placed) {
  const without = (/** @type {Placement[]} */ pieces) => {
    const rest = placed.filter((each) => !pieces.includes(each));
    return { pieces, count: new Tilings(diagram, rest).count };
  };
  const single = placed.map((piece) => without([piece])).filter(({ count }) => count);
  if (single.length || !diagram.nodes) return single;
  const kept = nearest(diagram, placed);
  return placed.length ? [without(placed.filter((each) => !kept.has(text(each))))] : [];
}

/** What a tiling that agrees with as much as possible of what is placed has of it.
 * @param {Diagram} diagram @param {Placement[]} placed
 * @returns {Set<string>} */
function nearest({ problem, nodes, from, option, child }, placed) {
  const known = new Set(placed.map(text));
  const kept = problem.options.map((each) => (known.has(text(each)) ? 1 : 0));
  const best = new Int32Array(nodes), arcTo = new Int32Array(nodes);
  for (let node = nodes - 2; node >= 0; node -= 1) {
    best[node] = -1;
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      const here = kept[option[arc]] + best[child[arc]];
      if (here > best[node]) [best[node], arcTo[node]] = [here, arc];
    }
  }
  const agreeing = new Set();
  for (let node = 0; node !== nodes - 1; node = child[arcTo[node]]) {
    const number = option[arcTo[node]];
    if (kept[number]) agreeing.add(text(problem.options[number]));
  }
  return agreeing;
}

/** A random number below another one, all equally likely.
 * @param {bigint} most @param {number | undefined} seed */
function below(most, seed) {
  let state = seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
  const bits = most.toString(2).length;
  for (;;) {
    let number = 0n;
    for (let have = 0; have < bits; have += 32) { // mulberry32, a published generator
      state = (state + 0x6d2b79f5) | 0;
      let word = Math.imul(state ^ (state >>> 15), state | 1);
      word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
      number = (number << 32n) | BigInt((word ^ (word >>> 14)) >>> 0);
    }
    number &= (1n << BigInt(bits)) - 1n;
    if (number < most) return number;
  }
}
