// More: links to the other views, help, settings, about, backup.
import { exportGames, importGames } from "./backup.js";
import { isOwn } from "./engine.js";
import { byId, createElement } from "./geometry.js";
import { calendarEntry } from "./habit.js";
import { icon } from "./icons.js";
import { preference, setPreference } from "./storage.js";
import { createButton } from "./views.js";
import { SPACE, addSentences, addressOf, translate, today } from "./i18n.js";

/** @import { Page } from "./types-page.js" */

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { name, date, dateParam, game, puzzle } = page.current();
  const { served, jobs } = page.library();
  byId("sheet-title").textContent = translate("more");
  const close = () => byId("close").click();
  const button = (/** @type {string} */ id, /** @type {() => void} */ onclick) => createElement("button", { type: "button", id, onclick }, icon(id), translate(id));
  const link = (/** @type {string} */ id) => createElement("a", { className: "pill", id: `to-${id}`, href: addressOf(name, dateParam, id) }, icon(id), translate(id));
  const redo = button("redo", () => { page.runTool("redo"); close(); });
  redo.disabled = game.cursor + 1 === game.history.length;
  const items = [link("solutions"), link("share"), ...(date ? [link("friends")] : []), link("evidence"), link("make"), redo, button("start-again", () => { page.runTool("clear"); close(); }),
    ...(puzzle.calendar ? [button("reminder", () => download(new Blob([calendarEntry(puzzle.title, new URL(addressOf(name, ""), location.href).href, today())], { type: "text/calendar" }), "satcal.ics"))] : []),
    button("print", () => { close(); setTimeout(() => print(), 50); })];
  body.replaceChildren(createElement("ul", { className: "menu" }, ...items.map((each) => createElement("li", {}, each))),
    ...helpSection(), ...settingsSection(page), ...await aboutSection(page, served, jobs), ...backupSection());
}

/** @param {string} id @param {string[]} options @param {string} otherwise @param {() => void} onChange @param {(value: string) => string} [labelOf] */
function settingSelect(id, options, otherwise, onChange, labelOf = (value) => translate(`${id}-${value}`)) {
  const onchange = () => { setPreference(id, select.value); onChange(); };
  const select = createElement("select", { id, autocomplete: "off", onchange }, ...options.map((value) => createElement(
    "option", { value, textContent: labelOf(value), selected: value === preference(id, otherwise) })));
  return createElement("p", {}, createElement("label", {}, translate(`${id}-label`), select));
}

/** @param {string} id @param {(on: boolean) => void} onChange */
function settingCheckbox(id, onChange) {
  const onchange = () => { setPreference(id, box.checked ? "yes" : "no"); onChange(box.checked); };
  const box = createElement("input", { type: "checkbox", id, checked: preference(id, "no") === "yes", onchange });
  return createElement("label", {}, box, translate(`${id}-label`));
}

/** @param {Page} page */
function settingsSection(page) {
  const { dataset: { languages = "en" } } = document.documentElement;
  const languageName = (/** @type {string} */ tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return [createElement("h3", { textContent: translate("settings") }),
    settingSelect("language", ["", ...languages.split(" ")], "", () => location.reload(), (tag) => (tag ? languageName(tag) : translate("theme-auto"))),
    settingSelect("know", ["nothing", "solvable", "exact"], "nothing", page.recount),
    settingSelect("theme", ["auto", "light", "dark"], "auto", () => { document.documentElement.dataset.theme = preference("theme", "auto"); }),
    createElement("p", {}, settingCheckbox("letters", () => { document.documentElement.dataset.letters = preference("letters", "no"); }), " ",
      settingCheckbox("clock-on", (isOn) => {
        setPreference("clock", isOn ? "yes" : "no");
        import("./clock.js").then(({ startClock }) => startClock(page));
      }), " ", ...("vibrate" in navigator ? [settingCheckbox("buzz", () => {}), " "] : []), settingCheckbox("sound", () => {}))];
}

function backupSection() {
  const status = createElement("p", { id: "taken", role: "status" });
  const save = createButton("save", () => {
    const kept = exportGames();
    download(new Blob([JSON.stringify({ satcal: 2, kept }, null, 1)], { type: "application/json" }), `satcal-${today()}.json`);
    status.textContent = translate("saved", { n: Object.keys(kept).length });
  });
  const file = createElement("input", { type: "file", id: "load", accept: ".json,application/json", onchange: async () => {
    const number = file.files?.[0] ? importGames(await file.files[0].text()) : 0;
    status.textContent = number ? translate("loaded", { n: number }) : translate("not-games");
    file.value = "";
    if (number) setTimeout(() => location.reload(), 1200); // to show them
  } });
  return [createElement("h3", { textContent: translate("keep") }), createElement("p", { className: "note", textContent: translate("keep-note") }),
    createElement("div", { className: "row" }, save, createElement("label", { className: "pill" }, translate("load"), file)), status];
}

const helpSection = () => [createElement("h3", { textContent: translate("help") }), ...["help-aim", "help-hand", "help-keys"].map((name) => createElement("p", { textContent: translate(name), className: name === "help-keys" ? "for-keys" : "" }))];

/** @param {Page} page @param {boolean} served @param {boolean} jobs */
async function aboutSection(page, served, jobs) {
  const { puzzle: { designer, source }, name, reveal } = page.current();
  const lines = [designer && translate("designer", { name: designer }), source && translate("source", { source }), translate("about", { version: page.library().version })];
  const found = [createElement("h3", { textContent: translate("about-count") }), createElement("p", { className: "note", textContent: lines.filter(Boolean).join(SPACE) })];
  if (!served) return found;
  await addSentences("served");
  const query = new URLSearchParams(reveal.length ? { reveal: reveal.join() } : {});
  const files = [["file-board", "board.svg"], ["file-counts", "counts.csv"],
    ["file-clauses", `export?${query}`], ["file-definition", "definition"]];
  const link = (/** @type {string} */ text, /** @type {string} */ href) => createElement("li", {}, createElement("a", { className: "pill", href, textContent: translate(text) }));
  if (isOwn(name)) return found; // the server does not know it
  return [...found, createElement("h3", { textContent: translate("downloads") }), createElement("ul", { className: "menu", id: "exports", lang: "en" },
    ...files.map(([text, path]) => link(text, `api/v1/puzzles/${encodeURIComponent(name)}/${path}`)),
    ...(jobs ? [link("claims", "claims.html")] : []), link("api", "docs"))];
}

/** Copy a text, or show it where that is not allowed. @param {string} text @param {HTMLElement} status */
export const copy = (text, status) => (navigator.clipboard?.writeText(text) ?? Promise.reject())
  .then(() => { status.textContent = translate("share-copied"); }, () => { status.textContent = text; });

/** Offer a file to be saved. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = createElement("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
