// Before anything else: the colours that were chosen, the board that will be asked for, and a word to whoever
// opened the file itself.
(function start() {
  const { dataset } = document.documentElement;
  const folder = location.pathname.replace(/[^/]*$/, "");
  const like = (/** @type {string} */ name) => {
    try {
      return localStorage.getItem(`satcal ${folder} like ${name}`);
    } catch {
      return null;
    }
  };
  dataset.theme = like("theme") ?? "auto";
  if (/** @type {any} */ (globalThis).satcal) return; // one file, with all data inside
  if (location.protocol === "file:") {
    dataset.opened = "file";
    return;
  }
  const boards = dataset.boards?.split(" ") ?? [];
  const board = (location.hash ? location.hash.slice(1).split("/") : [like("puzzle"), boards[0]]).find((name) => boards.includes(name ?? ""));
  if (!board) return;
  const early = { rel: "preload", as: "fetch", crossOrigin: "", href: `data/${board}.json` }; // with the modules, not after them
  document.head.append(Object.assign(document.createElement("link"), early));
})();
