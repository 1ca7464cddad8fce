// Sizes and positions of board and tray, in pixels: the board as large as the window allows, a grid of places for the pieces.
import { sizeOf } from "./geometry.js";

/** @import { Puzzle } from "./types.js" */
/** @typedef {{unit: number, tray: number, board: [number, number], places: [number, number, number][], height: number,
 *   card: [number, number, number], beside: boolean}} Layout
 * a cell of the board, a cell of the tray, the corner of the board's first cell, the corner and side of each place (in the
 * order of `sides`), the height of all, left, top and width of the room for the finish, and whether it is beside the board
 * @typedef {{rows: number, columns: number, sides: number[]}} Needs sides of the places, in cells
 * @typedef {{beside: boolean, lines: number[][], columns: number[], rows: number[]}} Plan
 * pieces of each row of the tray; the widths of its columns and the heights of its rows, in cells of the tray */

export const FRAME = 0.3; // of a cell: the frame around the board, and its edge
const GAP = 0.3; // of a cell of the tray, between places
const RATIOS = [0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5]; // of a cell in the tray to one of the board
const SMALL_RATIO = 0.5; // on phones
const USUAL_RATIO = 0.6; // where cells are larger than SMALL_UNIT
const SMALL_UNIT = 56;
const MAX_SPARE = 1.2; // cells of the tray: more room between places is left at the ends
const MIN_UNIT = 14; // a smaller window scrolls

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Return the side of each piece's place, in cells. @param {Puzzle} puzzle */
export const traySizes = ({ pieces }) => pieces.flatMap(({ copies, orientations }) => Array(copies).fill(Math.max(...sizeOf(orientations[0]))));

/** Lay out board and tray. Places are squares, in which a piece can be turned, and stay empty when it has left.
 * @param {number} width @param {number} height @param {Needs} needs @returns {Layout} */
export function computeLayout(width, height, needs) {
  const { rows, columns, sides } = needs;
  const [wide, high] = [columns + 2 * FRAME, rows + 2 * FRAME];
  const plans = allPlans(sides);
  const fit = (/** @type {Plan} */ plan, /** @type {number} */ ratio) => {
    const [across, down] = [sum(plan.columns), sum(plan.rows)].map((length) => length * ratio);
    return plan.beside ? Math.min(width / (wide + across), height / Math.max(high, down)) : Math.min(width / Math.max(wide, across), height / (high + down));
  };
  // a small tray alone may make the cells as large as a phone needs, not larger: so no larger window has a smaller board
  const largest = (/** @type {number} */ ratio) => Math.max(...plans.map((plan) => fit(plan, ratio)));
  const unit = Math.max(MIN_UNIT, Math.floor(Math.max(largest(USUAL_RATIO), Math.min(largest(SMALL_RATIO), SMALL_UNIT)) * 4) / 4);
  for (const ratio of RATIOS) {
    const plan = plans.find((each) => fit(each, ratio) >= unit);
    if (plan) return layOut(plan, unit, unit * ratio, width, height, needs);
  }
  return layOut(plans.reduce((one, other) => (fit(other, SMALL_RATIO) > fit(one, SMALL_RATIO) ? other : one)), unit, unit * SMALL_RATIO, width, height, needs);
}

/** Return the ways to lay the tray as a grid, beside the board or below it, those with even rows first.
 * @param {number[]} sides @returns {Plan[]} */
function allPlans(sides) {
  const order = sides.map((_, piece) => piece).sort((a, b) => sides[b] - sides[a] || a - b);
  const longest = (/** @type {number[]} */ pieces) => GAP + Math.max(...pieces.map((piece) => sides[piece]));
  const grids = sides.map((_, index) => {
    const count = index + 1;
    const lines = Array.from({ length: Math.ceil(sides.length / count) }, (_unused, line) => order.slice(line * count, (line + 1) * count));
    return { lines, columns: lines[0].map((_unused, at) => longest(lines.flatMap((line) => line.slice(at, at + 1)))), rows: lines.map(longest) };
  });
  const empty = (/** @type {{lines: number[][]}} */ { lines }) => lines[0].length - lines[lines.length - 1].length;
  return grids.sort((one, other) => empty(one) - empty(other)).flatMap((grid) => [true, false].map((beside) => ({ ...grid, beside })));
}

/** Share out the room. @param {Plan} plan @param {number} unit @param {number} tray a cell of it @param {number} width
 * @param {number} height @param {Needs} needs @returns {Layout} */
function layOut({ beside, lines, columns: across, rows: down }, unit, tray, width, height, { rows, columns, sides }) {
  const [wide, high] = [(columns + 2 * FRAME) * unit, (rows + 2 * FRAME) * unit];
  const [room, depth] = beside ? [width - wide, Math.max(height, high)] : [width, height - high];
  const [trackWidths, trackHeights] = [spread(across, tray, room), spread(down, tray, depth)];
  const [trayWidth, trayHeight] = [sum(trackWidths), sum(trackHeights)];
  const spare = beside ? Math.max(0, room - trayWidth) / 3 : Math.max(0, depth - trayHeight) / 3; // before, between and after
  const [left, top] = beside ? [spare, Math.max(0, height - high) / 2] : [(width - wide) / 2, spare / 2];
  const [trayLeft, trayTop] = beside ? [wide + 2 * spare, Math.max(0, depth - trayHeight) / 2] : [(width - trayWidth) / 2, high + 1.5 * spare];
  /** @type {[number, number, number][]} */
  const places = [];
  let y = trayTop;
  lines.forEach((line, row) => {
    const isShort = line.length < across.length; // the last row stands in the middle
    let x = trayLeft + (isShort ? (trayWidth - sum(trackWidths.slice(0, line.length))) / 2 : 0);
    line.forEach((piece, column) => {
      const side = sides[piece] * tray;
      places[piece] = [x + (trackWidths[column] - side) / 2, y + (trackHeights[row] - side) / 2, side];
      x += trackWidths[column];
    });
    y += trackHeights[row];
  });
  return { unit, tray, board: [left + FRAME * unit, top + FRAME * unit], places, beside,
    height: Math.max(height, beside ? trayHeight : top + high + trayHeight), card: beside ? [left + wide, top, width - left - wide] : [0, top + high, width] };
}

/** Return the lengths of the tracks of a grid in pixels: even ones where there is room, with some more between them.
 * @param {number[]} lengths in cells of the tray @param {number} tray @param {number} room */
function spread(lengths, tray, room) {
  const largest = Math.max(...lengths) * tray;
  const least = largest * lengths.length <= room ? lengths.map(() => largest) : lengths.map((length) => length * tray);
  const extra = Math.min(Math.max(0, room - sum(least)) / lengths.length, MAX_SPARE * tray);
  return least.map((length) => length + extra);
}
