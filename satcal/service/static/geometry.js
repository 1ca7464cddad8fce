// Cells, orientations and outlines. A cell is [row, column]; a placement is { piece, cells }.
export const UNIT = 10; // of an SVG, per cell

export const key = (cell) => `r${cell[0]}c${cell[1]}`;

export const sorted = (cells) => [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
export const write = (placement) => `${placement.piece}:${sorted(placement.cells).map(key).join(",")}`;

export function read(text) {
  const [piece, rest = ""] = text.split(":");
  const cells = rest.split(",").map((part) => /^r(\d+)c(\d+)$/.exec(part)).filter(Boolean)
    .map((found) => [Number(found[1]), Number(found[2])]);
  return { piece, cells };
}

export function normal(cells) {
  const row = Math.min(...cells.map((cell) => cell[0]));
  const column = Math.min(...cells.map((cell) => cell[1]));
  return sorted(cells.map(([r, c]) => [r - row, c - column]));
}

export const rotated = (cells) => normal(cells.map(([r, c]) => [c, -r]));
export const flipped = (cells) => normal(cells.map(([r, c]) => [r, -c]));
export const same = (one, other) => sorted(one).map(key).join() === sorted(other).map(key).join();
export const moved = (cells, [row, column]) => cells.map(([r, c]) => [r + row, c + column]);

export const size = (cells) => [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));

// The cell of a shape by which a hand holds it: the one nearest to its middle.
export function grip(cells) {
  const row = cells.reduce((sum, c) => sum + c[0], 0) / cells.length;
  const column = cells.reduce((sum, c) => sum + c[1], 0) / cells.length;
  const far = ([r, c]) => (r - row) ** 2 + (c - column) ** 2;
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}

// The outline of a set of cells as the data of an SVG path: edges between inside and outside,
// linked corner to corner with the inside on the right.
export function outline(cells) {
  const inside = new Set(cells.map(key));
  const from = new Map();
  const edge = (a, b) => {
    const at = a.join();
    if (!from.has(at)) from.set(at, []);
    from.get(at).push(b);
  };
  for (const [r, c] of cells) {
    if (!inside.has(key([r - 1, c]))) edge([c, r], [c + 1, r]);
    if (!inside.has(key([r, c + 1]))) edge([c + 1, r], [c + 1, r + 1]);
    if (!inside.has(key([r + 1, c]))) edge([c + 1, r + 1], [c, r + 1]);
    if (!inside.has(key([r, c - 1]))) edge([c, r + 1], [c, r]);
  }
  let data = "";
  while (from.size) {
    const start = from.keys().next().value.split(",").map(Number);
    let here = start;
    data += `M${start[0] * UNIT} ${start[1] * UNIT}`;
    do {
      const ways = from.get(here.join());
      const next = ways.shift();
      if (!ways.length) from.delete(here.join());
      data += `L${next[0] * UNIT} ${next[1] * UNIT}`;
      here = next;
    } while (here.join() !== start.join());
    data += "Z";
  }
  return data;
}

// An element of HTML; what is no property of it, such as aria-label, becomes an attribute.
export function element(name, values = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(values)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

// Whether white letters are read better than black ones on a colour #rrggbb.
export function wantsLight(colour) {
  const linear = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05;
}
