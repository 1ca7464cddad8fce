// What runs before everything else: the language, its direction, and what is asked for early.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const SCRIPT = readFileSync(new URL("../../satcal/site/static/start.js", import.meta.url), "utf8");

/** What the script does to a page for a browser of these languages, with an address and preferences. */
function start(languages, hash = "", preferences = {}) {
  const root = { dataset: { languages: "en de pt zh-Hans zh-Hant ar", boards: "first second" } };
  const links = [];
  runInContext(SCRIPT, createContext({
    addEventListener: () => {},
    document: { documentElement: root, head: { append: (link) => links.push(link.href) }, createElement: () => ({}) },
    localStorage: { getItem: (key) => preferences[key.replace("satcal /folder/ preference ", "")] ?? null },
    location: { pathname: "/folder/index.html", protocol: "https:", hash },
    navigator: { languages },
  }));
  return { root, links };
}

test("a page has the first language of the browser that there is, and its direction", () => {
  for (const [languages, lang] of [[["de-CH"], "de"], [["zh-TW"], "zh-Hant"], [["zh"], "zh-Hans"], [["tlh"], "en"], [["tlh", "pt-BR"], "pt"], [[], "en"]]) {
    const { root, links } = start(languages);
    assert.deepEqual([root.lang, root.dir, links[0]], [lang, "ltr", `sentences-${lang}.json`]);
    assert.equal(links.includes("languages.css"), lang !== "en");
  }
  assert.equal(start(["ar-EG"]).root.dir, "rtl");
  assert.equal(start(["de"], "", { language: "en" }).root.lang, "en");
});

test("the board of the address is asked for early, or else the one last used, or the first", () => {
  for (const [hash, puzzle, board] of [["", undefined, "first"], ["", "second", "second"], ["", "gone", "first"],
    ["#year/second", undefined, "second"], ["#second/2025-10-06", "first", "second"], ["#nope/2025-10-06", "first", null]]) {
    const data = start(["en"], hash, { puzzle }).links.filter((link) => link.startsWith("data/"));
    assert.deepEqual(data, board ? [`data/${board}.json`] : [], hash);
  }
});
