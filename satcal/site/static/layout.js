// Finds the largest cell with which the board and a place for every piece fit into the window.

const PARTS = 4; // of a cell: the gap between pieces is one
const MOST = 64; // pixels of a cell
const LEAST = 12;

/** Places are square, so that a piece can be turned where it lies, and keep their size and place
 * during a game: nothing jumps when a piece is taken. They surround the board where there is room.
 *
 * @typedef {{unit: number, height: number, board: [number, number], places: [number, number][]}} Layout
 * in pixels: of a cell, of all, and where board and places (in the order of `sides`) begin
 * @param {number} width @param {number} height of what can be used
 * @param {number} rows @param {number} columns of the board
 * @param {number[]} sides of the places, in cells
 * @returns {Layout} */
export function arrange(width, height, rows, columns, sides) {
  const order = sides.map((_, piece) => piece).sort((a, b) => sides[b] - sides[a] || a - b);
  const wide = (/** @type {number} */ unit) => Math.floor((width * PARTS) / unit) + 1;
  for (let unit = MOST; unit >= LEAST; unit -= 1) {
    const high = Math.floor((height * PARTS) / unit) + 1;
    const found = pack(wide(unit), high, rows, columns, sides, order);
    if (found) return spread(found, unit, width, height, rows, columns, sides);
  }
  const unit = Math.min(LEAST, Math.floor(width / columns)); // a tiny window scrolls
  const high = PARTS * (rows + sides.reduce((sum, side) => sum + side + 1, 2));
  const found = pack(wide(unit), high, rows, columns, sides, order) ?? sides.map(() => [0, 0]);
  const needed = Math.max(rows * PARTS, ...found.map((place, piece) => place[0] + sides[piece] * PARTS));
  return spread(found, unit, width, (needed * unit) / PARTS, rows, columns, sides);
}

/** First fit, large pieces first, row by row: [row, column] of each place in parts of a cell.
 * @param {number} wide @param {number} high @param {number} rows @param {number} columns
 * @param {number[]} sides @param {number[]} order
 * @returns {number[][] | null} */
function pack(wide, high, rows, columns, sides, order) {
  const span = (/** @type {number} */ cells) => cells * PARTS + 1;
  const area = sides.reduce((sum, side) => sum + span(side) ** 2, span(rows) * span(columns));
  if (span(rows) > high || span(columns) > wide || area > wide * high) return null;
  const taken = new Uint8Array(wide * high);
  const fill = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ h, /** @type {number} */ w) => {
    for (let row = r; row < r + h; row += 1) taken.fill(1, row * wide + c, row * wide + c + w);
  };
  fill(0, 0, span(rows), span(columns));
  /** @type {number[][]} */
  const found = [];
  for (const piece of order) {
    const place = firstFree(taken, wide, high, span(sides[piece]));
    if (!place) return null;
    fill(place[0], place[1], span(sides[piece]), span(sides[piece]));
    found[piece] = place;
  }
  return found;
}

/** @param {Uint8Array} taken @param {number} wide @param {number} high @param {number} side */
function firstFree(taken, wide, high, side) {
  for (let row = 0; row + side <= high; row += 1) {
    for (let column = 0; column + side <= wide; column += 1) {
      const blocked = lastTaken(taken, wide, row, column, side);
      if (blocked < 0) return [row, column];
      column = blocked;
    }
  }
  return null;
}

/** The last column of a square in which something is taken, or -1.
 * @param {Uint8Array} taken @param {number} wide @param {number} row @param {number} column @param {number} side */
function lastTaken(taken, wide, row, column, side) {
  for (let c = column + side - 1; c >= column; c -= 1) {
    for (let r = row; r < row + side; r += 1) if (taken[r * wide + c]) return c;
  }
  return -1;
}

/** Centres what was packed; below the board, each row of places for itself.
 * @param {number[][]} found @param {number} unit @param {number} width @param {number} height
 * @param {number} rows @param {number} columns @param {number[]} sides
 * @returns {Layout} */
function spread(found, unit, width, height, rows, columns, sides) {
  const part = unit / PARTS;
  const ends = (/** @type {number} */ piece, /** @type {number} */ axis) => found[piece][axis] + sides[piece] * PARTS;
  const every = found.map((_, piece) => piece).sort((a, b) => found[a][0] - found[b][0]);
  const bands = [{ end: rows * PARTS + 1, right: columns * PARTS, pieces: /** @type {number[]} */ ([]) }];
  for (const piece of every) { // a band is what lies side by side
    const last = bands[bands.length - 1];
    const band = found[piece][0] < last.end ? last : { end: 0, right: 0, pieces: [] };
    if (band !== last) bands.push(band);
    band.end = Math.max(band.end, ends(piece, 0) + 1);
    band.right = Math.max(band.right, ends(piece, 1));
    band.pieces.push(piece);
  }
  const used = (bands[bands.length - 1].end - 1) * part;
  const down = Math.max(0, Math.floor((height - used) / 2));
  const shift = (/** @type {number} */ right) => Math.max(0, Math.floor((width - right * part) / 2));
  /** @type {[number, number][]} */
  const places = [];
  for (const { right, pieces } of bands) {
    for (const piece of pieces) places[piece] = [shift(right) + found[piece][1] * part, down + found[piece][0] * part];
  }
  return { unit, height: used, board: [shift(bands[0].right), down], places };
}
