// What is said to people: cells by their labels, dates in words, numbers with their nouns.

/** @import { Puzzle } from "./engine.js" */

export const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
export const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** @param {bigint | number} number @param {string} noun */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${Number(number) === 1 ? "" : "s"}`;

/** @param {string[]} items such as ["Jan", "Feb", "3"], said as "Jan, Feb and 3" */
export const list = (items) => (items.length < 2 ? items.join("")
  : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`);

/** Cells by their labels, or by row and column, from 1. @param {Puzzle} puzzle @param {number[]} cells */
export function covered(puzzle, cells) {
  const named = cells.map((cell) => puzzle.cells[cell]).filter(Boolean);
  const labels = [...new Set(named.map((cell) => cell.label))];
  if (labels.every((label) => label !== null)) return list(/** @type {string[]} */ (labels));
  const range = (/** @type {string} */ noun, /** @type {number[]} */ values) => {
    const [low, high] = [Math.min(...values) + 1, Math.max(...values) + 1];
    return low === high ? `${noun} ${low}` : `${noun}s ${low} to ${high}`;
  };
  return `${range("row", named.map((cell) => cell.row))}, ${range("column", named.map((cell) => cell.column))}`;
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
export const utc = (year, month, day) => new Date(new Date(0).setUTCFullYear(year, month - 1, day));

/** @param {string} text @param {number} days @returns {string} the date so many days later, if there is one */
export function later(text, days) {
  const date = new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10);
  return parts(date) ? date : text;
}

/** The player's own date, whatever the clocks of others say. */
export const today = (now = new Date()) => utc(now.getFullYear(), now.getMonth() + 1, now.getDate()).toISOString().slice(0, 10);

/** @param {string} text @returns {string} such as "Thursday, 23 October 2025" */
export function inWords(text) {
  const [year, month, day] = /** @type {[number, number, number]} */ (parts(text));
  return `${DAYS[(utc(year, month, day).getUTCDay() + 6) % 7]}, ${day} ${MONTHS[month - 1]} ${year}`;
}

/** The address of a view. @param {string} name @param {string} when @param {"play" | "more"} [view] */
export const addressOf = (name, when, view = "play") => `#${view === "more" ? "more/" : ""}${encodeURIComponent(name)}`
  + (when ? `/${encodeURIComponent(when).replaceAll("%2C", ",")}` : "");
