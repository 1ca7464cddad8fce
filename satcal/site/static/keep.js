// What stays in this browser: games, solutions found, the days that count, and how one likes it.
// Keys begin with the page's folder, since others may live on the same host.

export const HERE = `satcal ${typeof location === "undefined" ? "/" : location.pathname.replace(/[^/]*$/, "")} `;
const GAME = "game "; // and the address of a game, such as rhombus/2025-10-23
const MINE = "mine "; // one's own game while a linked one is open, by address
const SHELF = "shelf "; // solutions found, by digest and reveal
const DAYS = "day "; // what happened on a date, by address
export const KINDS = { GAME, MINE, SHELF, DAYS };

/** @type {Map<string, string>} where nothing can be stored, things last as long as the page */
export const memory = new Map();
/** @type {() => void} */
let failing = () => {};
let failed = false;

/** Calls back once when the browser turns out to keep nothing. @param {() => void} act */
export function whenNothingIsKept(act) {
  failing = act;
  try {
    localStorage.setItem(`${HERE}probe`, "1");
    localStorage.removeItem(`${HERE}probe`);
  } catch {
    fails();
  }
}

function fails() {
  if (failed) return;
  failed = true;
  failing();
}

/** @param {string} name @returns {string | null} */
export function read(name) {
  const known = memory.get(name);
  if (known !== undefined) return known;
  try {
    return localStorage.getItem(HERE + name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value "" forgets it */
export function write(name, value) {
  try {
    if (value) localStorage.setItem(HERE + name, value);
    else localStorage.removeItem(HERE + name);
    memory.delete(name);
  } catch {
    memory.set(name, value);
    fails();
  }
}

/** What a text of JSON says, if it has the right form. @template T @param {string | null} text
 * @param {(value: any) => value is T} right @param {T} otherwise @returns {T} */
export function parsed(text, right, otherwise) {
  try {
    const value = JSON.parse(text ?? "null");
    return right(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {string} otherwise */
export const preference = (name, otherwise) => read(`like ${name}`) || otherwise;
/** @param {string} name @param {string} value */
export const setPreference = (name, value) => write(`like ${name}`, value);

// -- games

/** The steps of a game, and at which of them it is. @param {string} address
 * @returns {{history: string[], now: number}} */
export function left(address) {
  const code = read(GAME + address) ?? "";
  let steps = null;
  try {
    steps = JSON.parse(sessionStorage.getItem(HERE + GAME + address) ?? "null");
  } catch { /* it begins with what there is */ }
  return steps?.history?.[steps.now] === code ? steps : { history: code ? ["", code] : [""], now: code ? 1 : 0 };
}

/** @param {string} address @param {string[]} history @param {number} now */
export function leave(address, history, now) {
  try {
    sessionStorage.setItem(HERE + GAME + address, JSON.stringify({ history, now }));
  } catch { /* the way back is lost, the game is not */ }
  write(GAME + address, history[now]);
}

/** Whether a game has begun. @param {string} address */
export const begun = (address) => Boolean(read(GAME + address));

/** One's own game while a linked one is open, null if none is. @param {string} address */
export const mine = (address) => read(MINE + address);
/** @param {string} address @param {string} code "" forgets it */
export const setMine = (address, code) => write(MINE + address, code);

/** Calls back when another tab has changed a game. @param {(address: string, code: string | null) => void} changed
 * with the code of the game, null when it is the linked one that came or went */
export function watch(changed) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(HERE + GAME)) changed(key.slice((HERE + GAME).length), newValue ?? "");
    if (key?.startsWith(HERE + MINE)) changed(key.slice((HERE + MINE).length), null);
  });
}

// -- solutions found

/** @typedef {{code: string, by: "me" | "shown" | "linked"}} Kept a tiling, and who found it
 * @typedef {{solved?: string, by?: string, helped?: boolean, hints?: number, seconds?: number, count?: number, all?: string}} Day
 * the local day on which a date was first solved by oneself, whether the page had said where a piece goes, how many
 * hints it gave, how long it took, how many solutions of how many are found */

/** @param {any} value @returns {value is Kept[]} */
export const isShelf = (value) => Array.isArray(value) && value.every((each) => /^[\w-]+$/.test(each?.code) && /^(me|shown|linked)$/.test(each?.by));
/** @param {any} value @returns {value is Day} */
export const isDay = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {string} digest @param {string[]} reveal */
const shelfOf = (digest, reveal) => `${SHELF}${digest.slice(0, 16)} ${reveal.join()}`;

/** @param {string} digest of the puzzle @param {string[]} reveal @returns {Kept[]} */
export const shelf = (digest, reveal) => parsed(read(shelfOf(digest, reveal)), isShelf, []);

/** Keeps a solution; what is kept stays as it was kept first. Returns who had found it, null if it is new.
 * @param {string} digest @param {string[]} reveal @param {string} code @param {Kept["by"]} by */
export function keepSolution(digest, reveal, code, by) {
  const known = shelf(digest, reveal);
  const before = known.find((each) => each.code === code);
  if (!before) write(shelfOf(digest, reveal), JSON.stringify([...known, { code, by }]));
  return before?.by ?? null;
}

// -- days

/** @param {string} address @returns {Day} */
export const day = (address) => parsed(read(DAYS + address), isDay, {});
/** @param {string} address @param {Day} news */
export const setDay = (address, news) => write(DAYS + address, JSON.stringify({ ...day(address), ...news }));
