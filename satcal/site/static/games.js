// All that is kept: days over all puzzles, and games, solutions and days as a file that one takes along.
import { HERE, KINDS, day, isDay, isShelf, memory, parsed, read, write } from "./keep.js";

/** @import { Day } from "./keep.js" */

/** Games, solutions and days: what a file holds. @returns {Record<string, string>} */
export const everything = () => Object.fromEntries(entries().filter(([key, value]) => value && Object.values(KINDS).some((kind) => key.startsWith(kind))));

/** Takes what `everything` gave; returns how many entries, 0 if it is another file. @param {string} text */
export function take(text) {
  /** @type {(value: any) => value is {kept: Record<string, unknown>}} */
  const isFile = (value) => isDay(value?.kept);
  const { kept } = parsed(text, isFile, { kept: {} });
  const right = (/** @type {[string, unknown]} */ [key, value]) => typeof value === "string" && (
    /^(game|mine) [\w-]+(\/.*)?$/.test(key) ? /^[\w-]*(~[hls])?$/.test(value)
      : key.startsWith(KINDS.SHELF) ? parsed(value, isShelf, []).length > 0
        : key.startsWith(KINDS.DAYS) && parsed(value, isDay, {}) && value.startsWith("{"));
  const found = Object.entries(kept);
  if (!found.every(right)) return 0;
  for (const [key, value] of found) write(key, key.startsWith(KINDS.SHELF) ? joined(key, String(value)) : String(value));
  return found.length;
}

/** Solutions that are kept here stay when others are loaded. @param {string} key @param {string} value */
function joined(key, value) {
  const known = parsed(read(key), isShelf, []);
  const more = parsed(value, isShelf, []).filter((each) => !known.some((one) => one.code === each.code));
  return JSON.stringify([...known, ...more]);
}

/** All dates of all puzzles on which something happened. @returns {[string, Day][]} */
export const allDays = () => entries().filter(([key]) => key.startsWith(KINDS.DAYS) && key.includes("/"))
  .map(([key]) => [key.slice(key.lastIndexOf("/") + 1), day(key.slice(KINDS.DAYS.length))]);

/** All days of a puzzle: date -> what happened. @param {string} name @returns {Map<string, Day>} */
export function days(name) {
  const found = new Map();
  for (const [key] of entries()) {
    const [, date] = key.startsWith(`${KINDS.DAYS}${name}/`) ? key.split(`${KINDS.DAYS}${name}/`) : [];
    if (date) found.set(date, day(`${name}/${date}`));
  }
  return found;
}

/** @returns {[string, string][]} what is kept, without the page's folder */
export function entries() {
  /** @type {[string, string][]} */
  let found = [];
  try {
    found = Object.entries(localStorage).filter(([key]) => key.startsWith(HERE)).map(([key, value]) => [key.slice(HERE.length), value]);
  } catch { /* only what lasts as long as the page */ }
  return [...new Map([...found, ...memory])].sort();
}
