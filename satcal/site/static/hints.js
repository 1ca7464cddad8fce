// Hints: where to look, then which piece, then where it goes, then it is placed; and which piece is in the way.
import { byId } from "./geometry.js";
import { createButton } from "./views.js";
import { capitalize, describeBlame, describeByColour, translate, describeCells } from "./i18n.js";

/** @import { Page } from "./types-page.js" */

/** Show a sentence, and announce it with the letter of the piece. @param {Page} page @param {(letter: boolean) => string} words @param {string} [kind] */
function showAndAnnounce(page, words, kind = "") {
  page.showStatus(words(false), kind);
  page.announce(words(true));
}

/** @type {Promise<unknown>} */
let queue = Promise.resolve();

/** Give a hint; presses are answered one after the other. @param {Page} page */
export function giveHint(page) {
  queue = queue.catch(() => undefined).then(() => hint(page));
  return queue;
}

/** @param {Page} page */
async function hint(page) {
  const { table } = page;
  const { game, counter, reveal } = page.current();
  if (game.isSolved) return;
  game.cancel();
  const { hintLevel } = table;
  const answer = await counter.ask({ reveal, placed: game.placed, want: "hint" });
  if (game !== table.game) return;
  if (answer.count === 0n) {
    page.recordHint(false);
    const { blame = [] } = answer;
    if (!blame.length) return page.showStatus(translate(game.placed.length ? "none-left" : "no-solution"), "bad");
    const n = blame[0].pieces.length;
    table.showHint(0, [], "", blame.flatMap(({ pieces }) => pieces.map((each) => each.piece)));
    showAndAnnounce(page, (letter) => capitalize(translate("hint-blame", { n, pieces: describeBlame(game.puzzle, blame, letter) })), "bad");
    if (blame.length > 1) return; // the player chooses
    const covered = new Set(blame[0].pieces.flatMap((each) => each.cells));
    const onclick = () => game.setPlacements(game.placed.filter(({ cells }) => !cells.some((cell) => covered.has(cell))));
    byId("message").append(" ", createButton("take-back", onclick, "pill", translate("hint-take-back", { n })));
  } else if (answer.hint && answer.cell !== undefined) {
    const { hint: { piece, cells }, cell } = answer;
    page.recordHint(hintLevel >= 2);
    if (hintLevel === 3) {
      game.setPlacements([...game.placed, { piece, cells }], "h");
      showAndAnnounce(page, (letter) => capitalize(translate("placed", { piece: describeByColour(game.puzzle, piece, letter) })));
      return;
    }
    const label = describeCells(game.puzzle, [cell]);
    table.showHint(hintLevel + 1, hintLevel === 2 ? cells : [cell], hintLevel ? piece : "");
    showAndAnnounce(page, (letter) => {
      const name = describeByColour(game.puzzle, piece, letter);
      return capitalize(hintLevel === 0 ? translate("hint-where", { cell: label })
        : hintLevel === 1 ? translate("hint-piece", { cell: label, piece: name }) : translate("hint-place", { piece: name, cells: describeCells(game.puzzle, cells) }));
    });
  }
}

/** Say whether the position can still be solved. @param {Page} page */
export async function checkPosition(page) {
  const { game, counter, reveal } = page.current();
  if (game.isSolved) return;
  const { count } = await counter.ask({ reveal, placed: game.placed });
  if (game !== page.table.game) return;
  page.recordHint(false);
  page.showStatus(translate(count ? "check-possible" : "check-impossible"), count ? "good" : "bad");
}
