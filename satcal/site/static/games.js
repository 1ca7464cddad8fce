// Games, solutions and days as a file that one takes along.
import { KINDS, entries, isDay, isShelf, parsed, read, write } from "./keep.js";

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
