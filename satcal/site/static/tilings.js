// What a diagram answers without solving again: see satcal/diagram/questions.py. Every tiling is a
// path, so every answer is a sum over arcs. Doubles hold the sums while the total is below 2^53;
// beyond it the same lines run on BigInt: a count is exact or it is nothing.

/**
 * @typedef {import("./engine.js").Placement} Placement
 * @typedef {import("./engine.js").Question} Question
 * @typedef {import("./engine.js").Answer} Answer
 * @typedef {import("./engine.js").Move} Move
 * @typedef {import("./engine.js").Puzzle} Puzzle
 * @typedef {import("./diagram.js").Diagram} Diagram */

/** Answers a question about one reveal.
 * @param {Puzzle} puzzle
 * @param {Diagram} diagram that of the question's reveal
 * @param {Question} question
 * @returns {Answer} */
export function answer(puzzle, diagram, { placed, want, from = 0, limit = 1, seed }) {
  const tilings = new Tilings(diagram, placed);
  const count = tilings.count;
  if (!count) return { count, hint: null, tilings: [], blame: blame(diagram, placed) };
  if (want === "tilings") return { count, tilings: tilings.list(puzzle, BigInt(from), limit) };
  if (want === "random") return { count, tilings: tilings.list(puzzle, below(count, seed), 1) };
  if (want !== "hint") return { count };
  const moves = tilings.moves();
  const names = puzzle.pieces.map((piece) => piece.name);
  const places = names.map((name) => moves.filter((move) => move.piece === name))
    .filter((own) => own.length).sort((a, b) => a.length - b.length)[0] ?? [];
  const hint = places.reduce((best, move) => (move.count > best.count ? move : best), places[0]);
  return { count, hint: hint ?? null, places: places.length };
}

/** The tilings of a diagram that contain what is placed. */
export class Tilings {
  /** @param {Diagram} diagram @param {Placement[]} placed */
  constructor(diagram, placed) {
    this.diagram = diagram;
    this.placed = new Set(placed.map(text));
    this.open = allowed(diagram, placed);
    this.ways = completions(diagram, this.open, new Float64Array(diagram.nodes));
    if (this.ways[0] > Number.MAX_SAFE_INTEGER) {
      this.ways = completions(diagram, this.open, new Array(diagram.nodes).fill(0n));
    }
    this.count = BigInt(this.ways[0] ?? 0);
  }

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

  /** Some tilings in a row, in the order of the paths.
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

/** @param {Placement} placement */
const text = ({ piece, cells }) => `${piece}:${[...cells].sort((a, b) => a - b)}`;

/** Which options go with what is placed: those that overlap nothing of it, or are it.
 * @param {Diagram} diagram @param {Placement[]} placed
 * @returns {Uint8Array} [options] */
export function allowed({ problem }, placed) {
  if (!placed.length) return new Uint8Array(problem.options.length).fill(1);
  const known = new Set(placed.map(text)), covered = new Set(placed.flatMap(({ cells }) => cells));
  return Uint8Array.from(problem.options, (option) =>
    Number(!option.cells.some((cell) => covered.has(cell)) || known.has(text(option))));
}

/** Ways from each node to the end, over open options.
 * @param {Diagram} diagram @param {Uint8Array} open
 * @param {any} ways zeros, [nodes], which are filled */
export function completions({ nodes, from, option, child }, open, ways) {
  if (!nodes) return ways;
  const one = typeof ways[0] === "bigint" ? 1n : 1;
  ways[nodes - 1] = one;
  for (let node = nodes - 2; node >= 0; node -= 1) {
    let sum = ways[node];
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      if (open[option[arc]]) sum += ways[child[arc]];
    }
    ways[node] = sum;
  }
  return ways;
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

/** The part of a diagram that lies on paths of open options from its first node to its end.
 * @param {Diagram} diagram @param {Uint8Array} open
 * @returns {Diagram} */
export function trim({ problem, nodes, from, option, child }, open) {
  const ends = new Uint8Array(nodes), number = new Int32Array(nodes).fill(-1);
  if (nodes) ends[nodes - 1] = 1;
  for (let node = nodes - 2; node >= 0; node -= 1) {
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      ends[node] |= open[option[arc]] & ends[child[arc]];
    }
  }
  const starts = [0], options = new Int32Array(option.length), children = new Int32Array(option.length);
  if (nodes && ends[0]) number[0] = 0; // it is met, and will be numbered
  for (let node = 0, arcs = 0; node < nodes; node += 1) {
    if (number[node] < 0) continue;
    number[node] = starts.length - 1;
    for (let arc = from[node]; arc < from[node + 1]; arc += 1) {
      if (!open[option[arc]] || !ends[child[arc]]) continue;
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
    const through = new Tilings(part, []).through();
    for (const place of places[last]) counts.push(BigInt(through[place]));
  };
  visit(trim(whole, allowed(whole, placed)), 0);
  return counts;
}
