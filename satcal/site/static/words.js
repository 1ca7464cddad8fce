// What is said to people: sentences from the one table, cells by their labels, dates by Intl.
import { size } from "./geometry.js";

/** The language of the page: start.js has chosen it. Without a page, in tests, it is English. */
export const LANGUAGE = globalThis.document?.documentElement.lang || "en";
const LOCALE = LANGUAGE === "en" ? "en-GB" : LANGUAGE;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "); // as boards name them
const DAYS = "Mon Tue Wed Thu Fri Sat Sun".split(" ");
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** @import { Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */

// Each of these costs milliseconds to make, so it is made when it is first asked for.
/** @template T @param {() => T} make */
function once(make) {
  let made = /** @type {T | undefined} */ (undefined);
  return () => (made ??= make());
}
const plurals = once(() => new Intl.PluralRules(LOCALE));
const kinds = once(() => CATEGORIES.filter((each) => plurals().resolvedOptions().pluralCategories.includes(/** @type {Intl.LDMLPluralRule} */ (each))));
const lists = once(() => new Intl.ListFormat(LOCALE));
const numbers = once(() => new Intl.NumberFormat(LOCALE));

/** Sentences in the language of the page, in English where they cannot be had. @param {string} which
 * @returns {Promise<Record<string, string>>} */
export const load = async (which) => (await import(`./sentences-${LANGUAGE}${which}.js`).catch(() => import(`./sentences-en${which}.js`))).SENTENCES;

export const SENTENCES = await load("");

/** A sentence with its values. @param {string} name @param {Record<string, unknown>} [values] */
export const say = (name, values = {}) => SENTENCES[name].replaceAll(
  /\{(\w+)(?:\|([^}]*))?\}/g, (_, each, forms) => (forms ? plural(values[each], forms.split("|")) : shown(values[each])));

/** @param {unknown} value @param {string[]} forms */
const plural = (value, forms) => forms[Math.min(kinds().indexOf(plurals().select(Number(value))), forms.length - 1)];

/** @param {unknown} value */
const shown = (value) => (typeof value === "bigint" || typeof value === "number" ? numbers().format(value) : String(value ?? ""));

/** @param {string[]} items such as ["Jan", "Feb", "3"], said as "Jan, Feb and 3" */
export const list = (items) => lists().format(items);

/** A label as it is shown: months and weekdays in the language of the page; addresses and files keep those of the board.
 * @param {string} label */
export function labelInWords(label) {
  if (LANGUAGE === "en") return label;
  const [month, day] = [MONTHS.indexOf(label), DAYS.indexOf(label)];
  const short = month >= 0 ? name(utc(2026, month + 1, 1), { month: "short" }) : day >= 0 ? name(utc(2026, 6, day + 1), { weekday: "short" }) : label;
  return short.replace(/\.$/, "");
}

/** @param {string[]} labels */
export const labelsInWords = (labels) => list(labels.map(labelInWords));

/** Cells by their labels, those without by row and column. @param {Puzzle} puzzle @param {number[]} cells */
export function where(puzzle, cells) {
  const named = cells.map((cell) => puzzle.cells[cell]).filter(Boolean);
  return list([...new Set(named.map((cell) => cell.label === null ? placeOf(cell) : labelInWords(cell.label)))]);
}

/** @param {{row: number, column: number}} cell */
const placeOf = ({ row, column }) => say("cell-plain", { row: row + 1, column: column + 1 });

/** A piece by its colour, and by its letter where letters are on, or where others have that colour. @param {Puzzle} puzzle
 * @param {string} name @param {boolean} [letter] */
export function pieceInWords(puzzle, name, letter = false) {
  const { tint = "" } = puzzle.pieces.find((each) => each.name === name) ?? {};
  const alone = puzzle.pieces.filter((each) => each.tint === tint).length === 1;
  const named = letter || !alone || document.documentElement.dataset.letters === "yes";
  return tint ? say(named ? "the-piece-letter" : "the-piece", { colour: say(`colour-${tint}`), piece: name }) : name;
}

/** A sentence begins with a capital. @param {string} text */
export const capital = (text) => text.slice(0, 1).toLocaleUpperCase(LOCALE) + text.slice(1);

/** How a piece lies, so that who cannot see it knows it. @param {Spot[]} shape @param {Spot[]} drawn */
export function shapeInWords(shape, drawn) {
  const [high, wide] = size(shape);
  const same = (/** @type {Spot[]} */ one, /** @type {Spot[]} */ other) => one.join(" ") === other.join(" ");
  const turned = (/** @type {Spot[]} */ cells) => {
    const [rows] = size(cells);
    return cells.map(([row, column]) => /** @type {Spot} */ ([column, rows - 1 - row])).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  };
  let [each, kind] = [drawn, "shape-flipped"];
  for (let turns = 0; turns < 4; turns += 1, each = turned(each)) {
    if (same(each, shape)) kind = turns ? "shape-turned" : "shape-as-drawn";
    if (kind !== "shape-flipped") break;
  }
  const rows = Array.from({ length: high }, (_, row) => {
    const columns = shape.filter((cell) => cell[0] === row).map((cell) => String(cell[1] + 1));
    return say("shape-row", { row: row + 1, columns: list(columns), cells: columns.length });
  });
  return `${say(kind, { high, wide })}: ${rows.join("; ")}`;
}

/** The names of months, and those of weekdays, Monday first. */
export const months = once(() => Array.from({ length: 12 }, (_, month) => name(utc(2026, month + 1, 1), { month: "long" })));
/** @param {"long" | "short"} weekday */
export const weekdays = (weekday) => Array.from({ length: 7 }, (_, day) => name(utc(2026, 6, day + 1), { weekday }));

const formats = new Map();

/** @param {Date} date @param {Intl.DateTimeFormatOptions} how */
function name(date, how) {
  const key = JSON.stringify(how);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", ...how }));
  return formats.get(key).format(date);
}

/** A date 2025-10-23 by its parts; null if there is no such day.
 * @param {string} text @returns {[number, number, number] | null} */
export function parts(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number);
  const date = utc(year, month, day);
  return year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? [year, month, day] : null;
}

/** @param {number} year @param {number} month from 1 @param {number} day */
export function utc(year, month, day) {
  return new Date(new Date(0).setUTCFullYear(year, month - 1, day));
}

/** @param {string} text @param {number} days @returns {string} the date so many days later, if there is one */
export function later(text, days) {
  const date = new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10);
  return parts(date) ? date : text;
}

/** The player's own date, whatever the clocks of others say. */
export const today = (now = new Date()) => utc(now.getFullYear(), now.getMonth() + 1, now.getDate()).toISOString().slice(0, 10);

/** @param {string} text @param {boolean} [whole] with its year, also if it is this one
 * @returns {string} such as "Thursday, 23 October" */
export function inWords(text, whole = false) {
  const [year, month, day] = /** @type {[number, number, number]} */ (parts(text));
  const date = utc(year, month, day);
  const years = whole || year !== new Date().getFullYear() ? { year: /** @type {const} */ ("numeric") } : {};
  return say("date", { weekday: name(date, { weekday: "long" }), day: name(date, { day: "numeric", month: "long", ...years }) });
}

/** @param {string} text a date @returns {string} such as "Thu 23 October", where there is little room */
export function inFewWords(text) {
  const [year, month, day] = /** @type {[number, number, number]} */ (parts(text));
  const other = year === new Date().getFullYear() ? { month: /** @type {const} */ ("long") } : /** @type {const} */ ({ month: "short", year: "numeric" });
  return name(utc(year, month, day), { weekday: "short", day: "numeric", ...other });
}

/** @param {string} text a date @returns {string} such as "6 October" */
export const dayOf = (text) => name(utc(...(/** @type {[number, number, number]} */ (parts(text)))), { day: "numeric", month: "long" });
/** @param {string} text a date */
export const weekdayOf = (text) => name(utc(...(/** @type {[number, number, number]} */ (parts(text)))), { weekday: "long" });

/** The address of a view. @param {string} name @param {string} when @param {string} [view] */
export const addressOf = (name, when, view = "") => `#${view && `${view}/`}${encodeURIComponent(name)}`
  + (when ? `/${encodeURIComponent(when).replaceAll("%2C", ",")}` : "");

/** Gives the elements of the page their words: `data-say` is what they show, `data-name` how they are called. */
export function spell(root = document) {
  root.documentElement.dataset.spelled = "";
  for (const each of root.querySelectorAll("[data-say]")) each.textContent = say(/** @type {HTMLElement} */ (each).dataset.say ?? "");
  for (const each of root.querySelectorAll("[data-name]")) each.setAttribute("aria-label", say(/** @type {HTMLElement} */ (each).dataset.name ?? ""));
}
