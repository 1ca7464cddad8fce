// A clock for those who switched it on: it stands while the page is hidden, and when the day is solved.
import { at } from "./geometry.js";
import { day, liked, setDay } from "./keep.js";
import { say } from "./words.js";

let ticking = 0;

/** @param {import("./app.js").Page} page */
export function run(page) {
  clearInterval(ticking);
  let address = "";
  let seconds = 0;
  const tick = () => {
    const { address: here, game } = page.current();
    if (liked("clock", "") !== "yes") return stop();
    if (here !== address) [address, seconds] = [here, day(here).seconds ?? 0];
    else if (!document.hidden && !game.solved) setDay(address, { seconds: seconds += 1 });
    at("clock").textContent = inMinutes(seconds);
  };
  tick();
  ticking = window.setInterval(tick, 1000);
}

/** @param {number} seconds such as 83, said as "1:23" */
export const inMinutes = (seconds) => say("clock", { minutes: String(Math.floor(seconds / 60)), seconds: String(seconds % 60).padStart(2, "0") });

export function stop() {
  clearInterval(ticking);
  at("clock").textContent = "";
}
