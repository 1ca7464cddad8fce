// Hands the board that is played to the service worker.

/** Keeps the page and this board for a visit without a network; to be called when it can be played.
 * Where that is not possible, such as in a private window, nothing is lost but that.
 * @param {string} base @param {import("./types.js").Puzzle} puzzle */
export async function keepOffline(base, puzzle) {
  const workers = location.protocol.startsWith("http") ? navigator.serviceWorker : undefined;
  if (!workers) return;
  try {
    await workers.register("offline.js");
    const files = ["puzzles.json", `${puzzle.name}.json`, `${puzzle.name}.${puzzle.categories.length ? "year.json" : "bin"}`];
    (await workers.ready).active?.postMessage({ keep: files.map((file) => base + file) });
  } catch { /* nothing is kept */ }
}
