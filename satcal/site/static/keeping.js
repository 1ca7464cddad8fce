// What is kept for visits without a network: the service worker is told, and asked.

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
    const files = ["puzzles.json", ...filesOf(puzzle.name, puzzle.categories.length > 0), ...others];
    (await workers.ready).active?.postMessage({ keep: files.map((file) => base + file) });
  } catch { /* nothing is kept */ }
}

/** The names of the boards that can be opened without a network. @param {string} base @param {string[]} names */
export async function keptBoards(base, names) {
  const there = await Promise.all(names.map((name) => caches.match(new URL(`${base}${name}.json`, document.baseURI).href)));
  return names.filter((_, at) => there[at]);
}
