// Before anything else: the colours and the language that were chosen, the board that will be asked for, and a word to
// whoever opened the file itself.
(function start() {
  const { documentElement: root, documentElement: { dataset } } = document;
  const folder = location.pathname.replace(/[^/]*$/, "");
  const like = (/** @type {string} */ name) => {
    try {
      return localStorage.getItem(`satcal ${folder} like ${name}`);
    } catch {
      return null;
    }
  };
  dataset.theme = like("theme") ?? "auto";
  const script = (/** @type {string} */ tag) => (/^zh-(hant|tw|hk|mo)/i.test(tag) ? "zh-hant" : /^zh/i.test(tag) ? "zh-hans" : tag);
  const names = [like("language"), ...navigator.languages].flatMap((tag) => (tag ? [tag.toLowerCase(), script(tag), tag.split("-")[0]] : []));
  const there = dataset.languages?.split(" ") ?? ["en"];
  const [language = "en"] = names.flatMap((tag) => there.find((each) => each.toLowerCase() === tag) ?? []);
  Object.assign(root, { lang: language, dir: /^(ar|fa|he|ur)$/.test(language) ? "rtl" : "ltr" });
  if (/** @type {any} */ (globalThis).satcal) return; // one file, with all data inside
  if (location.protocol === "file:") {
    dataset.opened = "file";
    return;
  }
  const ahead = (/** @type {object} */ link) => document.head.append(Object.assign(document.createElement("link"), link)); // with the modules, not after them
  ahead({ rel: "modulepreload", href: `sentences-${language}.js` });
  if (language !== "en") ahead({ rel: "stylesheet", href: "languages.css" });
  const boards = dataset.boards?.split(" ") ?? [];
  const board = (location.hash ? location.hash.slice(1).split("/") : [like("puzzle"), boards[0]]).find((name) => boards.includes(name ?? ""));
  if (board) ahead({ rel: "preload", as: "fetch", crossOrigin: "", href: `data/${board}.json` });
})();
