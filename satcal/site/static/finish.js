// The last piece lies: a wave runs over the board, which takes the stage, and what was found is kept.
import { inMinutes } from "./clock.js";
import { at, element } from "./geometry.js";
import { day, keepSolution, liked, setDay } from "./keep.js";
import { streak } from "./streak.js";
import { addressOf, later, say, today } from "./words.js";

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
  const { count: all, rank = 0n } = await counter.ask({ reveal, placed: [], want: "rank", whole: game.placed });
  if (here !== page.current() || !game.solved) return;
  remember(page, by, all, found);
  page.table.root.classList.add("staged");
  page.table.stage(true);
  if (fresh) wave(page);
  if (page.found()) at("found").textContent = say("found", { found });
  const lines = [say("finish-found", { found })];
  if (before && fresh) lines.unshift(say(before === "me" ? "finish-again" : before === "shown" ? "finish-shown" : "finish-linked"));
  else if (by !== "me") lines.unshift(say(by === "shown" ? "finish-shown" : "finish-linked"));
  if (BigInt(found) === all) lines.push(say("finish-all", { all }));
  const { days } = streak(today());
  if (by === "me" && days > 1) lines.push(say("finish-streak", { days }));
  const { seconds = 0 } = day(here.address);
  if (by === "me" && liked("clock", "") === "yes") lines.push(say("finish-time", { time: inMinutes(seconds) }));
  const { date, name } = here;
  const tomorrow = date && element("a", { className: "pill", id: "tomorrow", href: addressOf(name, later(date, 1)), textContent: say("finish-tomorrow") });
  const share = element("a", { className: "pill", id: "to-share", href: addressOf(name, here.when, "share"), textContent: say("finish-share") });
  at("finish").replaceChildren(element("h2", { textContent: say("finish-rank", { rank: rank + 1n, all }) }),
    element("p", { textContent: lines.join(" ") }),
    element("div", { className: "row" }, button("another", "finish-another", () => page.act("clear")), ...(tomorrow ? [tomorrow] : []), share));
  at("finish").hidden = false;
  if (fresh) page.tell("");
}

/** @param {string} id @param {string} name @param {() => void} act */
function button(id, name, act) {
  const made = element("button", { type: "button", id, className: "pill strong", textContent: say(name) });
  made.addEventListener("click", act);
  return made;
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
