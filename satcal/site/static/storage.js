// What stays in this browser: games, solutions, days and preferences. Keys begin with the page's folder, since others may
// live on the same host.

export const PREFIX = `satcal ${typeof location === "undefined" ? "/" : location.pathname.replace(/[^/]*$/, "")} `;
const GAME = "game "; // and the address of a game, such as rhombus/2025-10-23
const OWN = "own "; // the player's own game while a linked one is open, by address
const SHELF = "shelf "; // solutions found, by digest and reveal
const DAYS = "day "; // what happened on a date, by address
const BOARD = "board "; // a board of one's own, by name: see own-boards.js
export const KINDS = { GAME, OWN, SHELF, DAYS, BOARD };

/** @type {Map<string, string>} where nothing can be stored, things last as long as the page */
const memory = new Map();
/** @type {() => void} */
let onFailure = () => {};
let hasFailed = false;

/** Call back once when the browser stores nothing. @param {() => void} callback */
export function onStorageFailure(callback) {
  onFailure = callback;
  try {
    localStorage.setItem(`${PREFIX}probe`, "1");
    localStorage.removeItem(`${PREFIX}probe`);
  } catch {
    reportFailure();
  }
}

function reportFailure() {
  if (hasFailed) return;
  hasFailed = true;
  onFailure();
}

/** @param {string} name @returns {string | null} */
export function read(name) {
  const known = memory.get(name);
  if (known !== undefined) return known;
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value "" forgets it */
export function write(name, value) {
  try {
    if (value) localStorage.setItem(PREFIX + name, value);
    else localStorage.removeItem(PREFIX + name);
    memory.delete(name);
  } catch {
    memory.set(name, value);
    reportFailure();
  }
}

/** Return the value of a text of JSON, if it is valid. @template T @param {string | null} text
 * @param {(value: any) => value is T} isValid @param {T} otherwise @returns {T} */
export function parseJson(text, isValid, otherwise) {
  try {
    const value = JSON.parse(text ?? "null");
    return isValid(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {string} otherwise */
export const preference = (name, otherwise) => read(`preference ${name}`) || otherwise;
/** @param {string} name @param {string} value */
export const setPreference = (name, value) => write(`preference ${name}`, value);

/** Return what is stored, without the page's folder. @returns {[string, string][]} */
export function storedEntries() {
  /** @type {[string, string][]} */
  let found = [];
  try {
    found = Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX)).map(([key, value]) => [key.slice(PREFIX.length), value]);
  } catch { /* only what lasts as long as the page */ }
  return [...new Map([...found, ...memory])].sort();
}

/** @param {any} value @returns {value is {title: string, packed: string}} a board of one's own, as a link has it */
export const isBoard = (value) => typeof value?.title === "string" && /^[\w-]+$/.test(value?.packed);

/** Return the names and titles of the boards that were made or opened here. @returns {{name: string, title: string}[]} */
export function ownBoards() {
  return storedEntries().flatMap(([key, value]) => (key.startsWith(BOARD) ? { name: key.slice(BOARD.length), ...parseJson(value, isBoard, { title: "", packed: "" }) } : []));
}

// -- games

/** Return the steps of a game, and at which of them it is. @param {string} address
 * @returns {{history: string[], cursor: number}} */
export function loadGame(address) {
  const code = read(GAME + address) ?? "";
  let steps = null;
  try {
    steps = JSON.parse(sessionStorage.getItem(PREFIX + GAME + address) ?? "null");
  } catch { /* the game begins with its last position */ }
  return steps?.history?.[steps.cursor] === code ? steps : { history: code ? ["", code] : [""], cursor: code ? 1 : 0 };
}

/** @param {string} address @param {string[]} history @param {number} cursor */
export function saveGame(address, history, cursor) {
  try {
    sessionStorage.setItem(PREFIX + GAME + address, JSON.stringify({ history, cursor }));
  } catch { /* undo is lost, the game is not */ }
  write(GAME + address, history[cursor]);
}

/** Return whether a game has begun. @param {string} address */
export const hasBegun = (address) => Boolean(read(GAME + address));

/** Return the player's own game while a linked one is open, else null. @param {string} address */
export const ownGame = (address) => read(OWN + address);
/** @param {string} address @param {string} code "" forgets it */
export const setOwnGame = (address, code) => write(OWN + address, code);

/** Call back when another tab has changed a game. @param {(address: string, code: string | null) => void} changed
 * with the code of the game, null when a linked one was opened or closed */
export function onStorageChange(changed) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(PREFIX + GAME)) changed(key.slice((PREFIX + GAME).length), newValue ?? "");
    if (key?.startsWith(PREFIX + OWN)) changed(key.slice((PREFIX + OWN).length), null);
  });
}

// -- solutions found

/** @typedef {{code: string, by: "me" | "shown" | "linked"}} Solution a tiling, and who found it
 * @typedef {{solved?: string, by?: string, helped?: boolean, hints?: number, seconds?: number, count?: number, all?: string}} Day
 * the local day on which a date was first solved by the player, whether the page had said where a piece goes, the hints, the
 * time, and how many solutions of how many are found */

/** @param {any} value @returns {value is Solution[]} */
export const isShelf = (value) => Array.isArray(value) && value.every((each) => /^[\w-]+$/.test(each?.code) && /^(me|shown|linked)$/.test(each?.by));
/** @param {any} value @returns {value is Day} */
export const isDay = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {string} digest @param {string[]} reveal */
const shelfKey = (digest, reveal) => `${SHELF}${digest.slice(0, 16)} ${reveal.join()}`;

/** @param {string} digest of the puzzle @param {string[]} reveal @returns {Solution[]} */
export const shelf = (digest, reveal) => parseJson(read(shelfKey(digest, reveal)), isShelf, []);

/** Store a solution, if it is new. Return who had found it before, or null.
 * @param {string} digest @param {string[]} reveal @param {string} code @param {Solution["by"]} by */
export function addSolution(digest, reveal, code, by) {
  const known = shelf(digest, reveal);
  const before = known.find((each) => each.code === code);
  if (!before) write(shelfKey(digest, reveal), JSON.stringify([...known, { code, by }]));
  return before?.by ?? null;
}

// -- days

/** @param {string} address @returns {Day} */
export const loadDay = (address) => parseJson(read(DAYS + address), isDay, {});
/** @param {string} address @param {Day} news */
export const updateDay = (address, news) => write(DAYS + address, JSON.stringify({ ...loadDay(address), ...news }));
