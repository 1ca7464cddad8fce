// The finish: a wave over the board, what was achieved, and the solution on the shelf.
import { formatTime } from "./clock.js";
import { byId, createElement } from "./geometry.js";
import { loadDay, addSolution, updateDay } from "./storage.js";
import { countStreak } from "./days.js";
import { createButton } from "./views.js";
import { showWeek, weekStrip } from "./week.js";
import { addressOf, translate, today } from "./i18n.js";

/** @import { Page } from "./app.js" @import { Solution } from "./storage.js" */

const WAVE = 350; // milliseconds from one end of the board to the other

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
  page.table.root.classList.add("staged");
  page.table.setStaged(true);
  if (fresh) playWave(page);
  if (page.countFound()) byId("found").textContent = translate("found", { found });
  const { seconds = 0, hints = 0 } = loadDay(current.address);
  const { days: streakDays } = countStreak(today());
  const facts = finder !== "me" ? [] : [...(seconds ? [formatTime(seconds)] : []),
    hints ? translate("finish-hints", { n: hints }) : translate("finish-no-hints"), ...(streakDays > 1 ? [translate("finish-streak", { days: streakDays })] : [])];
  const repeatKey = previousFinder && fresh ? (previousFinder === "me" ? "finish-again" : previousFinder === "shown" ? "finish-shown" : "finish-linked")
    : finder === "shown" ? "finish-shown" : finder === "linked" ? "finish-linked" : "";
  const notes = [repeatKey && translate(repeatKey), BigInt(found) === total && translate("finish-all", { all: total })].filter(Boolean);
  const heading = createElement("h2", { id: "finish-title", tabIndex: -1, textContent: translate("solved") });
  const share = createElement("a", { className: "pill strong", id: "to-share", href: addressOf(current.name, current.dateParam, "share"), textContent: translate("share") });
  const another = createButton("another", () => page.runTool("clear"), "quiet", translate("finish-another"));
  byId("finish").replaceChildren(heading, ...(facts.length ? [createElement("p", { id: "facts", textContent: facts.join(" · ") })] : []),
    ...(notes.length ? [createElement("p", { textContent: notes.join(" ") })] : []), ...(current.date ? [weekStrip(current.name)] : []),
    createElement("div", { className: "row" }, share, createElement("span", { className: "more-of-them" }, translate("finish-found", { found, all: total }), " · ", another)));
  byId("finish").hidden = false;
  if (!fresh) return;
  page.showStatus("");
  heading.focus({ preventScroll: true });
  page.announce([...facts, ...notes].join(". "));
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

/** @param {Page} page */
function playWave({ table }) {
  const { columns, rows } = table.game.puzzle;
  table.pieces.forEach((piece, token) => {
    const [row, column] = table.game.spots.get(token) ?? [0, 0];
    piece.style.setProperty("--wave", `${Math.round((WAVE * (row + column)) / (rows + columns))}ms`);
    piece.classList.add("wave");
    setTimeout(() => piece.classList.remove("wave"), WAVE + 550);
  });
}
