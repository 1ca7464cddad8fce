// Before anything else: the colours that were chosen, and a word to whoever opened the file itself.
(function start() {
  try {
    const folder = location.pathname.replace(/[^/]*$/, "");
    document.documentElement.dataset.theme = localStorage.getItem(`satcal ${folder} like theme`) ?? "auto";
  } catch { /* as the system has them */ }
  const inside = /** @type {any} */ (globalThis).satcal;
  if (location.protocol === "file:" && !inside) document.documentElement.dataset.opened = "file";
})();
