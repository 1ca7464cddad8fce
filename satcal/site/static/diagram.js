// The tiling diagram: every tiling is a path from node 0 to the last node, its arcs the options
// used. See satcal/diagram/model.py, and satcal/site/packing.py for the file that is read here.

/**
 * @typedef {import("./types.js").Puzzle} Puzzle
 * @typedef {import("./types.js").Placement} Placement
 *
 * An exact cover. A state is `width` words: the cells covered, then how often each item was used;
 * its last use sets the highest bit of its field. An option may follow a state if it covers the
 * first uncovered cell and no bit of its mask is set; what follows is the sum of state and step.
 * @typedef {{piece: string, cells: number[], label: string | null, item: number}} Option
 * @typedef {{
 *   size: number, width: number, start: Int32Array, end: Int32Array,
 *   options: Option[], masks: Int32Array, steps: Int32Array,  // both [options * width]
 *   layers: number[][],                                       // the options by their first cell
 *   fields: {word: number, shift: number, first: number, last: number}[],     // of bits, by item
 * }} Problem
 *
 * Nodes are numbered layer by layer, so that arcs lead to higher numbers; the end is the last.
 * @typedef {{
 *   problem: Problem, nodes: number,
 *   from: Int32Array,      // [nodes + 1]: the arcs of node n are from[n] .. from[n + 1] - 1
 *   option: Int32Array, child: Int32Array,   // [arcs]
 * }} Diagram */

/** Return the exact cover problem of a puzzle; without a reveal its labels are options, one of each category.
 * @param {Puzzle} puzzle
 * @param {string[] | null} reveal
 * @returns {Problem} */
export function problemOf(puzzle, reveal) {
  const categories = reveal === null ? puzzle.categories : [];
  const copies = [...puzzle.pieces.map((piece) => piece.copies), ...categories.map(() => 1)];
  const order = puzzle.order, rank = new Int32Array(order.length);
  order.forEach((cell, place) => { rank[cell] = place; });
  const fields = fieldsOf(copies, Math.ceil(order.length / 32));
  const width = 1 + Math.max(...fields.map(({ word }) => word));
  /** @type {(bits: Int32Array, cells: number[]) => void} */
  const cover = (bits, cells) => cells.forEach((cell) => { bits[rank[cell] >> 5] |= 1 << (rank[cell] & 31); });

  /** @type {Option[]} */
  const options = placements(puzzle).map(({ piece, cells }) => (
    { piece, cells, label: null, item: puzzle.pieces.findIndex(({ name }) => name === piece) }));
  categories.forEach(({ labels }, category) => labels.forEach((label) => options.push(
    { piece: "", cells: puzzle.labels[label], label, item: puzzle.pieces.length + category })));
  const masks = new Int32Array(options.length * width), steps = new Int32Array(options.length * width);
  options.forEach(({ cells, item }, number) => {
    const { word, shift, last } = fields[item], at = number * width;
    cover(masks.subarray(at), cells);
    cover(steps.subarray(at), cells);
    masks[at + word] |= last;
    steps[at + word] += 1 << shift;
  });

  const start = new Int32Array(width), end = new Int32Array(width);
  cover(end, order);
  for (const { word, first, last } of fields) [start[word], end[word]] = [start[word] | first, end[word] | last];
  cover(start, (reveal ?? []).flatMap((label) => puzzle.labels[label]));
  /** @type {number[][]} */
  const layers = order.map(() => []);
  options.forEach(({ cells }, number) => layers[Math.min(...cells.map((cell) => rank[cell]))].push(number));
  return { size: order.length, width, start, end, options, masks, steps, layers, fields };
}

/** Return the field of bits that counts the uses of each item, from `first` on; the last use sets the bit `last`.
 * @param {number[]} copies @param {number} word the first one that is free */
function fieldsOf(copies, word) {
  let used = 0;
  return copies.map((most) => {
    const bits = 32 - Math.clz32(most - 1);
    if (used + bits > 30) [word, used] = [word + 1, 0];
    const shift = used;
    used += bits + 1;
    return { word, shift, first: (1 << bits) - most << shift, last: 1 << bits << shift };
  });
}

/** Return all placements on the empty board, by piece, orientation, row and column.
 * @param {Puzzle} puzzle @returns {Placement[]} */
export function placements({ cells, rows, columns, pieces }) {
  const at = new Map(cells.map(({ row, column }, number) => [row * columns + column, number]));
  /** @type {Placement[]} */
  const found = [];
  for (const { name, orientations } of pieces) {
    for (const shape of orientations) {
      for (let top = 0; top < rows; top += 1) {
        for (let left = 0; left < columns; left += 1) {
          const covered = shape.flatMap(([row, column]) =>
            (left + column < columns ? at.get((top + row) * columns + left + column) ?? [] : []));
          if (covered.length === shape.length) found.push({ piece: name, cells: covered });
        }
      }
    }
  }
  return found;
}

/** @param {Int32Array} array */
function doubled(array) {
  const longer = new Int32Array(2 * array.length);
  longer.set(array);
  return longer;
}

/** A set of states, numbered in the order of arrival. */
class States {
  /** @param {number} width */
  constructor(width) {
    this.width = width;
    this.size = 0;
    this.words = new Int32Array(width << 12);
    this.table = new Int32Array(1 << 13); // of numbers + 1, by hash; at most half full
  }

  /** Return the slot of a state, or where it belongs. @param {Int32Array} state */
  find(state) {
    const { width, words, table } = this;
    let slot = this.slot(state, 0);
    for (; table[slot]; slot = (slot + 1) & (table.length - 1)) {
      const at = (table[slot] - 1) * width;
      let word = 0;
      while (word < width && words[at + word] === state[word]) word += 1;
      if (word === width) break;
    }
    return slot;
  }

  /** @param {Int32Array} state @param {(state: Int32Array) => boolean} isDead asked of a new state
   * @returns {number} its number, `size` before it if it is new, -1 if it is dead */
  number(state, isDead) {
    const { width, table } = this, slot = this.find(state);
    if (table[slot]) return table[slot] - 1;
    if (isDead(state)) return -1;
    table[slot] = this.size + 1;
    for (let word = 0; word < width; word += 1) this.words[this.size * width + word] = state[word];
    this.size += 1;
    if (2 * this.size === table.length) this.grow();
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
    this.words = doubled(this.words);
    const table = this.table = new Int32Array(2 * this.table.length);
    for (let number = 0; number < this.size; number += 1) {
      let slot = this.slot(this.words, number * this.width);
      while (table[slot]) slot = (slot + 1) & (table.length - 1);
      table[slot] = number + 1;
    }
  }
}

/** Build a diagram from the empty board on, layer by layer.
 * @param {Problem} problem
 * @param {() => boolean} leads asked of every option that fits: is there such an arc?
 * @param {number} most states; more are an error
 * @param {(state: Int32Array) => boolean} isDead asked of a new state: does it surely lead to no tiling?
 * @param {(layer: number) => void} onLayer called after each
 * @returns {Diagram & {nodeOf: (state: Int32Array) => number}} `nodeOf` gives the node of a state, or -1 */
export function expand(problem, leads, most = Infinity, isDead = () => false, onLayer = () => {}) {
  const { size, width, start, end, masks, steps, layers } = problem;
  const states = new States(width), state = new Int32Array(width), next = new Int32Array(width);
  /** @type {number[][]} */
  const met = [...layers, []].map(() => []); // states by layer
  const [nodeless, isOpen] = [() => -1, () => false];
  met[firstFree(start, size)].push(states.number(start, isOpen));
  let option = new Int32Array(1 << 14), child = new Int32Array(1 << 14), arcs = 0;
  const from = [0], order = []; // of the nodes: their states
  for (let layer = 0; layer < size; layer += 1) {
    for (const number of met[layer]) {
      for (let word = 0; word < width; word += 1) state[word] = states.words[number * width + word];
      for (const candidate of layers[layer]) {
        let word = 0;
        const at = candidate * width;
        while (word < width && !(state[word] & masks[at + word])) word += 1;
        if (word < width || !leads()) continue;
        for (word = 0; word < width; word += 1) next[word] = state[word] + steps[at + word];
        const place = firstFree(next, size), before = states.size;
        if (place === size && next.some((bits, word) => bits !== end[word])) continue;
        const number = states.number(next, place < size ? isDead : isOpen);
        if (number < 0) continue;
        if (number === before) met[place].push(before);
        option[arcs] = candidate;
        child[arcs] = number;
        arcs += 1;
        if (arcs < option.length) continue;
        option = doubled(option);
        child = doubled(child);
      }
      order.push(number);
      from.push(arcs);
    }
    if (states.size > most) throw new Error("too-large");
    onLayer(layer + 1);
  }
  if (!met[size].length) return { problem, nodes: 0, from: new Int32Array(1), option: NONE, child: NONE, nodeOf: nodeless };
  order.push(met[size][0]);
  from.push(arcs);
  const node = new Int32Array(states.size);
  order.forEach((number, place) => { node[number] = place; });
  child = child.slice(0, arcs).map((number) => node[number]);
  const nodeOf = (/** @type {Int32Array} */ one) => {
    const number = states.table[states.find(one)] - 1;
    return number < 0 ? -1 : node[number];
  };
  return { problem, nodes: order.length, from: Int32Array.from(from), option: option.slice(0, arcs), child, nodeOf };
}

const NONE = new Int32Array(0);

/** @param {Int32Array} state @param {number} size @returns {number} the first uncovered cell */
function firstFree(state, size) {
  let word = 0;
  while (word << 5 < size && state[word] === -1) word += 1;
  const free = ~state[word];
  return Math.min(size, (word << 5) + 31 - Math.clz32(free & -free));
}

/** Read the diagram of all reveals from its file.
 * @param {Puzzle} puzzle
 * @param {Uint8Array} bytes
 * @returns {Diagram} */
export function unpack(puzzle, bytes) {
  let bit = 0;
  const leads = () => {
    const leading = (bytes[bit >> 3] >> (7 - (bit & 7))) & 1;
    bit += 1;
    return leading === 1;
  };
  const { nodeOf: _, ...diagram } = expand(problemOf(puzzle, null), bytes.length ? leads : () => false);
  if (bit > 8 * bytes.length || bit <= 8 * bytes.length - 8) {
    throw new Error("damaged");
  }
  return diagram;
}

/** Build the diagram of one reveal.
 * @param {Puzzle} puzzle
 * @param {string[]} reveal
 * @returns {Diagram} */
export function sliceOf(puzzle, reveal) {
  return expand(problemOf(puzzle, reveal), () => true, 4e6);
}
