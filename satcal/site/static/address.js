// Addresses such as #rhombus/2025-10-23, #rhombus/Thu,Oct,23/CODE or #year/rhombus: what they ask for.
import { revealOf } from "./engine.js";
import { preference } from "./keep.js";
import { inWords, list, parts, say, today } from "./words.js";

/** @import { Library, Puzzle } from "./types.js" */
/** @typedef {{view: string, name: string, when: string, code: string, rest: string[]}} Route
 * without a date it is today's; the rest is what follows the name */

/** Views of a puzzle besides the table; an address may begin with one. */
const VIEWS = ["more", "year", "solutions", "share", "believe"];

/** Whether somebody drew this board. @param {string} name */
export const isPosted = (name) => name.startsWith("posted-");

/** What the address asks for; without a name the puzzle that was played last, if it is still there.
 * @param {Library} library @returns {Route} */
export function route({ puzzles, first }) {
  const pieces = location.hash.slice(1).split("/").map(decodeURIComponent);
  const view = VIEWS.includes(pieces[0]) ? pieces[0] : "play";
  const [name = "", ...rest] = view === "play" ? pieces : pieces.slice(1);
  const [when = "", code = ""] = rest;
  const last = preference("puzzle", "");
  return { view, name: name || (puzzles.some((each) => each.name === last) ? last : first), when, code, rest };
}

/** The date and the reveal of an address, or an Error for people. @param {Puzzle} puzzle @param {string} when */
export function resolve(puzzle, when) {
  const { categories, calendar, title } = puzzle;
  const dated = calendar && (!when || /^\d+-\d+-\d+$/.test(when)) ? when || today() : "";
  const date = parts(dated);
  const reveal = date && revealOf(puzzle, ...date);
  if (reveal) return { date: dated, reveal };
  if (when && dated) throw new Error(date ? say("no-such-date", { puzzle: title, date: inWords(when, true) }) : say("no-such-day", { date: when }));
  const labels = when.split(",");
  const found = categories.flatMap((each) => each.labels.find((label) => !when || labels.includes(label)) ?? []);
  if (found.length === categories.length && (!when || found.length === labels.length)) return { date: null, reveal: found };
  const kinds = list(categories.map((each) => each.name));
  throw new Error(say(kinds ? "no-such-reveal" : "no-such-reveal-plain", { puzzle: title, labels: list(labels), categories: kinds }));
}
