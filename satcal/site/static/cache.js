// Files for visits without a network: what the service worker has to cache, and what it has.
import { byId } from "./geometry.js";
import { LANGUAGE } from "./i18n.js";

/** Cache the page and all boards, this board first. It may be impossible, such as in a private window.
 * @param {string} dataFolder @param {import("./types.js").Puzzle} puzzle @param {import("./types.js").Library} library */
export async function keepOffline(dataFolder, puzzle, library) {
  const serviceWorker = location.protocol.startsWith("http") ? navigator.serviceWorker : undefined;
  if (!serviceWorker) return;
  try {
    await serviceWorker.register("offline.js");
    const filesOf = (/** @type {string} */ name, /** @type {boolean} */ dated) => [`${name}.json`, `${name}.${dated ? "year.json" : "bin"}`];
    const others = library.puzzles.filter(({ name }) => name !== puzzle.name).flatMap(({ name, dates }) => filesOf(name, dates));
    const files = ["puzzles.json", ...filesOf(puzzle.name, puzzle.categories.length > 0), ...others].map((file) => dataFolder + file);
    const sentences = ["", "-more"].map((which) => `sentences-${LANGUAGE}${which}.js`);
    (await serviceWorker.ready).active?.postMessage({ keep: [...sentences, ...files] });
  } catch { /* nothing is cached */ }
}

/** Disable boards that cannot be opened without a network. @param {string} dataFolder */
export async function disableMissingBoards(dataFolder) {
  for (const each of /** @type {HTMLOptionElement[]} */ ([...byId("puzzle").querySelectorAll("option")])) {
    each.disabled = !navigator.onLine && !await caches.match(new URL(`${dataFolder}${each.value}.json`, document.baseURI).href);
  }
}
