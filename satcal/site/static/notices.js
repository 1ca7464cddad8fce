// Notices beside the game: a linked game, another day, a browser that stores nothing.
import { Game } from "./game.js";
import { byId, createElement } from "./geometry.js";
import { ownGame, setOwnGame } from "./storage.js";
import { createButton } from "./views.js";
import { translate, today, formatWeekday } from "./i18n.js";

/** @import { Page } from "./types-page.js" */
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
  const [[shownKind = "", first = null] = []] = [...notices].filter(([kind, { text }]) => !closed.has(kind + text));
  const text = first?.text ?? "";
  if (byId("notice").dataset.shown === text) return;
  byId("notice").dataset.shown = text;
  byId("notice").hidden = !first;
  byId("notice").replaceChildren(...(first ? [createElement("span", { textContent: text })] : []), ...(first?.buttons ?? []).map(([name, onClick]) => createButton(name, onClick)));
  if (!first) return;
  const onclick = () => {
    closed.add(shownKind + text);
    notify(shownKind, null);
  };
  byId("notice").append(createElement("button", { type: "button", className: "round", "aria-label": translate("notice-close"), onclick }, byId("close").children[0].cloneNode(true)));
}

export const warnNotSaved = () => notify("storage", { text: translate("notice-storage"), buttons: [["notice-fine", () => notify("storage", null)]] });

/** Show or remove the notices that the state of the game asks for. @param {Page} page */
export function updateNotices(page) {
  if (!page.current()) return;
  const { address, date, openedOn, name } = page.current();
  const ownCode = ownGame(address);
  notify("linked", ownCode === null ? null : { text: translate("notice-linked"), buttons: [
    ["notice-back", () => { setOwnGame(address, ""); page.current().game.openCode(ownCode); updateNotices(page); }],
    ["notice-keep", () => { setOwnGame(address, ""); updateNotices(page); }]] });
  const currentDate = today();
  notify("midnight", date !== openedOn || currentDate === openedOn ? null : {
    text: translate("notice-midnight", { weekday: formatWeekday(currentDate) }),
    buttons: [["notice-play-today", () => { notify("midnight", null); page.navigate("", name); }]] });
}

/** Open a linked game; the player's own is kept beside it. @param {Page} page @param {string} code @param {string} before */
export function openLinkedGame(page, code, before) {
  const { game, address, reveal } = page.current();
  const board = new Game(game.puzzle, reveal);
  board.resume(["", before], 1);
  const ownTiling = board.tilingCode;
  board.resume(["", code], 1);
  if (board.tilingCode === ownTiling) return;
  if (ownTiling && ownGame(address) === null) setOwnGame(address, before);
  game.isFresh = false;
  game.openCode(code, "l");
  updateNotices(page);
}
