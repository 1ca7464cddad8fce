// The definition of a board: read from the table of a puzzle file, checked, and written. See satcal/puzzle/loading.py.
import { connect, expandRange } from "./calendar.js";
import { key, sizeOf } from "./geometry.js";
import { isJoined, toOrigin } from "./shapes.js";

/** @import { Spot } from "./geometry.js" @import { Labels, Names } from "./calendar.js" */
/** @typedef {{name: string, cells: Spot[], copies: number, flip: boolean}} Drawn a piece as it is drawn, at row 0 and column 0
 * @typedef {{name: string, title: string, designer: string, source: string, rows: number, columns: number,
 *   cells: {row: number, column: number, label: string | null}[], labels: Record<string, number[]>,
 *   categories: Labels, pieces: Drawn[], calendar: Labels | null, declared: Labels}} Definition
 * cells row by row; the cells of each label by their numbers; the order of a calendar that the file declares
 * @typedef {{ranges: string, names: Names}} Known the characters of puzzles, and the names of months and weekdays */

export const MAX_LABEL = 32; // characters
export const MAX_TITLE = 1000; // characters of a title, and of designer and source
export const MAX_COPIES = 1024;
const MAX_SIDE = 64, MAX_CELLS = 1024, MAX_NAME = 200;
const TEXTS = ["title", "designer", "source"];
const KEYS = ["name", ...TEXTS, "board", "categories", "pieces", "calendar", "flip"];
const RESERVED = ["date", "tilings", "methods"]; // the other columns of a table
const SELECTOR = /(?<=[^\p{L}\p{N}\p{M}_\s])[\ufe0f\u200d]/gu; // what makes a symbol an emoji or joins two
const PIECE_NAME = /^[A-Za-z][0-9]{0,3}$/;

/** A fault of a file: its kind (the sentence `fault-…`), the place in the words of a file, and values for the sentence. */
export class Fault extends Error {
  /** @param {string} kind @param {string} place @param {Record<string, unknown>} [values] */
  constructor(kind, place, values = {}) {
    super(`${place}: ${kind}`);
    Object.assign(this, { kind, place, values });
    this.kind = kind;
    this.place = place;
    this.values = values;
    this.line = 0; // from 1, where it is known
  }
}

/** @param {string} text in characters */
const lengthOf = (text) => [...text].length;
/** @param {unknown} value @returns {value is Record<string, any>} */
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Return a pattern of characters that a puzzle cannot have. @param {string} ranges such as "20-7E A1-AC" */
export const outsideOf = (ranges) => new RegExp(`[^${ranges.replaceAll(/[0-9A-F]+/g, "\\u{$&}").replaceAll(" ", "")}]`, "u");

/** Read the table of a puzzle file; throw the first fault. Whole numbers are of type bigint.
 * @param {Record<string, any>} table @param {string} fileName the name of a puzzle without one @param {Known} known @returns {Definition} */
export function readDefinition(table, fileName, { ranges, names }) {
  const outside = outsideOf(ranges);
  const texts = readTexts(table, fileName, outside);
  const categories = readLists(table, "categories", outside);
  const { cells, rows, columns } = readBoard(table.board, new Set(Object.values(categories).flat()), outside);
  const labels = placeLabels(cells, categories);
  const pieces = readPieces(table, outside);
  const declared = readLists(table, "calendar", outside);
  const definition = { ...texts, rows, columns, cells, labels, categories, pieces, declared, calendar: /** @type {Labels | null} */ (null) };
  try {
    definition.calendar = connect(categories, declared, names);
    // the labels may determine it
    definition.declared = definition.calendar && JSON.stringify(definition.calendar) !== JSON.stringify(connect(categories, {}, names)) ? definition.calendar : {};
  } catch (error) {
    const part = /** @type {Error} */ (error).message;
    throw new Fault("calendar", part ? `[calendar] ${part}` : "[calendar]");
  }
  checkArea(definition);
  return definition;
}

/** @param {Record<string, any>} table @param {string} fileName @param {RegExp} outside */
function readTexts(table, fileName, outside) {
  for (const each of Object.keys(table)) if (!KEYS.includes(each)) throw new Fault("key", "unknown key", { key: each.slice(0, MAX_LABEL) });
  const texts = { name: [...fileName].slice(0, MAX_NAME).join(""), title: "", designer: "", source: "" };
  for (const each of /** @type {(keyof typeof texts)[]} */ (["name", ...TEXTS])) {
    const text = table[each] ?? "", limit = each === "name" ? MAX_NAME : MAX_TITLE;
    const isShort = each === "name" && Object.hasOwn(table, each) && !text;
    if (typeof text !== "string" || outside.test(text) || lengthOf(text) > limit || isShort) throw new Fault("text", each, { limit });
    if (Object.hasOwn(table, each)) texts[each] = text;
  }
  return texts;
}

/** Read the labels of each category, or of each part of the calendar. @param {Record<string, any>} table @param {string} which @param {RegExp} outside */
function readLists(table, which, outside) {
  const lists = /** @type {Labels} */ (Object.create(null));
  const entries = table[which] ?? {};
  if (!isTable(entries)) throw new Fault("list", which);
  const seen = new Map();
  for (const [name, entry] of Object.entries(entries)) {
    const place = `[${which}] ${[...name].slice(0, MAX_LABEL).join("")}`;
    // an object would move names such as "1" to the front
    if (RESERVED.includes(name) || outside.test(name) || /["\\]/.test(name) || !name || lengthOf(name) > MAX_LABEL || /^(0|[1-9][0-9]*)$/.test(name)) throw new Fault("category", place);
    const labels = typeof entry === "string" ? expandRange(entry) : entry;
    if (!Array.isArray(labels) || !labels.length) throw new Fault("list", place);
    if (seen.size + labels.length > MAX_CELLS) throw new Fault("large", `[${which}]`);
    lists[name] = labels.map((each) => {
      const label = typeof each === "string" ? each.replaceAll(SELECTOR, "") : each;
      if (which === "calendar" && label === "") return label;
      if (!isLabel(label, outside)) throw new Fault("label", place, { label: String(label).slice(0, MAX_LABEL) });
      if (seen.has(label)) throw new Fault("twice", place, { label, category: seen.get(label) });
      seen.set(label, name);
      return label;
    });
  }
  return lists;
}

/** @param {unknown} label @param {RegExp} outside @returns {label is string} */
export const isLabel = (label, outside) => typeof label === "string" && !outside.test(label) && label !== "" && lengthOf(label) <= MAX_LABEL
  && !/[\s,"\\]/.test(label) && label !== "." && label !== "*";

/** Return the rows of a drawing, without blank rows at its end. @param {string} drawing @param {string} place @param {RegExp} outside */
function readRows(drawing, place, outside) {
  const rows = drawing.replaceAll("\r\n", "\n").split("\n").map((row) => row.replace(/ +$/, ""));
  if (rows.some((row) => outside.test(row))) throw new Fault("invisible", place);
  while (rows.length && !rows[rows.length - 1]) rows.pop();
  return rows;
}

/** Read the cells of a board: "." is none, "*" one without a label; "-", "_" and marks without a blank between them are
 * probably mistakes, and labels that no category has. @param {unknown} drawing @param {Set<string>} known @param {RegExp} outside */
function readBoard(drawing, known, outside) {
  if (typeof drawing !== "string" || !drawing.trim()) throw new Fault("board", "board");
  const lines = readRows(drawing.replaceAll(SELECTOR, ""), "board", outside);
  const filled = lines.filter(Boolean), indent = Math.min(...filled.map((line) => line.search(/\S/)));
  const drawn = filled.map((line) => line.slice(indent)), longest = Math.max(...drawn.map((line) => line.length));
  // as in the drawing of a piece, a blank is then not a cell
  const isUnbroken = drawn.every((line) => /^[*.Xx# ]+$/.test(line)) && !drawn.find((line) => line.length === longest)?.includes(" ");
  const rows = drawn.map((line) => isUnbroken ? [...line.replaceAll(" ", ".")] : line.split(" ").filter(Boolean));
  if (rows.length > MAX_SIDE || rows.some((row) => row.length > MAX_SIDE)) throw new Fault("large", "board");
  const isIndented = !isUnbroken && drawn.some((line) => line.startsWith(" "));
  /** @type {Definition["cells"]} */
  const cells = [];
  rows.forEach((row, r) => {
    if (isIndented && row.length !== rows[0].length) throw new Fault("rows", "board", { row: r + 1 });
    row.forEach((entry, c) => {
      if (entry === ".") return;
      const isWord = entry !== "X" && entry !== "x" && /[\p{L}\p{N}]/u.test(entry);
      const isLabelled = known.has(entry) || isWord || /^[.*]{2,}$/.test(entry) || entry === "-" || entry === "_";
      cells.push({ row: r, column: c, label: isLabelled ? entry : null });
    });
  });
  if (!cells.length || cells.length > MAX_CELLS) throw new Fault("large", "board");
  return { cells, rows: 1 + Math.max(...cells.map(({ row }) => row)), columns: 1 + Math.max(...cells.map(({ column }) => column)) };
}

/** Return the cells of each label, in the order of the categories. @param {Definition["cells"]} cells @param {Labels} categories */
function placeLabels(cells, categories) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  cells.forEach(({ label }, number) => label !== null && found.set(label, [...(found.get(label) ?? []), number]));
  const known = new Set(Object.values(categories).flat());
  for (const [label, numbers] of found) {
    const place = `board: row ${cells[numbers[0]].row}, column ${cells[numbers[0]].column}`;
    if (!known.has(label)) throw new Fault("nowhere", place, { label });
    if (!isJoined(numbers.map((number) => [cells[number].row, cells[number].column]))) throw new Fault("apart", place, { label });
  }
  for (const [name, labels] of Object.entries(categories)) {
    for (const label of labels) if (!found.has(label)) throw new Fault("absent", `[categories] ${name}`, { label });
  }
  return Object.fromEntries([...known].map((label) => [label, found.get(label) ?? []]));
}

/** @param {Record<string, any>} table @param {RegExp} outside @returns {Drawn[]} */
function readPieces({ pieces: entries, flip }, outside) {
  if (!isTable(entries) || !Object.keys(entries).length) throw new Fault("pieces", "[pieces]");
  const all = Object.keys(entries);
  const flips = flip === undefined || flip === "all" ? all : flip === "none" ? [] : String(flip).split(",").map((name) => name.trim());
  for (const name of flips) if (!all.includes(name)) throw new Fault("flip", "flip");
  let area = 0;
  return Object.entries(entries).map(([name, value]) => {
    const piece = readPiece(name, value, flips.includes(name), outside);
    area += piece.cells.length;
    if (area > MAX_CELLS) throw new Fault("large", `piece ${name}`);
    return piece;
  });
}

/** @param {string} name @param {unknown} value @param {boolean} mayFlip @param {RegExp} outside @returns {Drawn} */
function readPiece(name, value, mayFlip, outside) {
  const place = `piece ${PIECE_NAME.test(name) ? name : ""}`.trim();
  const entry = typeof value === "string" ? { shape: value } : value;
  if (!PIECE_NAME.test(name)) throw new Fault("piece-name", place);
  if (!isTable(entry) || typeof entry.shape !== "string") throw new Fault("shape", place);
  for (const each of Object.keys(entry)) if (!["shape", "copies", "flip"].includes(each)) throw new Fault("key", place, { key: each.slice(0, MAX_LABEL) });
  const { copies = 1n, flip = mayFlip } = entry;
  if (typeof copies !== "bigint" || copies < 1n || copies > MAX_COPIES) throw new Fault("copies", place, { limit: MAX_COPIES });
  if (typeof flip !== "boolean") throw new Fault("flip", place);
  return { name, cells: readShape(entry.shape, place, outside), copies: Number(copies), flip };
}

/** Return the squares of a drawing, moved to row 0 and column 0. @param {string} drawing @param {string} place @param {RegExp} outside */
function readShape(drawing, place, outside) {
  const lines = readRows(drawing, place, outside);
  if (lines.length > MAX_SIDE || lines.some((line) => lengthOf(line) > MAX_SIDE)) throw new Fault("large", place);
  const cells = lines.flatMap((line, row) => [...line].flatMap((mark, column) => (mark === "#" || mark === "1" ? [/** @type {Spot} */ ([row, column])] : [])));
  if (/[^#1.0 ]/.test(lines.join("")) || !isJoined(cells)) throw new Fault("shape", place);
  return toOrigin(cells);
}

/** Compare the area of the pieces with what is to be covered, for the smallest and the largest labels. @param {Definition} definition */
function checkArea({ cells, labels, categories, pieces }) {
  const area = pieces.reduce((sum, piece) => sum + piece.cells.length * piece.copies, 0);
  const sizes = Object.values(categories).map((each) => each.map((label) => labels[label].length));
  for (const extreme of [Math.min, Math.max]) {
    const left = cells.length - sizes.reduce((sum, each) => sum + extreme(...each), 0);
    if (left !== area) throw new Fault("area", "the area", { left, area });
  }
}

// -- writing

/** Return the rows of the drawing of a board, with aligned columns. @param {Definition} definition */
export function boardRows({ cells, rows, columns }) {
  const width = Math.max(...cells.map(({ label }) => lengthOf(label ?? "*")));
  const drawn = Array.from({ length: rows }, () => Array(columns).fill("."));
  for (const { row, column, label } of cells) drawn[row][column] = label ?? "*";
  return drawn.map((row) => row.map((entry) => entry + " ".repeat(width - lengthOf(entry))).join(" ").replace(/ +$/, ""));
}

/** Return the rows of a shape's drawing. @param {Spot[]} cells at row 0 and column 0 */
export function shapeRows(cells) {
  const [high, wide] = sizeOf(cells), inside = new Set(cells.map(key));
  return Array.from({ length: high }, (_, row) => Array.from({ length: wide }, (_unused, column) => (inside.has(key([row, column])) ? "#" : ".")).join(""));
}

/** Return a piece as a table in one line. @param {Drawn} piece */
export const pieceEntry = ({ cells, copies, flip }) => `{ shape = "${shapeRows(cells).join("\\n")}", copies = ${copies}, flip = ${flip} }`;

/** Return the text of a puzzle file; reading it gives the same puzzle. @param {Definition} definition */
export function writePuzzleFile(definition) {
  const quote = (/** @type {string} */ text) => JSON.stringify(text).replaceAll("\x7f", "\\u007f");
  const lists = (/** @type {string} */ name, /** @type {Labels} */ labels) => ["", `[${name}]`, ...Object.entries(labels).map(([each, list]) => `${quote(each)} = [${list.map(quote).join(", ")}]`)];
  const texts = /** @type {const} */ (["name", "title", "designer", "source"]).filter((each) => each !== "designer" || definition.designer);
  return [...texts.map((each) => `${each} = ${quote(definition[each])}`), 'board = """', ...boardRows(definition).map((row) => quote(row).slice(1, -1)), '"""',
    ...lists("categories", definition.categories), ...(Object.keys(definition.declared).length ? lists("calendar", definition.declared) : []),
    "", "[pieces]", ...definition.pieces.map((piece) => `${piece.name} = ${pieceEntry(piece)}`), ""].join("\n");
}
