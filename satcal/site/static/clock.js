// The time that a day takes: it is always kept, shown to those who like it, and stands while the page is hidden or the
// day is solved. It also knows when nothing has happened for a while.
import { at } from "./geometry.js";
import { day, preference, setDay } from "./keep.js";
import "./more-sentences.js";
import { say } from "./words.js";

const CHECK_AFTER = 180; // seconds without a new piece after which Check is offered
let ticking = 0;

/** @param {import("./app.js").Page} page */
export function run(page) {
  clearInterval(ticking);
  let [address, seconds, most, still] = ["", 0, 0, 0];
  const tick = () => {
    const { address: here, game } = page.current();
    if (here !== address) [address, seconds, most, still] = [here, day(here).seconds ?? 0, game.spots.size, 0];
    else if (!document.hidden && !game.solved) {
      seconds += 1;
      still = game.spots.size > most ? 0 : still + 1;
      most = Math.max(most, game.spots.size);
      if (game.now || game.help) setDay(address, { seconds });
      if (still === CHECK_AFTER && game.spots.size && !at("check-now").hidden) page.status(say("check-offer"));
    }
    at("clock").textContent = preference("clock", "") === "yes" ? inMinutes(seconds) : "";
  };
  tick();
  ticking = window.setInterval(tick, 1000);
}

/** @param {number} seconds such as 83, said as "1:23" */
export const inMinutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
