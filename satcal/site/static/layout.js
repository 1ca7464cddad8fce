// Sizes and positions of board and tray, in pixels: the board as large as the window allows, a place for each piece around it.
import { sizeOf } from "./geometry.js";

/** @import { Puzzle } from "./types.js" */
/** @typedef {{unit: number, tray: number, board: [number, number], places: [number, number, number][], height: number}} Layout
 * a cell of the board, a cell of the tray, the corner of the board's first cell, the corner and side of each place (in the
 * order of `sides`), and the height of all
 * @typedef {{rows: number, columns: number, sides: number[]}} Needs sides of the places, in cells
 * @typedef {{ratio: number, lines: number[][], beside: boolean, lengths: number[]}} Plan
 * pieces of each column or row, and the length of each place with its gap, in cells of the board */

export const FRAME = 0.3; // of a cell: the frame around the board, and its edge
const GAP = 0.5; // of a cell of the tray, between places
const RATIOS = [0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5]; // of a cell in the tray to one of the board
const LARGE_UNIT = 72; // beyond this size of a cell, more room goes to the tray first
const MAX_SPARE = 1.5; // cells of the tray: more room between places is left at the ends
const MIN_UNIT = 14; // a smaller window scrolls
const FINISH_REM = 8.25; // height of the words at the finish
const SIDEWAYS = "(max-height: 30rem) and (min-width: 30.01rem)"; // a phone on its side, as in style.css

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Return the side of each piece's place, in cells. @param {Puzzle} puzzle */
export const traySizes = ({ pieces }) => pieces.flatMap(({ copies, orientations }) => Array(copies).fill(Math.max(...sizeOf(orientations[0]))));

/** Lay out board and tray. Places are squares, in which a piece can be turned, and stay empty when it has left.
 * @param {number} width @param {number} height @param {Needs} needs @returns {Layout} */
export function computeLayout(width, height, needs) {
  const { rows, columns, sides } = needs;
  const board = [columns + 2 * FRAME, rows + 2 * FRAME];
  let best = { unit: 0, plan: /** @type {Plan | null} */ (null) };
  for (const ratio of RATIOS) {
    for (const plan of allPlans(sides, ratio)) {
      const [wide, high] = measure(plan, board);
      const unit = Math.min(width / wide, height / high);
      if (unit > best.unit + 1e-9) best = { unit, plan };
    }
    if (best.unit < LARGE_UNIT) continue;
    // a smaller tray would allow a larger board, but then a larger window could have a smaller one
    if (ratio < RATIOS[0]) best.unit = LARGE_UNIT;
    break;
  }
  const { plan } = best;
  const unit = Math.max(MIN_UNIT, Math.floor((plan ? best.unit : Math.min(width / board[0], height / board[1])) * 4) / 4);
  if (plan) return layOut(plan, unit, width, height, needs);
  return { unit, tray: unit, board: [(width - columns * unit) / 2, (height - rows * unit) / 2], places: [], height };
}

/** Return the ways to lay the tray: in columns on both sides of the board, or in rows below it.
 * @param {number[]} sides @param {number} ratio @returns {Plan[]} */
function allPlans(sides, ratio) {
  const lengths = sides.map((side) => (side + GAP) * ratio);
  const order = sides.map((_, piece) => piece).sort((a, b) => sides[b] - sides[a] || a - b);
  return Array.from({ length: Math.min(sides.length, 8) }, (_, index) => index + 1).flatMap((count) => {
    const first = (/** @type {number} */ line) => Math.ceil((line * order.length) / count);
    const lines = Array.from({ length: count }, (_, line) => order.slice(first(line), first(line + 1)));
    return [true, false].slice(count % 2).map((beside) => ({ ratio, beside, lines, lengths }));
  });
}

/** Return the lines on the left of the board, outermost first, and those on its right. @param {number[][]} lines */
const halves = (lines) => [lines.filter((_, line) => line % 2 === 0), lines.filter((_, line) => line % 2).reverse()];
/** @param {Plan} plan @param {number[]} line */
const thickness = ({ lengths }, line) => Math.max(...line.map((piece) => lengths[piece]));

/** Return the width and height of all, in cells of the board. @param {Plan} plan @param {number[]} board */
function measure(plan, [wide, high]) {
  const { lengths, lines, beside } = plan;
  const longest = Math.max(...lines.map((line) => sum(line.map((piece) => lengths[piece]))));
  const thick = (/** @type {number[][]} */ group) => sum(group.map((line) => thickness(plan, line)));
  return beside ? [wide + 2 * Math.max(...halves(lines).map(thick)), Math.max(high, longest)] : [Math.max(wide, longest), high + thick(lines)];
}

/** Share out the room. @param {Plan} plan @param {number} unit @param {number} width @param {number} height
 * @param {Needs} needs @returns {Layout} */
function layOut(plan, unit, width, height, { rows, columns, sides }) {
  const { ratio, lines, beside, lengths } = plan;
  const tray = unit * ratio;
  const [wide, high] = [(columns + 2 * FRAME) * unit, (rows + 2 * FRAME) * unit];
  const maxCount = Math.max(...lines.map((line) => line.length));
  const largest = Math.max(...lengths);
  /** @type {[number, number, number][]} */
  const places = [];
  /** Lay lines side by side; where there is room, all places have the same share, so that they also stand in line across.
   * @param {number[][]} group @param {number} across where the first line begins @param {number} spare between lines
   * @param {number} from @param {number} room along the lines */
  const layLines = (group, across, spare, from, room) => {
    const isEven = maxCount * largest * unit <= room;
    for (const line of group) {
      const shares = line.map((piece) => (isEven ? largest : lengths[piece]) * unit);
      const extra = Math.min(Math.max(0, isEven ? room / maxCount - largest * unit : (room - sum(shares)) / line.length), MAX_SPARE * tray);
      let along = from + (room - sum(shares) - extra * line.length) / 2;
      line.forEach((piece, index) => {
        const side = sides[piece] * tray;
        const [offsetAlong, offsetAcross] = [along + (shares[index] + extra - side) / 2, across + (thickness(plan, line) * unit - side) / 2];
        places[piece] = beside ? [offsetAcross, offsetAlong, side] : [offsetAlong, offsetAcross, side];
        along += shares[index] + extra;
      });
      across += thickness(plan, line) * unit + spare;
    }
  };
  const thick = (/** @type {number[][]} */ group) => sum(group.map((line) => thickness(plan, line))) * unit;
  if (beside) {
    const margin = (width - wide) / 2;
    halves(lines).forEach((half, right) => {
      const spare = Math.max(0, margin - thick(half)) / (half.length + 1);
      layLines(half, right * (width - margin) + spare, spare, 0, height);
    });
    return { unit, tray, board: [margin + FRAME * unit, Math.max(0, (height - high) / 2) + FRAME * unit], places, height: Math.max(height, high) };
  }
  const used = high + thick(lines);
  const spare = Math.max(0, height - used) / (lines.length + 2);
  const room = Math.min(width, Math.max(wide * 1.25, ...lines.map((line) => sum(line.map((piece) => lengths[piece])) * unit)));
  layLines(lines, high + 1.5 * spare, spare, (width - room) / 2, room);
  return { unit, tray, board: [(width - columns * unit) / 2, spare / 2 + FRAME * unit], places, height: Math.max(height, used) };
}

/** Return how the scene moves at the finish: the board has all of the table but the room of the words, which stand below it,
 * on a phone on its side beside it. @param {Layout} layout @param {number} width @param {number} height @param {Needs} needs */
export function computeFinish({ unit, board: [left, top] }, width, height, needs) {
  const isBeside = matchMedia(SIDEWAYS).matches;
  const words = isBeside ? 0 : FINISH_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const alone = computeLayout(width * (isBeside ? 0.64 : 1), Math.max(height * 0.55, height - words), { ...needs, sides: [] });
  const scale = alone.unit / unit;
  return { x: alone.board[0] - left * scale, y: alone.board[1] - top * scale, scale };
}
