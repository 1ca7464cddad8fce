// A board that is being drawn: cells with labels, and pieces; templates to start from, and what the area lacks.
import { DAYS, indexIn } from "./calendar.js";
import { transformShape } from "./geometry.js";
import { ENGLISH } from "./i18n.js";
import { shapeRows } from "./puzzle-definition.js";
import { toOrigin } from "./shapes.js";

/** @import { Definition, Drawn } from "./puzzle-definition.js" @import { Labels } from "./calendar.js" @import { Puzzle } from "./types.js" */
/** @typedef {{title: string, board: (string | null)[][], pieces: Drawn[], categories: Labels, calendar: Labels}} Drawing
 * rows of labels, "" for a cell without one, null for none; the categories and the calendar of what it began with */

export const MAX_SIDE = 24; // of a board that is drawn
const { month: MONTHS, weekday: WEEKDAYS } = ENGLISH;

/** @param {string[]} rows of labels, "." for no cell */
const boardOf = (...rows) => rows.map((row) => row.split(" ").map((entry) => (entry === "." ? null : entry === "*" ? "" : entry)));
/** @param {string[]} labels @param {number} from @param {number} to */
const span = (labels, from, to) => labels.slice(from, to).join(" ");

/** @type {Record<string, () => Drawing["board"]>} */
const TEMPLATES = {
  dates: () => boardOf(`${span(MONTHS, 0, 6)} .`, `${span(MONTHS, 6, 12)} .`, span(DAYS, 0, 7), span(DAYS, 7, 14), span(DAYS, 14, 21), span(DAYS, 21, 28), `${span(DAYS, 28, 31)} . . . .`),
  weekdays: () => boardOf(`${span(MONTHS, 0, 6)} .`, `${span(MONTHS, 6, 12)} .`, span(DAYS, 0, 7), span(DAYS, 7, 14), span(DAYS, 14, 21), span(DAYS, 21, 28),
    `${span(DAYS, 28, 31)} ${span(WEEKDAYS, 0, 4)}`, `. . . . ${span(WEEKDAYS, 4, 7)}`),
  month: () => boardOf(span(DAYS, 0, 7), span(DAYS, 7, 14), span(DAYS, 14, 21), span(DAYS, 21, 28), `${span(DAYS, 28, 31)} * * * *`),
  empty: () => Array.from({ length: 6 }, () => Array(8).fill("")),
};
export const TEMPLATE_NAMES = Object.keys(TEMPLATES);

/** @param {string} name of a template @returns {Drawing} */
export const startFrom = (name) => ({ title: "", board: TEMPLATES[name](), pieces: [], categories: {}, calendar: {} });

/** @param {Pick<Definition, "title" | "rows" | "columns" | "cells" | "categories" | "calendar" | "pieces">} definition @returns {Drawing} */
export function drawingOf({ title, rows, columns, cells, categories, calendar, pieces }) {
  const board = Array.from({ length: rows }, () => Array(columns).fill(null));
  for (const { row, column, label } of cells) board[row][column] = label ?? "";
  return { title, board, pieces, categories: { ...categories }, calendar: { ...calendar } };
}

/** Return the drawing of a board of the library. @param {Puzzle} puzzle @returns {Drawing} */
export function drawingOfPuzzle(puzzle) {
  const pieces = puzzle.pieces.map(({ name, copies, orientations: [cells, ...others] }) => {
    const flipped = transformShape("flip", cells).join(" ");
    return { name, copies, cells, flip: [cells, ...others].some((each) => each.join(" ") === flipped) };
  });
  return drawingOf({ ...puzzle, pieces, categories: Object.fromEntries(puzzle.categories.map(({ name, labels }) => [name, labels])) });
}

/** Return a drawing as the table of a puzzle file. A label keeps its category; a new one gets that of its text.
 * @param {Drawing} drawing @param {Labels} own the months and weekdays in the language of the page, in the order of the year and week */
export function toTable({ title, board, pieces, categories, calendar }, own = {}) {
  const labels = new Set(board.flat().flatMap((label) => label || []));
  /** @type {Labels} */
  const groups = {};
  const known = [...Object.entries(categories), ["weekday", WEEKDAYS], ["month", MONTHS], ["day", DAYS], ...Object.entries(own)];
  for (const [group, list] of /** @type {[string, string[]][]} */ (known)) {
    for (const label of list) if (labels.delete(label)) (groups[group] ??= []).push(label);
  }
  for (const label of labels) (groups[groupOf(label)] ??= []).push(label);
  const declares = Object.keys(calendar).length > 0 && Object.keys(groups).every((group) => calendar[group]?.filter(Boolean).join() === groups[group].join());
  return {
    name: title.trim() || "my-board", title: title.trim(), board: board.map((row) => row.map((label) => (label === null ? "." : label || "*")).join(" ")).join("\n"),
    categories: groups, ...(declares && { calendar }),
    pieces: Object.fromEntries(pieces.map(({ name, cells, copies, flip }) => [name, { shape: shapeRows(toOrigin(cells)).join("\n"), copies: BigInt(copies), flip }])) };
}

/** Return the category of a label by its English text. @param {string} label */
const groupOf = (label) => ["weekday", "month"].find((part) => indexIn(part, label) >= 0) ?? "label";

/** Return the cells that a reveal leaves to be covered: all but one label of each category, the smallest.
 * @param {Record<string, any>} table @param {Drawing["board"]} board */
export function areaToCover({ categories }, board) {
  const cells = board.flat().filter((label) => label !== null);
  const size = (/** @type {string} */ label) => cells.filter((each) => each === label).length;
  return cells.length - Object.values(categories).reduce((sum, labels) => sum + Math.min(...labels.map(size)), 0);
}

/** Return what would fill an area, as numbers of pieces of a size: one or two ways. @param {number} missing @returns {[number, number][][]} */
export function suggest(missing) {
  if (missing <= 6) return missing % 2 || missing < 4 ? [[[1, missing]]] : [[[1, missing]], [[2, missing / 2]]];
  for (let fives = Math.floor(missing / 5); fives > 0; fives -= 1) {
    const rest = missing - 5 * fives;
    const size = rest === 0 ? 5 : [6, 4, 3].find((each) => rest % each === 0);
    if (size) return [rest ? [[fives, 5], [rest / size, size]] : [[fives, 5]]];
  }
  return [[[Math.ceil(missing / 6), 6]]];
}
