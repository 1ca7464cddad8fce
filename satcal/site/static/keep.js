// What stays in this browser: each puzzle's dates as they were left, and how one likes it.

const GAMES = "satcal/"; // and the address of a game, such as rhombus/2025-10-23
const LIKED = "satcal:"; // and the name of a choice

/** Storage may be full or off: then everything lasts as long as the page.
 * @template T @param {() => T} what @returns {T | null} */
function tried(what) {
  try {
    return what();
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} otherwise */
export const liked = (name, otherwise) => tried(() => localStorage.getItem(LIKED + name)) ?? otherwise;
/** @param {string} name @param {string} value */
export const like = (name, value) => tried(() => localStorage.setItem(LIKED + name, value));

/** The steps of a game, and at which of them it is. @param {string} address
 * @returns {{history: string[], now: number}} */
export function left(address) {
  const code = tried(() => localStorage.getItem(GAMES + address)) ?? "";
  const steps = tried(() => JSON.parse(sessionStorage.getItem(GAMES + address) ?? "null"));
  return steps?.history?.[steps.now] === code ? steps : { history: code ? ["", code] : [""], now: code ? 1 : 0 };
}

/** @param {string} address @param {string[]} history @param {number} now */
export function leave(address, history, now) {
  tried(() => sessionStorage.setItem(GAMES + address, JSON.stringify({ history, now })));
  tried(() => (history[now] ? localStorage.setItem(GAMES + address, history[now]) : localStorage.removeItem(GAMES + address)));
}

/** Calls back when another tab has changed a game. @param {(address: string, code: string) => void} changed */
export function watch(changed) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(GAMES)) changed(key.slice(GAMES.length), newValue ?? "");
  });
}

/** All games: address -> code. @returns {Record<string, string>} */
export function everything() {
  const kept = tried(() => Object.entries(localStorage)) ?? [];
  return Object.fromEntries(kept.filter(([name]) => name.startsWith(GAMES)).sort().map(([name, code]) => [name.slice(GAMES.length), code]));
}

/** Takes games from a file that `everything` filled; returns how many, 0 if it is no such file. @param {string} text */
export function take(text) {
  const games = tried(() => Object.entries(JSON.parse(text).games)) ?? [];
  if (!games.every(([address, code]) => /^[\w-]+(\/.*)?$/.test(address) && /^[\w-]*$/.test(String(code)))) return 0;
  for (const [address, code] of games) tried(() => localStorage.setItem(GAMES + address, String(code)));
  return games.length;
}
