// The tiling diagram: every tiling is a path from node 0 to the last node, its arcs the options
// used. See satcal/diagram/model.py, and satcal/site/packing.py for the file that is read here.

/**
 * @typedef {import("./engine.js").Puzzle} Puzzle
 * @typedef {import("./engine.js").Placement} Placement
 *
 * An exact cover. A state is `width` words: the cells covered, then how often each item can still
 * be used. An option may follow a state if it covers its first uncovered cell, none of its `mask`
 * is set, and something is left in its `field`; what follows is the sum of `step` and the state.
 * @typedef {{
 *   piece: string, cells: number[], label: string | null, item: number, first: number,
 *   mask: Int32Array, word: number, field: number, step: Int32Array,
 * }} Option
 * @typedef {{
 *   size: number, words: number, width: number, start: Int32Array,
 *   options: Option[], layers: number[][],
 * }} Problem
 *
 * Nodes are numbered layer by layer, so that arcs lead to higher numbers; the end is the last.
 * @typedef {{
 *   problem: Problem, nodes: number,
 *   from: Int32Array,      // [nodes + 1]: the arcs of node n are from[n] .. from[n + 1] - 1
 *   option: Int32Array, child: Int32Array,   // [arcs]
 * }} Diagram
 */

/** What a puzzle asks to cover; without a reveal its labels are options, one of each category.
 * @param {Puzzle} puzzle
 * @param {string[] | null} reveal
 * @returns {Problem}
 */
export function problemOf(puzzle, reveal) {
  const open = reveal === null ? puzzle.categories : [];
  const copies = [...puzzle.pieces.map((piece) => piece.copies), ...open.map(() => 1)];
  const words = Math.ceil(puzzle.cells.length / 32);
  const fields = fieldsOf(copies, words);
  const width = 1 + (fields.at(-1)?.word ?? words);
  const order = puzzle.order ?? orderOf(puzzle);
  const rank = new Int32Array(order.length);
  order.forEach((cell, place) => { rank[cell] = place; });
  const start = new Int32Array(width);
  fields.forEach(({ word, shift }, item) => { start[word] |= copies[item] << shift; });
  for (const cell of (reveal ?? []).flatMap((label) => puzzle.labels[label])) set(start, rank[cell]);

  /** @type {(piece: string, cells: number[], label: string | null, item: number) => Option} */
  const optionOf = (piece, cells, label, item) => {
    const { word, shift, bits } = fields[item];
    const step = new Int32Array(width);
    for (const cell of cells) set(step, rank[cell]);
    const mask = step.slice(0, words);
    step[word] = -(1 << shift);
    const first = Math.min(...cells.map((cell) => rank[cell]));
    return { piece, cells, label, item, first, mask, word, field: ((1 << bits) - 1) << shift, step };
  };
  const options = placements(puzzle).map(({ piece, cells }) =>
    optionOf(piece, cells, null, puzzle.pieces.findIndex((each) => each.name === piece)));
  open.forEach(({ labels }, category) => labels.forEach((label) => options.push(
    optionOf("", puzzle.labels[label], label, puzzle.pieces.length + category))));
  /** @type {number[][]} */
  const layers = order.map(() => []);
  options.forEach((option, number) => {
    if (!overlaps(option.mask, start)) layers[option.first].push(number);
  });
  return { size: order.length, words, width, start, options, layers };
}

/** Where each item's number of copies stands in a state; a field lies within one word.
 * @param {number[]} copies @param {number} word the first one that is free
 */
function fieldsOf(copies, word) {
  let used = 0;
  return copies.map((most) => {
    const bits = 32 - Math.clz32(most);
    if (used + bits > 31) [word, used] = [word + 1, 0];
    used += bits;
    return { word, shift: used - bits, bits };
  });
}

/** @param {Puzzle} puzzle @returns {number[]} the cells, along the longer side */
function orderOf({ cells, rows, columns }) {
  const [long, short] = rows > columns ? /** @type {const} */ (["row", "column"])
    : /** @type {const} */ (["column", "row"]);
  return cells.map((_, number) => number)
    .sort((a, b) => cells[a][long] - cells[b][long] || cells[a][short] - cells[b][short]);
}

/** All placements on the empty board: by piece, orientation, row and column.
 * @param {Puzzle} puzzle @returns {Placement[]}
 */
export function placements({ cells, rows, columns, pieces }) {
  const at = new Map(cells.map(({ row, column }, number) => [row * columns + column, number]));
  /** @type {Placement[]} */
  const found = [];
  for (const { name, orientations } of pieces) {
    for (const shape of orientations) {
      for (let top = 0; top < rows; top += 1) {
        for (let left = 0; left < columns; left += 1) {
          const covered = shape.map(([row, column]) =>
            (left + column < columns ? at.get((top + row) * columns + left + column) : undefined));
          if (covered.every((cell) => cell !== undefined)) {
            found.push({ piece: name, cells: /** @type {number[]} */ (covered) });
          }
        }
      }
    }
  }
  return found;
}

/** @param {Int32Array} bits @param {number} place */
function set(bits, place) {
  bits[place >> 5] |= 1 << (place & 31);
}

/** @param {Int32Array} mask @param {Int32Array} state */
function overlaps(mask, state) {
  for (let word = 0; word < mask.length; word += 1) if (mask[word] & state[word]) return true;
  return false;
}

/** @template {Int32Array | Float64Array} T @param {T} array @param {number} length @returns {T} */
function atLeast(array, length) {
  if (array.length >= length) return array;
  const longer = /** @type {T} */ (new /** @type {any} */ (array.constructor)(2 * length));
  longer.set(array);
  return longer;
}

/** A set of states, numbered as they come. */
class States {
  /** @param {number} width */
  constructor(width) {
    this.width = width;
    this.size = 0;
    this.words = new Int32Array(width << 12);
    this.table = new Int32Array(1 << 13); // of numbers + 1, by hash; at most half full
  }

  /** @param {Int32Array} state @returns {number} its number, `size` before it if it is new */
  number(state) {
    const { width, words, table } = this;
    let slot = this.slot(state, 0);
    for (; table[slot]; slot = (slot + 1) & (table.length - 1)) {
      const at = (table[slot] - 1) * width;
      let word = 0;
      while (word < width && words[at + word] === state[word]) word += 1;
      if (word === width) return table[slot] - 1;
    }
    table[slot] = this.size + 1;
    this.words = atLeast(words, (this.size + 1) * width);
    this.words.set(state, this.size * width);
    this.size += 1;
    if (2 * this.size > table.length) this.grow();
    return this.size - 1;
  }

  /** @param {Int32Array} words @param {number} at where a state begins in them */
  slot(words, at) {
    let hash = 0;
    for (let word = 0; word < this.width; word += 1) {
      hash = Math.imul(hash ^ words[at + word], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (this.table.length - 1);
  }

  grow() {
    const table = this.table = new Int32Array(2 * this.table.length);
    for (let number = 0; number < this.size; number += 1) {
      let slot = this.slot(this.words, number * this.width);
      while (table[slot]) slot = (slot + 1) & (table.length - 1);
      table[slot] = number + 1;
    }
  }
}

/** Builds a diagram from the empty board on, layer by layer.
 * @param {Problem} problem
 * @param {() => boolean} leads asked of every option that fits: is there such an arc?
 * @param {number} most states; more are an error
 * @returns {Diagram}
 */
export function expand(problem, leads, most = Infinity) {
  const { size, words, width, options, layers } = problem;
  const states = new States(width);
  const state = new Int32Array(width), next = new Int32Array(width);
  /** @type {number[][]} */
  const met = [...layers, []].map(() => []); // states by layer
  met[firstFree(problem.start, size)].push(states.number(problem.start));
  let option = new Int32Array(1 << 14), child = new Int32Array(1 << 14), arcs = 0;
  const from = [0];
  let renumbered = new Int32Array(1 << 12);
  for (let layer = 0; layer < size; layer += 1) {
    for (const number of met[layer]) {
      renumbered = atLeast(renumbered, number + 1);
      renumbered[number] = from.length - 1;
      for (let word = 0; word < width; word += 1) state[word] = states.words[number * width + word];
      for (const candidate of layers[layer]) {
        const { mask, word: at, field, step } = options[candidate];
        if (!(state[at] & field) || overlaps(mask, state) || !leads()) continue;
        for (let word = 0; word < width; word += 1) next[word] = state[word] + step[word];
        const place = firstFree(next, size);
        if (place === size && !done(next, words)) continue;
        const before = states.size, reached = states.number(next);
        if (reached === before) {
          met[place].push(reached);
          if (states.size > most) throw new Error("This board is too large to be counted here.");
        }
        if (arcs === option.length) {
          option = atLeast(option, arcs + 1);
          child = atLeast(child, arcs + 1);
        }
        option[arcs] = candidate;
        child[arcs] = reached;
        arcs += 1;
      }
      from.push(arcs);
    }
  }
  if (!met[size].length) return { problem, nodes: 0, from: new Int32Array(1), option: NONE, child: NONE };
  renumbered = atLeast(renumbered, states.size);
  renumbered[met[size][0]] = from.length - 1;
  from.push(arcs);
  option = option.slice(0, arcs);
  child = child.slice(0, arcs).map((reached) => renumbered[reached]);
  return { problem, nodes: from.length - 1, from: Int32Array.from(from), option, child };
}

const NONE = new Int32Array(0);

/** @param {Int32Array} state @param {number} size @returns {number} the first uncovered cell */
function firstFree(state, size) {
  let word = 0;
  while (word << 5 < size && state[word] === -1) word += 1;
  const free = ~state[word];
  return Math.min(size, (word << 5) + 31 - Math.clz32(free & -free));
}

/** @param {Int32Array} state @param {number} words @returns whether all pieces are used */
function done(state, words) {
  for (let word = words; word < state.length; word += 1) if (state[word]) return false;
  return true;
}

/** The diagram of all reveals, from its file.
 * @param {Puzzle} puzzle
 * @param {Uint8Array} bytes
 * @returns {Diagram}
 */
export function unpack(puzzle, bytes) {
  let bit = 0;
  const leads = () => {
    const leading = (bytes[bit >> 3] >> (7 - (bit & 7))) & 1;
    bit += 1;
    return leading === 1;
  };
  const diagram = expand(problemOf(puzzle, null), bytes.length ? leads : () => false);
  if (bit > 8 * bytes.length || bit <= 8 * bytes.length - 8) {
    throw new Error(`The file with the tilings of ${puzzle.name} is damaged.`);
  }
  return diagram;
}

/** The diagram of one reveal, found here.
 * @param {Puzzle} puzzle
 * @param {string[]} reveal
 * @returns {Diagram}
 */
export function sliceOf(puzzle, reveal) {
  return expand(problemOf(puzzle, reveal), () => true, 4e6);
}
