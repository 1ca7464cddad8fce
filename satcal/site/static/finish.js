// The finish: the date glows, a sweep of light runs over the board, and a card says what was achieved.
import { formatTime } from "./clock.js";
import { clipTo } from "./board-view.js";
import { byId, createElement, createSvg } from "./geometry.js";
import { loadDay, addSolution, updateDay } from "./storage.js";
import { countStreak } from "./days.js";
import { createButton } from "./views.js";
import { installer, updateBadge } from "./habit.js";
import { icon } from "./icons.js";
import { friendsOf } from "./results.js";
import { showThree } from "./three.js";
import { showWeek, weekOf } from "./week.js";
import { SPACE, addressOf, formatDuration, joinSentences, translate, today } from "./i18n.js";

/** @import { Page } from "./types-page.js" @import { Solution } from "./storage.js" */

/** @param {Page} page @param {boolean} fresh solved just now, not reopened */
export async function showFinish(page, fresh) {
  const current = page.current();
  const { game, puzzle, reveal, counter } = current;
  /** @type {Solution["by"]} */
  const finder = game.help === "s" ? "shown" : game.help === "l" ? "linked" : "me";
  const previousFinder = addSolution(puzzle.digest, reveal, game.tilingCode, finder);
  const found = page.countFound();
  const { count: total } = await counter.ask({ reveal, placed: [] });
  if (current !== page.current() || !game.isSolved) return;
  recordDay(page, finder, total, found);
  showWeek(page);
  showThree(page);
  if (current.date) updateBadge(current.name);
  const promptInstall = installer(current.name);
  page.table.setStaged(drawGlow(page.table.board));
  page.table.root.classList.toggle("fresh", fresh);
  if (page.countFound()) byId("found").textContent = translate("found", { found });
  const facts = finder === "me" ? listFacts(current.address) : [];
  const repeatKey = previousFinder && fresh ? (previousFinder === "me" ? "finish-again" : previousFinder === "shown" ? "finish-shown" : "finish-linked")
    : finder === "shown" ? "finish-shown" : finder === "linked" ? "finish-linked" : "";
  const notes = [repeatKey && translate(repeatKey), BigInt(found) === total && translate("finish-all", { all: total })].filter(Boolean);
  const heading = createElement("h2", { id: "finish-title", tabIndex: -1, textContent: translate("solved") });
  const share = createElement("a", { className: "pill strong", id: "to-share", href: addressOf(current.name, current.dateParam, "share") }, icon("share"), translate("share"));
  const another = createButton("another", () => page.runTool("clear"), "quiet", translate("finish-another"));
  const toFriends = createElement("a", { className: "pill", id: "to-friends", href: addressOf(current.name, current.dateParam, "friends") }, icon("friends"), translate("friends"));
  const next = createElement("span", { id: "next" });
  const onclick = () => {
    byId("finish").hidden = true;
    byId("tools").classList.remove("covered");
    byId("undo").focus();
  };
  const close = createElement("button", { type: "button", id: "finish-close", className: "round", "aria-label": translate("close"), onclick }, byId("close").children[0].cloneNode(true));
  byId("finish").replaceChildren(createElement("div", { className: "card" }, heading,
    ...(facts.length ? [createElement("dl", { id: "facts", className: "facts" }, ...facts.map(([value, name]) => createElement(
      "div", {}, createElement("dd", { textContent: value }), " ", createElement("dt", { textContent: name }))))] : []),
    ...(notes.length ? [createElement("p", { className: "note", textContent: notes.join(SPACE) })] : []), ...(current.date ? [weekOf(current.name, current.date)] : []),
    createElement("div", { className: "share" }, share, ...(friendsOf(current.address, puzzle.digest).length ? [toFriends] : []), close), createElement("div", { className: "last note" }, createElement("span", {}, translate("finish-found", { found, all: total }), " · ", another), ...(current.date === today() ? [next] : []),
      ...(promptInstall ? [createButton("install", promptInstall, "quiet")] : []))));
  countDown(next);
  byId("finish").hidden = false;
  const [card, tools] = [byId("finish").children[0], byId("tools")].map((each) => each.getBoundingClientRect());
  const isCovering = card.bottom > tools.top && card.left < tools.right && card.right > tools.left; // on a short phone, until it is closed
  byId("tools").classList.toggle("covered", isCovering);
  close.hidden = !isCovering;
  if (!fresh) return;
  page.showStatus("");
  heading.focus({ preventScroll: true });
  page.announce(joinSentences([...facts.map((each) => each.join(" ")), ...notes]));
}

/** Draw the cells of the date once more, in their glow, and a sweep of light over the board. @param {SVGElement} board */
function drawGlow(board) {
  const cells = [...board.querySelectorAll(".revealed")];
  const halos = cells.map((cell) => createSvg("path", { d: cell.getAttribute("d") ?? "", class: "halo" }));
  const again = cells.flatMap((cell) => [cell.cloneNode(true), /** @type {Element} */ (cell.nextElementSibling).cloneNode(true)]);
  const stops = [0, 0.5, 0].map((opacity, number) => createSvg("stop", { offset: number / 2, "stop-color": "#fff", "stop-opacity": opacity }));
  const [, , wide, high] = (board.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const light = createSvg("rect", { x: -wide, y: -high, width: wide, height: 3 * high, fill: "url(#light)", class: "sweep" });
  return [.../** @type {SVGElement[]} */ (again.length ? halos : []), createSvg("linearGradient", { id: "light" }, ...stops),
    clipTo(board.querySelector(".bed")?.getAttribute("d") ?? "", light), .../** @type {SVGElement[]} */ (again)];
}

/** Return the time, the hints and the days in a row, each as a value and its name. @param {string} address @returns {[string, string][]} */
export function listFacts(address) {
  const { seconds = 0, hints = 0 } = loadDay(address);
  const { days } = countStreak(today());
  return [...(seconds ? [/** @type {[string, string]} */ ([formatTime(seconds), translate("finish-time")])] : []),
    [hints ? String(hints) : translate("finish-none"), translate("finish-hints", { n: hints })],
    ...(days > 1 ? [/** @type {[string, string]} */ ([String(days), translate("finish-streak", { days })])] : [])];
}

/** Say how long it takes until the next puzzle, as long as that is shown. @param {HTMLElement} place */
function countDown(place) {
  const now = new Date();
  const minutes = 24 * 60 - now.getHours() * 60 - now.getMinutes();
  place.textContent = translate("finish-next", { time: formatDuration(minutes) });
  setTimeout(() => place.isConnected && countDown(place), 20_000);
}

/** Store what the year and the streak show. @param {Page} page @param {Solution["by"]} by
 * @param {bigint} all @param {number} found */
function recordDay(page, by, all, found) {
  const { date, address } = page.current();
  if (!date) return;
  const known = loadDay(address);
  const solved = by === "me" && !known.solved ? { solved: today(), helped: Boolean(known.helped) } : {};
  updateDay(address, { ...solved, count: found, all: String(all) });
}
