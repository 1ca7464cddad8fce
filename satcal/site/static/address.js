// Addresses such as #rhombus/2025-10-23, #rhombus/Thu,Oct,23/CODE or #year/rhombus.
import { isOwn, revealOf } from "./engine.js";
import { preference } from "./storage.js";
import { formatLongDate, formatList, parseDate, translate, today } from "./i18n.js";

/** @import { Library, Puzzle } from "./types.js" */
/** @typedef {{view: string, name: string, when: string, code: string, rest: string[]}} Route
 * without a date it is today's; `rest` follows the name */

const VIEWS = ["more", "year", "solutions", "share", "friends", "evidence", "make"];

/** Parse the address; without a name it is the puzzle that was played last, if it is listed.
 * @param {Library} library @returns {Route} */
export function parseRoute({ puzzles, first }) {
  const segments = location.hash.slice(1).split("/").map(decodeURIComponent);
  const view = VIEWS.includes(segments[0]) ? segments[0] : "play";
  const [name = "", ...rest] = view === "play" ? segments : segments.slice(1);
  const [when = "", code = ""] = rest;
  const lastName = preference("puzzle", "");
  return { view, name: name || (isOwn(lastName) || puzzles.some((each) => each.name === lastName) ? lastName : first), when, code, rest };
}

/** Return the labels of a board that shows one of the days of a month, else null. @param {Puzzle} puzzle */
export const monthDays = ({ categories }) => (categories.length === 1 && Array.from({ length: 28 }, (_, day) => String(day + 1)).every((day) => categories[0].labels.includes(day))
  ? categories[0].labels : null);

/** Return the date and the reveal of an address, or throw an Error for the player. @param {Puzzle} puzzle @param {string} when */
export function resolveReveal(puzzle, when) {
  const { categories, calendar, title } = puzzle;
  const dateText = calendar && (!when || /^\d+-\d+-\d+$/.test(when)) ? when || today() : "";
  const date = parseDate(dateText);
  const reveal = date && revealOf(puzzle, ...date);
  if (reveal) return { date: dateText, reveal };
  if (when && dateText) throw new Error(date ? translate("no-such-date", { puzzle: title, date: formatLongDate(when, true) }) : translate("no-such-day", { date: when }));
  const day = String(Number(today().slice(8)));
  if (!when && monthDays(puzzle)?.includes(day)) return { date: null, reveal: [day] };
  const labels = when.split(",");
  const found = categories.flatMap((each) => each.labels.find((label) => !when || labels.includes(label)) ?? []);
  if (found.length === categories.length && (!when || found.length === labels.length)) return { date: null, reveal: found };
  const categoryNames = formatList(categories.map((each) => each.name));
  throw new Error(translate(categoryNames ? "no-such-reveal" : "no-such-reveal-plain", { puzzle: title, labels: formatList(labels), categories: categoryNames }));
}
