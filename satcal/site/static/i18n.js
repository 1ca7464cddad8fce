// Texts for players: sentences, cells by their labels, dates by Intl.
import { sizeOf, transformShape } from "./geometry.js";

/** The language that start.js has chosen; English without a page, in tests. */
export const LANGUAGE = globalThis.document?.documentElement.lang || "en";
const LOCALE = LANGUAGE === "en" ? "en-GB" : LANGUAGE;
/** @type {Record<string, string[]>} the labels of categories that are translated */
export const ENGLISH = { month: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "), weekday: "Mon Tue Wed Thu Fri Sat Sun".split(" ") };
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** @import { Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */

// Each of these costs milliseconds, so it is made at its first use.
/** @template T @param {() => T} make */
function lazy(make) {
  let made = /** @type {T | undefined} */ (undefined);
  return () => (made ??= make());
}
const pluralRules = lazy(() => new Intl.PluralRules(LOCALE));
const pluralCategories = lazy(() => CATEGORIES.filter((each) => pluralRules().resolvedOptions().pluralCategories.includes(/** @type {Intl.LDMLPluralRule} */ (each))));
const listFormat = lazy(() => new Intl.ListFormat(LOCALE));
const numberFormat = lazy(() => new Intl.NumberFormat(LOCALE));

/** Read a file of sentences, which `satcal site` makes of ../sentences. @param {string} name @returns {Promise<Record<string, string>>} */
async function readSentences(name) {
  const address = `${globalThis.document?.documentElement.dataset?.files ?? ""}sentences-${name}.json`;
  return /** @type {any} */ (globalThis).satcal?.files[address] ?? (await fetch(address)).json();
}

/** Load sentences in the language of the page, or else in the first one. @param {string} part "" or "-more" */
const loadSentences = (part) => readSentences(LANGUAGE + part).catch(() => readSentences((globalThis.document?.documentElement.dataset?.languages?.split(" ")[0] ?? "en") + part));

export const SENTENCES = await loadSentences("");
/** @type {Map<string, Promise<unknown>>} */
const added = new Map();

/** Add the sentences of what comes after the first count, of making boards, or of what only `satcal serve` has, in English alone.
 * @param {"more" | "make" | "served"} part */
export function addSentences(part) {
  if (!added.has(part)) added.set(part, (part === "served" ? readSentences(part) : loadSentences(`-${part}`)).then((found) => Object.assign(SENTENCES, found)));
  return added.get(part);
}

/** Return a sentence with its values. @param {string} name @param {Record<string, unknown>} [values] */
export const translate = (name, values = {}) => SENTENCES[name].replaceAll(
  /\{(\w+)(?:\|([^}]*))?\}/g, (_, each, forms) => (forms ? pluralForm(values[each], forms.split("|")) : formatValue(values[each])));

/** @param {unknown} value @param {string[]} forms */
const pluralForm = (value, forms) => forms[Math.min(pluralCategories().indexOf(pluralRules().select(Number(value))), forms.length - 1)];

/** @param {unknown} value */
const formatValue = (value) => (typeof value === "bigint" || typeof value === "number" ? numberFormat().format(value) : String(value ?? ""));

const IS_EAST_ASIAN = /^(ja|zh)/.test(LANGUAGE);
export const SPACE = IS_EAST_ASIAN ? "" : " "; // between sentences

/** Return texts as sentences, each with a full stop. @param {(string | null | undefined | false)[]} texts */
export const joinSentences = (texts) => texts.filter(Boolean).map((text) => (/[.!?…。]$/.test(String(text)) ? text : `${text}${IS_EAST_ASIAN ? "。" : "."}`)).join(SPACE);

/** @param {string[]} items such as ["Jan", "Feb", "3"], said as "Jan, Feb and 3" */
export const formatList = (items) => listFormat().format(items);
/** @param {string[]} items said as "one or the other" */
export const formatChoice = (items) => new Intl.ListFormat(LOCALE, { type: "disjunction" }).format(items);

/** Return a label, in the language of the page if its category has English months or weekdays, and nothing else.
 * @param {Pick<Puzzle, "categories">} puzzle @param {string} label */
export function formatLabel({ categories }, label) {
  const { name = "", labels = [] } = categories.find((each) => each.labels.includes(label)) ?? {};
  const english = ENGLISH[name] ?? [];
  if (LANGUAGE === "en" || !labels.every((each) => english.includes(each))) return label;
  const number = english.indexOf(label) + 1;
  if (!number) return label;
  const short = name === "month" ? formatDate(utcDate(2026, number, 1), { month: "short" }) : formatDate(utcDate(2026, 6, number), { weekday: "short" });
  return short.replace(/\.$/, "");
}

/** @param {Pick<Puzzle, "categories">} puzzle @param {string[]} labels */
export const formatLabels = (puzzle, labels) => formatList(labels.map((label) => formatLabel(puzzle, label)));

/** Name cells by their labels, those without by row and column. @param {Puzzle} puzzle @param {number[]} cells */
export function describeCells(puzzle, cells) {
  const named = cells.map((cell) => puzzle.cells[cell]).filter(Boolean);
  return formatList([...new Set(named.map((cell) => cell.label === null ? describePosition(cell) : formatLabel(puzzle, cell.label)))]);
}

/** @param {{row: number, column: number}} cell */
const describePosition = ({ row, column }) => translate("cell-plain", { row: row + 1, column: column + 1 });

/** Name a piece by its colour, and its letter where letters are on or others have that colour. @param {Puzzle} puzzle
 * @param {string} name @param {boolean} [letter] */
export function describeByColour(puzzle, name, letter = false) {
  const { tint = "" } = puzzle.pieces.find((each) => each.name === name) ?? {};
  const alone = puzzle.pieces.filter((each) => each.tint === tint).length === 1;
  const named = letter || !alone || document.documentElement.dataset.letters === "yes";
  return tint ? translate(named ? "the-piece-letter" : "the-piece", { colour: translate(`colour-${tint}`), piece: name }) : name;
}

/** Name what to take back from a dead end: "the red one or the blue one", or the pieces of one set.
 * @param {Puzzle} puzzle @param {{pieces: {piece: string}[]}[]} blame @param {boolean} [letter] */
export function describeBlame(puzzle, blame, letter = false) {
  const names = blame.flatMap(({ pieces }) => pieces.map(({ piece }) => describeByColour(puzzle, piece, letter)));
  return new Intl.ListFormat(LOCALE, { type: blame.length > 1 ? "disjunction" : "conjunction" }).format([...new Set(names)]);
}

/** @param {string} text */
export const capitalize = (text) => text.slice(0, 1).toLocaleUpperCase(LOCALE) + text.slice(1);

/** Describe how a piece lies. @param {Spot[]} shape @param {Spot[]} drawn */
export function describeShape(shape, drawn) {
  const [high, wide] = sizeOf(shape);
  const looks = [drawn];
  for (let turns = 1; turns < 4; turns += 1) looks.push(transformShape("turn", looks[turns - 1]));
  const turns = looks.findIndex((each) => each.join(" ") === shape.join(" "));
  const kind = turns < 0 ? "shape-flipped" : turns ? "shape-turned" : "shape-as-drawn";
  const rows = Array.from({ length: high }, (_, row) => {
    const columns = shape.filter((cell) => cell[0] === row).map((cell) => String(cell[1] + 1));
    return translate("shape-row", { row: row + 1, columns: formatList(columns), cells: columns.length });
  });
  return `${translate(kind, { high, wide })}: ${rows.join("; ")}`;
}

export const monthNames = lazy(() => Array.from({ length: 12 }, (_, month) => formatDate(utcDate(2026, month + 1, 1), { month: "long" })));
/** Return the names of weekdays, Monday first. @param {"long" | "short" | "narrow"} weekday */
export const weekdayNames = (weekday) => Array.from({ length: 7 }, (_, day) => formatDate(utcDate(2026, 6, day + 1), { weekday }));

/** Return minutes as hours and minutes, such as "7h 12m". @param {number} minutes */
export const formatDuration = (minutes) => ([["hour", Math.floor(minutes / 60)], ["minute", minutes % 60]]).map(
  ([unit, value]) => new Intl.NumberFormat(LOCALE, { style: "unit", unit: String(unit), unitDisplay: "narrow" }).format(Number(value))).join(" ");

const formats = new Map();

/** @param {Date} date @param {Intl.DateTimeFormatOptions} how */
function formatDate(date, how) {
  const key = JSON.stringify(how);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", ...how }));
  return formats.get(key).format(date);
}

/** Return the parts of a date such as 2025-10-23; null if it does not exist.
 * @param {string} text @returns {[number, number, number] | null} */
export function parseDate(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number);
  const date = utcDate(year, month, day);
  return year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? [year, month, day] : null;
}

/** @param {number} year @param {number} month from 1 @param {number} day */
export function utcDate(year, month, day) {
  return new Date(new Date(0).setUTCFullYear(year, month - 1, day));
}

/** @param {string} text a date that exists */
export const dateOf = (text) => utcDate(.../** @type {[number, number, number]} */ (parseDate(text)));

/** @param {string} text @param {number} days @returns {string} the date that many days later, if it exists */
export function addDays(text, days) {
  const date = new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10);
  return parseDate(date) ? date : text;
}

/** Return the date by the player's clock. */
export const today = (now = new Date()) => utcDate(now.getFullYear(), now.getMonth() + 1, now.getDate()).toISOString().slice(0, 10);

/** @param {string} text @param {boolean} [whole] with the year, even if it is this one
 * @returns {string} such as "Thursday, 23 October" */
export function formatLongDate(text, whole = false) {
  const date = dateOf(text);
  const years = whole || date.getUTCFullYear() !== new Date().getFullYear() ? { year: /** @type {const} */ ("numeric") } : {};
  return translate("date", { weekday: formatDate(date, { weekday: "long" }), day: formatDate(date, { day: "numeric", month: "long", ...years }) });
}

/** @param {string} text a date @returns {string} such as "Thu 23 October", where there is little room */
export function formatShortDate(text) {
  const date = dateOf(text);
  const other = date.getUTCFullYear() === new Date().getFullYear() ? { month: /** @type {const} */ ("long") } : /** @type {const} */ ({ month: "short", year: "numeric" });
  return formatDate(date, { weekday: "short", day: "numeric", ...other });
}

/** @param {string} text a date @returns {string} such as "6 October" */
export const formatDay = (text) => formatDate(dateOf(text), { day: "numeric", month: "long" });
/** @param {string} text a date */
export const formatWeekday = (text) => formatDate(dateOf(text), { weekday: "long" });

/** Return the address of a view. @param {string} name @param {string} when @param {string} [view] */
export const addressOf = (name, when, view = "") => `#${view && `${view}/`}${encodeURIComponent(name).replace(/^own%3D/, "own=")}`
  + (when ? `/${encodeURIComponent(when).replaceAll("%2C", ",")}` : "");

/** Fill in the texts of the page (`data-text`) and accessible names (`data-label`). */
export function translatePage() {
  document.documentElement.dataset.translated = "";
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = translate(/** @type {HTMLElement} */ (each).dataset.text ?? "");
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", translate(/** @type {HTMLElement} */ (each).dataset.label ?? ""));
}
