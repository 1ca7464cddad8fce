// Games, solutions and days as a file for another browser.
import { KINDS, isBoard, isDay, isShelf, parseJson, read, storedEntries, write } from "./storage.js";

/** Return games, solutions and days by their keys. @returns {Record<string, string>} */
export const exportGames = () => Object.fromEntries(storedEntries().filter(([key, value]) => value && Object.values(KINDS).some((kind) => key.startsWith(kind))));

/** Store the entries of an exported file; return their number, 0 if it is another file. @param {string} text */
export function importGames(text) {
  /** @type {(value: any) => value is {kept: Record<string, unknown>}} */
  const isFile = (value) => isDay(value?.kept);
  const { kept } = parseJson(text, isFile, { kept: {} });
  const isValid = (/** @type {[string, unknown]} */ [key, value]) => typeof value === "string" && (
    key.startsWith(KINDS.BOARD) ? /^board own-[0-9a-f]{16}$/.test(key) && parseJson(value, isBoard, null) !== null : /^(game|own) [\w-]+(\/.*)?$/.test(key) ? /^[\w-]*(~[hls])?$/.test(value)
      : key.startsWith(KINDS.SHELF) ? parseJson(value, isShelf, []).length > 0
        : key.startsWith(KINDS.DAYS) && parseJson(value, isDay, {}) && value.startsWith("{"));
  const found = Object.entries(kept);
  if (!found.every(isValid)) return 0;
  for (const [key, value] of found) write(key, key.startsWith(KINDS.SHELF) ? mergeShelf(key, String(value)) : String(value));
  return found.length;
}

/** Return a stored shelf with the solutions of another one added. @param {string} key @param {string} value */
function mergeShelf(key, value) {
  const known = parseJson(read(key), isShelf, []);
  const more = parseJson(value, isShelf, []).filter((each) => !known.some((one) => one.code === each.code));
  return JSON.stringify([...known, ...more]);
}
