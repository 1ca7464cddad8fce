// Where board and tray are: the board as large as the window allows, a place for every piece around it.

/** @typedef {{unit: number, tray: number, board: [number, number], places: [number, number, number][], height: number}} Layout
 * in pixels: a cell of the board, a cell in the tray, where the board's first cell begins, where each
 * place begins and how long its side is (in the order of `sides`), and how high all of it is
 * @typedef {{rows: number, columns: number, sides: number[]}} Needs sides of the places, in cells
 * @typedef {{ratio: number, lines: number[][], beside: boolean}} Plan pieces of each column, or row */

export const FRAME = 0.3; // of a cell: the frame around the board, and its edge
const GAP = 0.5; // of a cell of the tray, between places
const RATIOS = [0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5]; // of a cell in the tray to one of the board
const LARGE = 72; // pixels of a cell of the board: what more room there is goes to the tray first
const MAX_SPARE = 1.5; // cells of the tray: more room between places is left at the ends
const LEAST = 14; // pixels of a cell: a smaller window scrolls

/** Places are squares, so that a piece can be turned where it lies, and stay empty when it has left:
 * nothing jumps. @param {number} width @param {number} height @param {Needs} needs @returns {Layout} */
export function arrange(width, height, needs) {
  const { rows, columns, sides } = needs;
  const board = [columns + 2 * FRAME, rows + 2 * FRAME];
  let best = { unit: 0, plan: /** @type {Plan | null} */ (null) };
  for (const ratio of RATIOS) {
    for (const plan of plans(sides, ratio)) {
      const [wide, high] = extent(plan, board, sides);
      const unit = Math.min(width / wide, height / high);
      if (unit > best.unit + 1e-9) best = { unit, plan };
    }
    if (best.unit < LARGE) continue;
    // with a smaller tray it could be larger: it is as large as in every other window of this kind, so that no larger
    // window has a smaller board
    if (ratio < RATIOS[0]) best.unit = LARGE;
    break;
  }
  const even = (/** @type {number} */ value) => Math.max(LEAST, Math.floor(value * 4) / 4);
  if (!best.plan) {
    const unit = even(Math.min(width / board[0], height / board[1]));
    return { unit, tray: unit, board: [(width - columns * unit) / 2, (height - rows * unit) / 2], places: [], height };
  }
  return spread(best.plan, even(best.unit), width, height, needs);
}

/** Ways to lay the tray: in columns on both sides of the board, or in rows below it.
 * @param {number[]} sides @param {number} ratio @returns {Plan[]} */
function plans(sides, ratio) {
  const order = sides.map((_, piece) => piece).sort((a, b) => sides[b] - sides[a] || a - b);
  const found = [];
  for (let lines = 1; lines <= Math.min(sides.length, 8); lines += 1) {
    const first = (/** @type {number} */ line) => Math.ceil((line * order.length) / lines); // even lines
    const chunks = Array.from({ length: lines }, (_, line) => order.slice(first(line), first(line + 1)));
    if (lines % 2 === 0) found.push({ ratio, beside: true, lines: chunks });
    found.push({ ratio, beside: false, lines: chunks });
  }
  return found;
}

/** Lines on the left of the board, outermost first; the others are on its right.
 * @param {number[][]} lines */
const onTheLeft = (lines) => lines.filter((_, line) => line % 2 === 0);
/** @param {number[][]} lines */
const onTheRight = (lines) => lines.filter((_, line) => line % 2).reverse();

/** Width and height of all, in cells of the board. @param {Plan} plan @param {number[]} board @param {number[]} sides */
function extent({ ratio, lines, beside }, [wide, high], sides) {
  const place = (/** @type {number} */ piece) => (sides[piece] + GAP) * ratio;
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const thick = (/** @type {number[]} */ line) => Math.max(...line.map(place));
  if (!beside) return [Math.max(wide, ...lines.map((line) => sum(line.map(place)))), high + sum(lines.map(thick))];
  const half = Math.max(...[onTheLeft(lines), onTheRight(lines)].map((half) => sum(half.map(thick))));
  return [wide + 2 * half, Math.max(high, ...lines.map((line) => sum(line.map(place))))];
}

/** Shares out the room. @param {Plan} plan @param {number} unit @param {number} width @param {number} height
 * @param {Needs} needs @returns {Layout} */
function spread({ ratio, lines, beside }, unit, width, height, { rows, columns, sides }) {
  const tray = unit * ratio;
  const place = (/** @type {number} */ piece) => (sides[piece] + GAP) * tray;
  const [wide, high] = [(columns + 2 * FRAME) * unit, (rows + 2 * FRAME) * unit];
  /** @type {[number, number, number][]} */
  const places = [];
  /** Even shares along a line, each place in the middle of its own.
   * @param {number[]} line @param {number} across the middle of the line @param {number} from @param {number} room @param {boolean} down */
  const lay = (line, across, from, room, down) => {
    const used = line.reduce((total, piece) => total + place(piece), 0);
    const spare = Math.min(Math.max(0, room - used) / line.length, MAX_SPARE * tray);
    let along = from + (room - used - spare * line.length) / 2;
    for (const piece of line) {
      const share = place(piece) + spare;
      const side = sides[piece] * tray;
      const [low, near] = [along + (share - side) / 2, across - side / 2];
      places[piece] = down ? [near, low, side] : [low, near, side];
      along += share;
    }
  };
  const thick = (/** @type {number[]} */ line) => Math.max(...line.map(place));
  if (beside) {
    const down = Math.max(0, (height - high) / 2);
    const margin = (width - wide) / 2;
    for (const [half, from] of /** @type {[number[][], number][]} */ ([[onTheLeft(lines), 0], [onTheRight(lines), width - margin]])) {
      const spare = Math.max(0, margin - half.reduce((total, line) => total + thick(line), 0)) / (half.length + 1);
      let across = from + spare;
      for (const line of half) {
        lay(line, across + thick(line) / 2, 0, height, true);
        across += thick(line) + spare;
      }
    }
    return { unit, tray, board: [margin + FRAME * unit, down + FRAME * unit], places, height: Math.max(height, high) };
  }
  const used = high + lines.reduce((total, line) => total + thick(line), 0);
  const spare = Math.max(0, height - used) / (lines.length + 2);
  const room = Math.min(width, Math.max(wide * 1.25, ...lines.map((line) => line.reduce((total, piece) => total + place(piece), 0))));
  const top = spare / 2;
  let across = top + high + spare;
  for (const line of lines) {
    lay(line, across + thick(line) / 2, (width - room) / 2, room, false);
    across += thick(line) + spare;
  }
  return { unit, tray, board: [(width - columns * unit) / 2, top + FRAME * unit], places, height: Math.max(height, used) };
}
