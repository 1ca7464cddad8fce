// The coach: where to look, then which piece, then where it goes, then it is placed; and which piece is in the way.
import { at, element } from "./geometry.js";
import "./more-sentences.js";
import { capital, list, pieceInWords, say, where } from "./words.js";

/** @import { Page } from "./app.js" */

/** Shows a sentence; who hears it hears the letter of the piece, too. @param {Page} page @param {(letter: boolean) => string} words @param {string} [kind] */
function tellBoth(page, words, kind = "") {
  page.status(words(false), kind);
  page.announce(words(true));
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** Gives a hint; each press goes on from the one before, also if that is still being answered. @param {Page} page */
export function give(page) {
  last = last.catch(() => undefined).then(() => hint(page));
  return last;
}

/** @param {Page} page */
async function hint(page) {
  const { table } = page;
  const { game, counter, reveal } = page.current();
  if (game.solved) return;
  game.back();
  const { level } = table;
  const answer = await counter.ask({ reveal, placed: game.placed, want: "hint" });
  if (game !== table.game) return;
  if (answer.count === 0n) {
    page.hinted(false);
    const pieces = page.worst(answer)?.pieces ?? [];
    if (!pieces.length) return page.status(say("no-solution"), "bad");
    const n = pieces.length;
    table.showHint(0, [], "", pieces.map((each) => each.piece));
    tellBoth(page, (letter) => capital(say("hint-blame", { n, pieces: list(pieces.map((each) => pieceInWords(game.puzzle, each.piece, letter))) })), "bad");
    const back = element("button", { type: "button", className: "pill", id: "take-back", textContent: say("hint-take-back", { n }) });
    back.addEventListener("click", () => game.takeBack(pieces.map((each) => each.cells)));
    at("said").append(" ", back);
  } else if (answer.hint && answer.cell !== undefined) {
    const { hint: { piece, cells }, cell, places = 0 } = answer;
    page.hinted(level >= 2);
    if (level === 3) {
      game.set([...game.placed, { piece, cells }], "h");
      tellBoth(page, (letter) => capital(say("placed", { piece: pieceInWords(game.puzzle, piece, letter) })));
      return;
    }
    const label = where(game.puzzle, [cell]);
    table.showHint(level + 1, level === 2 ? cells : [cell], level ? piece : "");
    tellBoth(page, (letter) => {
      const named = pieceInWords(game.puzzle, piece, letter);
      return capital(level === 0 ? say("hint-where", { cell: label, ways: places })
        : level === 1 ? say("hint-piece", { cell: label, piece: named }) : say("hint-place", { piece: named, cells: where(game.puzzle, cells) }));
    });
  }
}

/** Says whether it can still be solved, and no more. @param {Page} page */
export async function check(page) {
  const { game, counter, reveal } = page.current();
  if (game.solved) return;
  const { count } = await counter.ask({ reveal, placed: game.placed });
  if (game !== page.table.game) return;
  page.hinted(false);
  page.status(say(count ? "check-possible" : "check-impossible"), count ? "good" : "bad");
}
