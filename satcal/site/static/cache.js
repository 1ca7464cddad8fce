// Files for visits without a network: what the service worker has to cache, and what it has.
import { DATA, isOwn } from "./engine.js";
import { byId } from "./geometry.js";
import { LANGUAGE } from "./i18n.js";

/** Cache the page and all boards, this board first. It may be impossible, such as in a private window.
 * @param {import("./types.js").Puzzle} puzzle @param {import("./types.js").Library} library */
export async function keepOffline(puzzle, library) {
  const isSingleFile = "satcal" in globalThis; // which has all it needs, and no script beside it
  const serviceWorker = location.protocol.startsWith("http") && !isSingleFile ? navigator.serviceWorker : undefined;
  if (!serviceWorker) return;
  try {
    await serviceWorker.register("offline.js");
    const filesOf = (/** @type {string} */ name, /** @type {boolean} */ hasDates) => [`${name}.json`, `${name}.evidence.json`, `${name}.${hasDates ? "year.json" : "bin"}`];
    const otherFiles = library.puzzles.filter(({ name }) => name !== puzzle.name).flatMap(({ name, dates }) => filesOf(name, dates));
    const ownFiles = isOwn(puzzle.name) ? [] : filesOf(puzzle.name, puzzle.categories.length > 0);
    const files = ["puzzles.json", ...ownFiles, ...otherFiles].map((file) => DATA + file);
    const sentences = ["", "-more", "-make"].map((which) => `sentences-${LANGUAGE}${which}.json`);
    (await serviceWorker.ready).active?.postMessage({ keep: [...sentences, ...files] });
  } catch { /* nothing is cached */ }
}

/** Disable boards that cannot be opened without a network. */
export async function disableMissingBoards() {
  for (const each of /** @type {HTMLOptionElement[]} */ ([...byId("puzzle").querySelectorAll("option")])) {
    each.disabled = !navigator.onLine && !isOwn(each.value) && !await caches.match(new URL(`${DATA}${each.value}.json`, document.baseURI).href);
  }
}
