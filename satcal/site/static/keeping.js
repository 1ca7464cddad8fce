// What is kept for visits without a network: the service worker is told, and asked.
import { at } from "./geometry.js";
import { LANGUAGE } from "./words.js";

/** Keeps the page and all boards for visits without a network, this board first; to be called when it can be played.
 * Where that is not possible, such as in a private window, nothing is lost but that.
 * @param {string} base @param {import("./types.js").Puzzle} puzzle @param {import("./types.js").Library} library */
export async function keepOffline(base, puzzle, library) {
  const workers = location.protocol.startsWith("http") ? navigator.serviceWorker : undefined;
  if (!workers) return;
  try {
    await workers.register("offline.js");
    const filesOf = (/** @type {string} */ name, /** @type {boolean} */ dated) => [`${name}.json`, `${name}.${dated ? "year.json" : "bin"}`];
    const others = library.puzzles.filter(({ name }) => name !== puzzle.name).flatMap(({ name, dates }) => filesOf(name, dates));
    const files = ["puzzles.json", ...filesOf(puzzle.name, puzzle.categories.length > 0), ...others].map((file) => base + file);
    const sentences = ["", "-more"].map((which) => `sentences-${LANGUAGE}${which}.js`);
    (await workers.ready).active?.postMessage({ keep: [...sentences, ...files] });
  } catch { /* nothing is kept */ }
}

/** Lets only boards be chosen that can be opened. @param {string} base */
export async function greyOut(base) {
  for (const each of /** @type {HTMLOptionElement[]} */ ([...at("puzzle").querySelectorAll("option")])) {
    each.disabled = !navigator.onLine && !await caches.match(new URL(`${base}${each.value}.json`, document.baseURI).href);
  }
}
