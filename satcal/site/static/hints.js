// The coach: where to look, then which piece, then where it goes; and which piece is in the way.
import { list, say, where } from "./words.js";

/** @import { Page } from "./app.js" */

/** @param {Page} page @param {() => void} helped when a hint has said where a piece goes */
export async function give(page, helped) {
  const { table, tell } = page;
  const { game, counter, reveal } = page.current();
  if (game.solved) return;
  game.back();
  const { level } = table;
  const answer = await counter.ask({ reveal, placed: game.placed, want: "hint" });
  if (game !== table.game) return;
  if (answer.count === 0n) {
    const pieces = page.worst(answer)?.pieces ?? [];
    table.showHint(0, [], "", pieces.map((each) => each.piece));
    const names = list(pieces.map((each) => each.piece));
    tell(pieces.length ? say(pieces.length > 1 ? "hint-blame-many" : "hint-blame", { pieces: names }) : say("no-solution"), "bad");
  } else if (answer.hint && answer.cell !== undefined) {
    const { hint: { piece, cells }, cell, places = 0 } = answer;
    const label = where(game.puzzle, [cell]);
    table.showHint(Math.min(level + 1, 2), level === 2 ? cells : [cell], level ? piece : "");
    if (level === 2) helped();
    tell(level === 0 ? say("hint-where", { cell: label, ways: places })
      : level === 1 ? say("hint-piece", { cell: label, piece }) : say("hint-place", { piece, cells: where(game.puzzle, cells) }));
  }
}
