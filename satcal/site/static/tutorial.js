// The first minute: three steps on the real board; each waits for the player's action.
import { addSentences, SPACE, formatLabels, translate } from "./i18n.js";

await addSentences("more");

/** @import { Page } from "./types-page.js" */

/** @param {Page} page */
export function startTutorial(page) {
  const { game, reveal } = page.current();
  const { root } = page.table;
  if (game.cursor || game.hand) return; // the player has begun
  const task = reveal.length ? translate("start", { labels: formatLabels(game.puzzle, reveal) }) : translate("start-plain");
  const steps = [task + SPACE + translate("lesson-drag"), translate("lesson-turn"), translate("lesson-flip")];
  let step = 0;
  const show = () => page.showStatus(steps[step] ?? task);
  const advance = (/** @type {number} */ doneStep) => {
    if (step === doneStep) step += 1;
    if (page.current().game !== game || step > steps.length) return;
    show();
    if (step === steps.length) step += 1; // the task was shown for the last time
  };
  game.addEventListener("placed", () => advance(game.spots.size ? 0 : -1));
  root.addEventListener("turned", (event) => advance(/** @type {CustomEvent} */ (event).detail === "turn" ? 1 : 2));
  show();
}
