// Shapes as sets of cells: moved to the corner, in all the ways they may lie, and their connected parts.
import { key, sortCells } from "./geometry.js";

/** @import { Spot } from "./geometry.js" */

/** Return cells moved to row 0 and column 0, row by row. @param {Spot[]} cells @returns {Spot[]} */
export function toOrigin(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  return sortCells(cells.map(([row, column]) => [row - top, column - left]));
}

/** Return the distinct orientations of a shape, the drawing and its clockwise turns first. @param {Spot[]} cells @param {boolean} flip */
export function orientationsOf(cells, flip) {
  /** @type {Map<string, Spot[]>} */
  const found = new Map();
  for (const sign of flip ? [1, -1] : [1]) {
    let turned = cells.map(([row, column]) => /** @type {Spot} */ ([row, sign * column]));
    for (let turns = 0; turns < 4; turns += 1) {
      const shape = toOrigin(turned);
      if (!found.has(shape.join(" "))) found.set(shape.join(" "), shape);
      turned = turned.map(([row, column]) => [column, -row]);
    }
  }
  return [...found.values()];
}

/** Return a text that is equal for the turned and flipped forms of a shape. @param {Spot[]} cells */
export const freeForm = (cells) => orientationsOf(cells, true).map((each) => each.join(" ")).sort()[0];

/** Return the parts of cells that are joined edge to edge. @param {Spot[]} cells @returns {Spot[][]} */
export function connectedParts(cells) {
  const left = new Map(cells.map((cell) => [key(cell), cell]));
  /** @type {Spot[][]} */
  const parts = [];
  for (const first of cells) {
    if (!left.delete(key(first))) continue;
    const part = [first];
    for (const [row, column] of part) { // the list grows
      for (const near of /** @type {Spot[]} */ ([[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]])) {
        const next = left.get(key(near));
        if (next && left.delete(key(near))) part.push(next);
      }
    }
    parts.push(part);
  }
  return parts;
}

/** Return whether cells are joined edge to edge. @param {Spot[]} cells */
export const isJoined = (cells) => connectedParts(cells).length === 1;
