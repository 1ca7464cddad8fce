// Cells, orientations, outlines and colours. A cell is [row, column].

/** @typedef {[number, number]} Spot */

export const UNIT = 10; // of an SVG, per cell

/** @param {Spot} cell */
export const key = (cell) => cell.join();
/** @param {Spot[]} cells */
export const sorted = (cells) => [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
/** @param {Spot[]} cells @param {Spot} by @returns {Spot[]} */
export const moved = (cells, by) => cells.map(([r, c]) => [r + by[0], c + by[1]]);
/** Rows and columns of a shape that touches row 0 and column 0. @param {Spot[]} cells */
export const size = (cells) => [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));

/** Where a cell of a shape goes when the shape is turned to the right, or turned over.
 * @param {"turn" | "flip"} how @param {Spot} cell @param {Spot[]} shape @returns {Spot} */
export function follow(how, [row, column], shape) {
  const [high, wide] = size(shape);
  return how === "turn" ? [column, high - 1 - row] : [row, wide - 1 - column];
}

/** @param {"turn" | "flip"} how @param {Spot[]} shape */
export const changed = (how, shape) => sorted(shape.map((cell) => follow(how, cell, shape)));

/** The cell nearest to a point. @param {Spot[]} cells @param {number[]} point */
export function nearest(cells, [row, column]) {
  const far = (/** @type {Spot} */ [r, c]) => (r - row) ** 2 + (c - column) ** 2;
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}

/** The cell of a shape by which it is held when nobody said by which. @param {Spot[]} cells */
export const grip = (cells) => nearest(
  cells, [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length));

/** The corners of the outline of cells, loop by loop, as [x, y] in cells: edges between inside and
 * outside, linked corner to corner with the inside on the right. @param {Spot[]} cells */
export function loops(cells) {
  const inside = new Set(cells.map(key));
  /** @type {Map<string, Spot[]>} */
  const from = new Map();
  const edge = (/** @type {Spot} */ beyond, /** @type {Spot} */ a, /** @type {Spot} */ b) => {
    if (!inside.has(key(beyond))) from.set(key(a), [...(from.get(key(a)) ?? []), b]);
  };
  for (const [r, c] of cells) {
    edge([r - 1, c], [c, r], [c + 1, r]);
    edge([r, c + 1], [c + 1, r], [c + 1, r + 1]);
    edge([r + 1, c], [c + 1, r + 1], [c, r + 1]);
    edge([r, c - 1], [c, r + 1], [c, r]);
  }
  const found = [];
  for (const start of from.keys()) {
    /** @type {Spot[]} */
    const loop = [];
    for (let here = start, next; (next = from.get(here)?.shift()); here = key(next)) {
      loop.push(/** @type {Spot} */ (here.split(",").map(Number)));
    }
    if (loop.length) found.push(loop.filter((corner, at) => turns(loop.at(at - 1), corner, loop[(at + 1) % loop.length])));
  }
  return found;
}

/** @param {Spot | undefined} before @param {Spot} corner @param {Spot} after */
const turns = (before, corner, after) => before !== undefined && !(before[0] === corner[0] && corner[0] === after[0])
  && !(before[1] === corner[1] && corner[1] === after[1]);

/** The outline of cells as the data of an SVG path, UNIT a cell, its corners rounded.
 * @param {Spot[]} cells @param {number} [radius] in cells @param {number} [inset] in cells */
export function outline(cells, radius = 0, inset = 0) {
  const number = (/** @type {number} */ value) => String(Math.round(value * UNIT * 100) / 100);
  return loops(cells).map((loop) => {
    const corners = inset ? loop.map((corner, at) => shrunk(loop.at(at - 1) ?? corner, corner, loop[(at + 1) % loop.length], inset)) : loop;
    const parts = corners.map((corner, at) => {
      const [before, after] = [corners.at(at - 1) ?? corner, corners[(at + 1) % corners.length]];
      const [one, two] = [before, after].map((other) => corner.map((value, axis) => value + radius * Math.sign(other[axis] - value)));
      const to = (/** @type {number[]} */ point) => point.map(number).join(" ");
      return radius ? `${at ? "L" : "M"}${to(one)}Q${to(corner)} ${to(two)}` : `${at ? "L" : "M"}${to(corner)}`;
    });
    return `${parts.join("")}Z`;
  }).join("");
}

/** A corner moved inwards (outwards, if less than 0); the inside is on the right of the way.
 * @param {Spot} before @param {Spot} corner @param {Spot} after @param {number} by @returns {Spot} */
function shrunk(before, corner, after, by) {
  const way = (/** @type {Spot} */ a, /** @type {Spot} */ b) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];
  const [[inX, inY], [outX, outY]] = [way(before, corner), way(corner, after)];
  return [corner[0] - by * (inY + outY), corner[1] + by * (inX + outX)];
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {...Node} children */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...children);
  return /** @type {SVGElement} */ (made);
}

/** An element of HTML; what is no property of it, such as aria-label, becomes an attribute.
 * @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Record<string, unknown>} values
 * @param {...(Node | string)} children @returns {HTMLElementTagNameMap[Name]} */
export function element(name, values = {}, ...children) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(values)) {
    if (property in made) Reflect.set(made, property, value);
    else made.setAttribute(property, String(value));
  }
  made.append(...children);
  return made;
}

/** The element of an id, which is in the page. @param {string} id */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** The input or select of an id. @param {string} id */
export const field = (id) => /** @type {HTMLInputElement} */ (at(id));
/** Makes a button one that does nothing now; it keeps the focus. @param {string} id @param {boolean} off */
export const disable = (id, off) => at(id).setAttribute("aria-disabled", String(off));

/** The contrast of two colours #rrggbb, from 1 to 21 (WCAG 2.2). @param {string} one @param {string} other */
export function contrast(one, other) {
  const [dark, light] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} colour */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Whether white letters are read better than black ones on a colour. @param {string} colour #rrggbb */
export const wantsLight = (colour) => contrast(colour, "#ffffff") > contrast(colour, "#000000");
