// Finds the largest cell with which the board and a place for every piece fit into the window.

/** @typedef {{unit: number, height: number, board: [number, number], places: [number, number][]}} Layout
 * in pixels: of a cell, of all, and where board and places (in the order of `sides`) begin
 * @typedef {{rows: number, columns: number, sides: number[]}} Needs sides of the places, in cells */

const PARTS = 4; // of a cell: the gap between pieces is one
const MOST = 64; // pixels of a cell
const LEAST = 12;

/** Places are square, so that a piece can be turned where it lies, and keep their size and place during
 * a game: nothing jumps when a piece is taken. They surround the board where there is room.
 * @param {number} width @param {number} height @param {Needs} needs @returns {Layout} */
export function arrange(width, height, needs) {
  const parts = (/** @type {number} */ pixels, /** @type {number} */ unit) => Math.floor((pixels * PARTS) / unit) + 1;
  for (let unit = MOST; unit; unit -= 1) {
    const high = unit > LEAST ? parts(height, unit) : 9999; // a tiny window scrolls
    const found = pack(parts(width, unit), high, needs);
    if (found) return spread(found, unit, width, height, needs);
  }
  return spread(needs.sides.map(() => [0, 0]), 1, width, height, needs);
}

/** @param {number} cells */
const span = (cells) => cells * PARTS + 1;

/** Large pieces first, each as high up as it goes: [row, column] of each place in parts of a cell.
 * @param {number} wide @param {number} high @param {Needs} needs */
function pack(wide, high, { rows, columns, sides }) {
  if (span(rows) > high || span(columns) > wide) return null;
  const filled = Array.from({ length: wide }, (_, column) => (column < span(columns) ? span(rows) : 0)); // from above
  /** @type {number[][]} */
  const found = [];
  for (const piece of sides.map((_, each) => each).sort((a, b) => sides[b] - sides[a] || a - b)) {
    const side = span(sides[piece]);
    let best = [high - side + 1, 0];
    for (let column = 0; column + side <= wide; column += 1) {
      const row = Math.max(...filled.slice(column, column + side));
      if (row < best[0]) best = [row, column];
    }
    if (best[0] + side > high) return null;
    filled.fill(best[0] + side, best[1], best[1] + side);
    found[piece] = best;
  }
  return found;
}

/** Centres what was packed; below the board, each row of places for itself.
 * @param {number[][]} found @param {number} unit @param {number} width @param {number} height
 * @param {Needs} needs @returns {Layout} */
function spread(found, unit, width, height, { rows, columns, sides }) {
  const part = unit / PARTS;
  const bands = [{ end: span(rows), right: columns * PARTS, pieces: /** @type {number[]} */ ([]) }];
  for (const piece of sides.map((_, each) => each).sort((a, b) => found[a][0] - found[b][0])) {
    const [row, column] = found[piece];
    if (row >= bands[0].end) bands.unshift({ end: 0, right: 0, pieces: [] }); // a band is what lies side by side
    bands[0].end = Math.max(bands[0].end, row + span(sides[piece]));
    bands[0].right = Math.max(bands[0].right, column + sides[piece] * PARTS);
    bands[0].pieces.push(piece);
  }
  const used = (bands[0].end - 1) * part;
  const middle = (/** @type {number} */ room, /** @type {number} */ size) => Math.max(0, Math.floor((room - size) / 2));
  const down = middle(height, used);
  /** @type {[number, number][]} */
  const places = [];
  for (const { right, pieces } of bands) {
    for (const piece of pieces) {
      places[piece] = [middle(width, right * part) + found[piece][1] * part, down + found[piece][0] * part];
    }
  }
  const across = middle(width, (bands.at(-1)?.right ?? 0) * part);
  return { unit, height: used, board: [across, down], places };
}
