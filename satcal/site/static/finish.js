// The last piece lies: a wave runs over the board, which takes the stage, and what was found is kept.
import { inMinutes } from "./clock.js";
import { at, element } from "./geometry.js";
import { day, keepSolution, setDay } from "./keep.js";
import "./more-sentences.js";
import { streak } from "./streak.js";
import { showWeek, week } from "./week.js";
import { addressOf, say, today } from "./words.js";

/** @import { Page } from "./app.js" @import { Kept } from "./keep.js" */

const WAVE = 350; // milliseconds from one end of the board to the other

/** @param {Page} page @param {boolean} fresh it was solved just now, not found so */
export async function finish(page, fresh) {
  const here = page.current();
  const { game, puzzle, reveal, counter } = here;
  /** @type {Kept["by"]} */
  const by = game.help === "s" ? "shown" : game.help === "l" ? "linked" : "me";
  const before = keepSolution(puzzle.digest, reveal, game.tiling, by);
  const found = page.found();
  const { count: all } = await counter.ask({ reveal, placed: [] });
  if (here !== page.current() || !game.solved) return;
  remember(page, by, all, found);
  showWeek(page);
  page.table.root.classList.add("staged");
  page.table.stage(true);
  if (fresh) wave(page);
  if (page.found()) at("found").textContent = say("found", { found });
  const { seconds = 0, hints = 0 } = day(here.address);
  const { days: running } = streak(today());
  const facts = by !== "me" ? [] : [...(seconds ? [inMinutes(seconds)] : []),
    hints ? say("finish-hints", { n: hints }) : say("finish-no-hints"), ...(running > 1 ? [say("finish-streak", { days: running })] : [])];
  const known = before && fresh ? (before === "me" ? "finish-again" : before === "shown" ? "finish-shown" : "finish-linked")
    : by === "shown" ? "finish-shown" : by === "linked" ? "finish-linked" : "";
  const notes = [known && say(known), BigInt(found) === all && say("finish-all", { all })].filter(Boolean);
  const heading = element("h2", { id: "finish-title", tabIndex: -1, textContent: say("solved") });
  const share = element("a", { className: "pill strong", id: "to-share", href: addressOf(here.name, here.when, "share"), textContent: say("share") });
  const another = element("button", { type: "button", id: "another", className: "quiet", textContent: say("finish-another") });
  another.addEventListener("click", () => page.act("clear"));
  at("finish").replaceChildren(heading, ...(facts.length ? [element("p", { id: "facts", textContent: facts.join(" · ") })] : []),
    ...(notes.length ? [element("p", { textContent: notes.join(" ") })] : []), ...(here.date ? [week(here.name)] : []),
    element("div", { className: "row" }, share, element("span", { className: "more-of-them" }, say("finish-found", { found, all }), " · ", another)));
  at("finish").hidden = false;
  if (!fresh) return;
  page.status("");
  heading.focus({ preventScroll: true });
  page.announce([...facts, ...notes].join(". "));
}

/** What the year and the streak know of this day. @param {Page} page @param {Kept["by"]} by
 * @param {bigint} all @param {number} found */
function remember(page, by, all, found) {
  const { date, address } = page.current();
  if (!date) return;
  const known = day(address);
  const solved = by === "me" && !known.solved ? { solved: today(), helped: Boolean(known.helped) } : {};
  setDay(address, { ...solved, count: found, all: String(all) });
}

/** @param {Page} page */
function wave({ table }) {
  const { columns, rows } = /** @type {import("./game.js").Game} */ (table.game).puzzle;
  table.pieces.forEach((piece, token) => {
    const [row, column] = table.game?.spots.get(token) ?? [0, 0];
    piece.style.setProperty("--wave", `${Math.round((WAVE * (row + column)) / (rows + columns))}ms`);
    piece.classList.add("wave");
    setTimeout(() => piece.classList.remove("wave"), WAVE + 550);
  });
}
