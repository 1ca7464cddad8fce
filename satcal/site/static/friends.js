// Today with friends: results that came by links, kept in this browser. Nothing of a friend's solution is shown, not even its
// number, until a solution of that day was found here.
import { formatTime } from "./clock.js";
import { Game } from "./game.js";
import { byId, createElement } from "./geometry.js";
import { drawTiling } from "./solutions.js";
import { findAlike, forgetResults, formatResult, friendsOf, keepResult, parseResult } from "./results.js";
import { addSolution, loadDay, shelf } from "./storage.js";
import { createButton } from "./views.js";
import { SPACE, addressOf, formatDay, formatList, joinSentences, translate } from "./i18n.js";

/** @import { Page } from "./types-page.js" @import { Result } from "./results.js" */

/** Return the name of a friend, which cannot change the direction of what is around it. @param {Result} result */
const nameOf = ({ name }) => (name ? `\u2068${name}\u2069` : translate("friends-someone"));

/** Receive a result from a link. @param {Page} page @param {string} code */
export async function receiveResult(page, code) {
  const session = page.current();
  const { puzzle, reveal, counter, address, date, name, dateParam } = session;
  const result = parseResult(code);
  const { count } = await counter.ask({ reveal, placed: [] });
  if (session !== page.current()) return;
  if (!date || !result || !puzzle.digest.startsWith(result.digest) || result.rank >= count) return page.showStatus(translate("friends-other"), "bad");
  const { solved, seconds = 0, hints = 0 } = loadDay(address);
  if (solved && seconds === result.seconds && hints === result.hints) return; // one's own link
  keepResult(address, formatResult(result));
  if (page.countFound()) location.hash = addressOf(name, dateParam, "friends");
  else page.showStatus(joinSentences([translate("friends-came", { name: nameOf(result), time: formatTime(result.seconds) }), translate("friends-wait")]));
}

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { address, puzzle, reveal, game, counter, date } = page.current();
  byId("sheet-title").textContent = translate("friends-title", { day: date ? formatDay(date) : puzzle.title });
  const friends = friendsOf(address, puzzle.digest);
  const own = shelf(puzzle.digest, reveal).filter(({ by }) => by === "me");
  const { count: all } = await counter.ask({ reveal, placed: [] });
  const board = new Game(game.puzzle, reveal);
  const ownTilings = own.map(({ code }) => { board.openCode(code); return board.placed; });
  const ranks = new Set((await Promise.all(ownTilings.map((whole) => counter.ask({ reveal, placed: [], want: "rank", whole })))).map(({ rank = 0n }) => rank));
  const items = await Promise.all(friends.map(async (friend) => {
    const words = [nameOf(friend), formatTime(friend.seconds), `${friend.hints || translate("finish-none")} ${translate("finish-hints", { n: friend.hints })}`];
    if (!own.length) return createElement("li", {}, createElement("span", { textContent: words.join(" · ") }));
    const [tiling = []] = (await counter.ask({ reveal, placed: [], want: "tilings", from: friend.rank, limit: 1 })).tilings ?? [];
    ranks.add(friend.rank);
    board.setPlacements(tiling);
    addSolution(puzzle.digest, reveal, board.tilingCode, "linked"); // what was seen here is not found later
    const drawn = drawTiling(game.puzzle, reveal, tiling);
    const alike = findAlike(tiling, ownTilings);
    drawn.querySelectorAll(".laid").forEach((piece, number) => piece.classList.toggle("other", !alike.includes(tiling[number])));
    return createElement("li", {}, drawn, createElement("span", { textContent: words.join(" · ") }), createElement("br"),
      translate("friends-alike", { number: friend.rank + 1n, n: alike.length, all: tiling.length }));
  }));
  const numbers = [...ranks].sort((one, other) => (one < other ? -1 : 1)).map((rank) => String(rank + 1n));
  const words = !friends.length ? translate("friends-none") : !own.length ? translate("friends-wait") : translate("friends-together", { numbers: formatList(numbers), n: ranks.size, all });
  const forget = createButton("friends-forget", () => {
    forgetResults(address);
    open(body, page);
  });
  body.replaceChildren(createElement("p", { id: "friends-words", textContent: [words, friends.length ? "" : translate("keep-note")].filter(Boolean).join(SPACE) }),
    createElement("ul", { className: own.length ? "shelf" : "plain", id: "friends" }, ...items), ...(friends.length ? [createElement("div", { className: "row" }, forget)] : []));
}
