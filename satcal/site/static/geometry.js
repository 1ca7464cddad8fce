// Cells, orientations, outlines and colours. A cell is [row, column].

/** @typedef {[number, number]} Spot */

export const UNIT = 10; // of an SVG, per cell

/** @param {Spot} cell */
export const key = (cell) => cell.join();
/** @param {Spot[]} cells */
export const sortCells = (cells) => [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
/** @param {Spot[]} cells @param {Spot} by @returns {Spot[]} */
export const offsetCells = (cells, by) => cells.map(([r, c]) => [r + by[0], c + by[1]]);
/** Return rows and columns of a shape that touches row 0 and column 0. @param {Spot[]} cells */
export const sizeOf = (cells) => [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));

/** Return where a cell goes when its shape is turned to the right, or flipped.
 * @param {"turn" | "flip"} how @param {Spot} cell @param {Spot[]} shape @returns {Spot} */
export function transformCell(how, [row, column], shape) {
  const [high, wide] = sizeOf(shape);
  return how === "turn" ? [column, high - 1 - row] : [row, wide - 1 - column];
}

/** @param {"turn" | "flip"} how @param {Spot[]} shape */
export const transformShape = (how, shape) => sortCells(shape.map((cell) => transformCell(how, cell, shape)));

/** Return the cell nearest to a point. @param {Spot[]} cells @param {number[]} point */
export function nearestCell(cells, [row, column]) {
  const distance = (/** @type {Spot} */ [r, c]) => (r - row) ** 2 + (c - column) ** 2;
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

/** Return the cell nearest to the middle of a shape. @param {Spot[]} cells */
export const centreCell = (cells) => nearestCell(
  cells, [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length));

/** Return the corners of the outline of cells, loop by loop, as [x, y] in cells, with the inside on the right; where cells
 * touch at a corner, a loop stays along the same cell. See satcal/draw/outline.py. @param {Spot[]} cells */
function outlineLoops(cells) {
  const inside = new Set(cells.map(key));
  /** @type {Map<string, {at: Spot, side: number}>} by start and side: 0 is above a cell, then clockwise */
  const edges = new Map();
  const edgeKey = (/** @type {Spot} */ at, /** @type {number} */ side) => `${at} ${side}`;
  for (const [r, c] of cells) {
    /** @type {[Spot, Spot][]} beyond each side, and its start */
    const sides = [[[r - 1, c], [c, r]], [[r, c + 1], [c + 1, r]], [[r + 1, c], [c + 1, r + 1]], [[r, c - 1], [c, r + 1]]];
    sides.forEach(([beyond, at], side) => inside.has(key(beyond)) || edges.set(edgeKey(at, side), { at, side }));
  }
  const found = [], left = new Set(edges.keys());
  for (const first of edges.values()) {
    /** @type {(typeof first)[]} */
    const loop = [];
    for (let { at, side } = first; left.delete(edgeKey(at, side));) {
      loop.push({ at, side });
      at = [at[0] + [1, 0, -1, 0][side], at[1] + [0, 1, 0, -1][side]];
      side = [side + 1, side, side + 3].map((each) => each % 4).find((each) => edges.has(edgeKey(at, each))) ?? side;
    }
    if (loop.length) found.push(loop.filter((edge, index) => edge.side !== loop.at(index - 1)?.side).map(({ at }) => at));
  }
  return found;
}

/** Return the outline of cells as the data of an SVG path.
 * @param {Spot[]} cells @param {number} [radius] in cells @param {number} [inset] in cells */
export function outline(cells, radius = 0, inset = 0) {
  const number = (/** @type {number} */ value) => String(Math.round(value * UNIT * 100) / 100);
  return outlineLoops(cells).map((loop) => {
    const corners = inset ? loop.map((corner, at) => insetCorner(loop.at(at - 1) ?? corner, corner, loop[(at + 1) % loop.length], inset)) : loop;
    const parts = corners.map((corner, at) => {
      const [before, after] = [corners.at(at - 1) ?? corner, corners[(at + 1) % corners.length]];
      const [one, two] = [before, after].map((other) => corner.map((value, axis) => value + radius * Math.sign(other[axis] - value)));
      const to = (/** @type {number[]} */ point) => point.map(number).join(" ");
      return radius ? `${at ? "L" : "M"}${to(one)}Q${to(corner)} ${to(two)}` : `${at ? "L" : "M"}${to(corner)}`;
    });
    return `${parts.join("")}Z`;
  }).join("");
}

/** Return a corner moved inwards, with the inside on the right (outwards, if less than 0).
 * @param {Spot} before @param {Spot} corner @param {Spot} after @param {number} by @returns {Spot} */
function insetCorner(before, corner, after, by) {
  const direction = (/** @type {Spot} */ a, /** @type {Spot} */ b) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];
  const [[inX, inY], [outX, outY]] = [direction(before, corner), direction(corner, after)];
  return [corner[0] - by * (inY + outY), corner[1] + by * (inX + outX)];
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {...Node} children */
export function createSvg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...children);
  return /** @type {SVGElement} */ (made);
}

/** Return an element of HTML; a value that is not a property of it, such as aria-label, becomes an attribute.
 * @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Record<string, unknown>} values
 * @param {...(Node | string)} children @returns {HTMLElementTagNameMap[Name]} */
export function createElement(name, values = {}, ...children) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(values)) {
    if (property in made) Reflect.set(made, property, value);
    else made.setAttribute(property, String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
export const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));
/** Mark a button as disabled; it can keep the focus. @param {string} id @param {boolean} off */
export const setDisabled = (id, off) => byId(id).setAttribute("aria-disabled", String(off));

/** Return whether white letters have more contrast on a colour than black ones (WCAG 2.2: below a luminance of 0.179).
 * @param {string} colour #rrggbb */
export function needsLightText(colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) ** 2 < 1.05 * 0.05;
}
