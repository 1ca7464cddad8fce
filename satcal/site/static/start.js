// Runs before everything else: sets colours and language, preloads the board, and explains a page that was opened as a file.
(function start() {
  const { documentElement: root, documentElement: { dataset } } = document;
  const folder = location.pathname.replace(/[^/]*$/, "");
  const readPreference = (/** @type {string} */ name) => {
    try {
      return localStorage.getItem(`satcal ${folder} preference ${name}`);
    } catch {
      return null;
    }
  };
  dataset.theme = readPreference("theme") ?? "auto";
  const chineseScript = (/** @type {string} */ tag) => (/^zh-(hant|tw|hk|mo)/i.test(tag) ? "zh-hant" : /^zh/i.test(tag) ? "zh-hans" : tag);
  const names = [readPreference("language"), ...navigator.languages].flatMap((tag) => (tag ? [tag.toLowerCase(), chineseScript(tag), tag.split("-")[0]] : []));
  const available = dataset.languages?.split(" ") ?? ["en"];
  const [language = available[0]] = names.flatMap((tag) => available.find((each) => each.toLowerCase() === tag) ?? []);
  Object.assign(root, { lang: language, dir: /^(ar|fa|he|ur)$/.test(language) ? "rtl" : "ltr" });
  if (/** @type {any} */ (globalThis).satcal) return; // one file, with all data inside
  if (location.protocol === "file:") {
    dataset.opened = "file";
    return;
  }
  // a module does not load in a frame with an origin of its own, nor against the policy of a site
  addEventListener("error", ({ target }) => { if (target instanceof HTMLScriptElement) dataset.opened = "blocked"; }, true);
  const loadEarly = (/** @type {object} */ link) => document.head.append(Object.assign(document.createElement("link"), link)); // with the modules, not after them
  const files = (/** @type {HTMLScriptElement | null | undefined} */ (document.currentScript)?.src ?? "").replace(/[^/]*$/, ""); // a server keeps them apart
  dataset.files = files;
  loadEarly({ rel: "preload", as: "fetch", crossOrigin: "", href: `${files}sentences-${language}.json` });
  if (language !== "en") loadEarly({ rel: "stylesheet", href: `${files}languages.css` });
  const boards = dataset.boards?.split(" ") ?? [];
  const board = (location.hash ? location.hash.slice(1).split("/") : [readPreference("puzzle"), boards[0]]).find((name) => boards.includes(name ?? ""));
  if (board) loadEarly({ rel: "preload", as: "fetch", crossOrigin: "", href: `data/${board}.json` });
})();
