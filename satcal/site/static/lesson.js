// The first minute: three steps on the real board, each of which waits until the player has done it.
import "./more-sentences.js";
import { labelsInWords, say } from "./words.js";

/** @import { Page } from "./app.js" */

/** @param {Page} page */
export function teach(page) {
  const { game, reveal } = page.current();
  const { root } = page.table;
  if (game.now || game.hand) return; // who has begun needs no lesson
  const aim = reveal.length ? say("start-aim", { labels: labelsInWords(reveal) }) : say("start-aim-plain");
  const steps = [`${aim} ${say("lesson-drag")}`, say("lesson-turn"), say("lesson-flip")];
  let step = 0;
  const show = () => page.status(steps[step] ?? aim);
  const done = (/** @type {number} */ which) => {
    if (step === which) step += 1;
    if (page.current().game !== game || step > steps.length) return;
    show();
    if (step === steps.length) step += 1; // it is said once more what to do, and that is all
  };
  game.addEventListener("placed", () => done(game.spots.size ? 0 : -1));
  root.addEventListener("turned", (event) => done(/** @type {CustomEvent} */ (event).detail === "turn" ? 1 : 2));
  show();
}
