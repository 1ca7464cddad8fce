// What the page has to say beside the game: a linked game, another day, a browser that keeps nothing.
import { Game } from "./game.js";
import { at, element } from "./geometry.js";
import { mine, setMine } from "./keep.js";
import "./more-sentences.js";
import { say, today, weekdayOf } from "./words.js";

/** @import { Page } from "./app.js" */
/** @typedef {{text: string, buttons: [string, () => void][]}} Notice */

/** @type {Map<string, Notice>} the first one is shown */
const notices = new Map();
/** @type {Set<string>} texts that the player has closed, with the kind of their notice */
const closed = new Set();

/** @param {string} kind @param {Notice | null} notice */
function notify(kind, notice) {
  if (!notice && !notices.has(kind)) return;
  if (notice) notices.set(kind, notice);
  else notices.delete(kind);
  const [[shown = "", first = null] = []] = [...notices].filter(([kind, { text }]) => !closed.has(kind + text));
  const text = first?.text ?? "";
  if (at("notice").dataset.text === text) return;
  at("notice").dataset.text = text;
  at("notice").hidden = !first;
  at("notice").replaceChildren(...(first ? [element("span", { textContent: text })] : []), ...(first?.buttons ?? []).map(([name, act]) => {
    const button = element("button", { type: "button", className: "pill", textContent: say(name) });
    button.addEventListener("click", act);
    return button;
  }));
  if (!first) return;
  const close = element("button", { type: "button", className: "round", "aria-label": say("notice-close") }, at("close").children[0].cloneNode(true));
  close.addEventListener("click", () => {
    closed.add(shown + text);
    notify(shown, null);
  });
  at("notice").append(close);
}

export const nothingKept = () => notify("storage", { text: say("notice-storage"), buttons: [["notice-fine", () => notify("storage", null)]] });

/** Looks whether there is something to say. @param {Page} page */
export function look(page) {
  if (!page.current()) return;
  const { address, date, opened, name } = page.current();
  const kept = mine(address);
  notify("linked", kept === null ? null : { text: say("notice-linked"), buttons: [
    ["notice-back", () => { setMine(address, ""); page.current().game.open(kept); look(page); }],
    ["notice-keep", () => { setMine(address, ""); look(page); }]] });
  const now = today();
  notify("midnight", date !== opened || now === opened ? null : {
    text: say("notice-midnight", { weekday: weekdayOf(now) }),
    buttons: [["notice-play-today", () => { notify("midnight", null); page.go("", name); }]] });
}

/** A linked game: one's own is kept beside it. @param {Page} page @param {string} code @param {string} before */
export function visit(page, code, before) {
  const { game, address, reveal } = page.current();
  const board = new Game(game.puzzle, reveal);
  board.resume(["", before], 1);
  const own = board.tiling;
  board.resume(["", code], 1);
  if (board.tiling === own) return;
  if (own && mine(address) === null) setMine(address, before);
  game.fresh = false;
  game.open(code, "l");
  look(page);
}
