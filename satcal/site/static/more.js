// What else there is: the way to solutions, sharing and proof, how one likes it, help, and one's games.
import { everything, take } from "./games.js";
import { at, element, svg } from "./geometry.js";
import { preference, setPreference } from "./keep.js";
import "./more-sentences.js";
import { addressOf, say, today } from "./words.js";

/** @import { Page } from "./app.js" */

/** @type {Record<string, string>} drawings of 24 by 24 */
const ICONS = {
  redo: "m15 5 5 5-5 5M20 10H10a5.5 5.5 0 0 0 0 11h3", "start-again": "M4 12a8 8 0 1 0 2.5-5.800L4 8.500M4 3.500v5h5",
  solutions: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", share: "M12 15V4M8 7.5 12 3.500l4 4M5 12v8h14v-8",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z", believe: "M12 3.5 19.5 6v6c0 4.5-3 7.3-7.5 8.500C7.5 19.3 4.5 16.5 4.5 12V6zM8.5 12l2.5 2.5 4.5-5",
};

/** @param {string} name */
const icon = (name) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { name, when, game } = page.current();
  const { served, jobs } = page.library();
  at("sheet-title").textContent = say("more");
  const close = () => at("close").click();
  const button = (/** @type {string} */ id, /** @type {() => void} */ act) => {
    const made = element("button", { type: "button", id }, icon(id), say(id));
    made.addEventListener("click", act);
    return made;
  };
  const link = (/** @type {string} */ id) => element("a", { className: "pill", id: `to-${id}`, href: addressOf(name, when, id) }, icon(id), say(id));
  const redo = button("redo", () => { page.act("redo"); close(); });
  redo.disabled = game.now + 1 === game.history.length;
  const items = [link("solutions"), link("share"), link("believe"), redo, button("start-again", () => { page.act("clear"); close(); }),
    button("print", () => { close(); setTimeout(() => print(), 50); })];
  body.replaceChildren(element("ul", { className: "menu" }, ...items.map((each) => element("li", {}, each))),
    ...help(), ...settings(page), ...await about(page, served, jobs), ...games());
}

/** @param {string} id @param {string[]} options @param {string} otherwise @param {() => void} act @param {(value: string) => string} [named] */
function choice(id, options, otherwise, act, named = (value) => say(`${id}-${value}`)) {
  const select = element("select", { id, autocomplete: "off" }, ...options.map((value) => element(
    "option", { value, textContent: named(value), selected: value === preference(id, otherwise) })));
  select.addEventListener("change", () => { setPreference(id, select.value); act(); });
  return element("p", {}, element("label", {}, say(`${id}-label`), select));
}

/** @param {string} id @param {(on: boolean) => void} act */
function tick(id, act) {
  const box = element("input", { type: "checkbox", id, checked: preference(id, "no") === "yes" });
  box.addEventListener("change", () => { setPreference(id, box.checked ? "yes" : "no"); act(box.checked); });
  return element("label", {}, box, say(`${id}-label`));
}

/** @param {Page} page */
function settings(page) {
  const { dataset: { languages = "en" } } = document.documentElement;
  const called = (/** @type {string} */ tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return [element("h3", { textContent: say("settings") }),
    choice("language", ["", ...languages.split(" ")], "", () => location.reload(), (tag) => (tag ? called(tag) : say("theme-auto"))),
    choice("know", ["nothing", "solvable", "exact"], "nothing", page.recount),
    choice("theme", ["auto", "light", "dark"], "auto", () => { document.documentElement.dataset.theme = preference("theme", "auto"); }),
    element("p", {}, tick("letters", () => { document.documentElement.dataset.letters = preference("letters", "no"); }), " ",
      tick("clock-on", (on) => {
        setPreference("clock", on ? "yes" : "no");
        import("./clock.js").then(({ run }) => run(page));
      }))];
}

function games() {
  const status = element("p", { id: "taken", role: "status" });
  const save = element("button", { type: "button", className: "pill", id: "save", textContent: say("save") });
  save.addEventListener("click", () => {
    const kept = everything();
    download(new Blob([JSON.stringify({ satcal: 2, kept }, null, 1)], { type: "application/json" }), `satcal-${today()}.json`);
    status.textContent = say("saved", { n: Object.keys(kept).length });
  });
  const file = element("input", { type: "file", id: "load", accept: ".json,application/json" });
  file.addEventListener("change", async () => {
    const number = file.files?.[0] ? take(await file.files[0].text()) : 0;
    status.textContent = number ? say("loaded", { n: number }) : say("not-games");
    file.value = "";
    if (number) setTimeout(() => location.reload(), 1200); // with what was loaded
  });
  return [element("h3", { textContent: say("keep") }), element("p", { className: "note", textContent: say("keep-note") }),
    element("div", { className: "row" }, save, element("label", { className: "pill" }, say("load"), file)), status];
}

const help = () => [element("h3", { textContent: say("help") }), ...["help-aim", "help-hand", "help-keys"].map((name) => element("p", { textContent: say(name), className: name === "help-keys" ? "for-keys" : "" }))];

/** @param {Page} page @param {boolean} served @param {boolean} jobs */
async function about(page, served, jobs) {
  const { puzzle: { designer, source }, name, reveal } = page.current();
  const lines = [designer && say("designer", { name: designer }), source && say("source", { source }), say("about", { version: page.library().version })];
  const found = [element("h3", { textContent: say("about-count") }), element("p", { className: "note", textContent: lines.filter(Boolean).join(" ") })];
  if (!served) return found;
  await import("./sentences-served.js");
  const asked = new URLSearchParams(reveal.length ? { reveal: reveal.join() } : {});
  const files = [["file-board", "board.svg"], ["file-counts", "counts?all_reveals=true&format=csv"],
    ["file-clauses", `export?${asked}`], ["file-definition", "definition"]];
  const link = (/** @type {string} */ text, /** @type {string} */ href) => element("li", {}, element("a", { className: "pill", href, textContent: say(text) }));
  return [...found, element("h3", { textContent: say("downloads") }), element("ul", { className: "menu", id: "exports", lang: "en" },
    ...files.map(([text, path]) => link(text, `api/v1/puzzles/${encodeURIComponent(name)}/${path}`)),
    link("own-board", "make.html"), ...(jobs ? [link("claims", "claims.html")] : []), link("api", "docs"))];
}

/** Hands a file to whoever plays. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
