// The time of a day: always stored, shown on request, stopped while the page is hidden or the day is solved. After some
// minutes without progress, Check is offered.
import { byId } from "./geometry.js";
import { loadDay, preference, updateDay } from "./storage.js";
import { addSentences, translate } from "./i18n.js";

await addSentences("more");

const CHECK_AFTER = 180; // seconds without a new piece
let timer = 0;

/** @param {import("./types-page.js").Page} page */
export function startClock(page) {
  clearInterval(timer);
  let [address, seconds, mostPlaced, idle] = ["", 0, 0, 0];
  const tick = () => {
    const { address: current, game } = page.current();
    if (current !== address) [address, seconds, mostPlaced, idle] = [current, loadDay(current).seconds ?? 0, game.spots.size, 0];
    else if (!document.hidden && !game.isSolved && !loadDay(address).solved) {
      seconds += 1;
      idle = game.spots.size > mostPlaced ? 0 : idle + 1;
      mostPlaced = Math.max(mostPlaced, game.spots.size);
      if (game.cursor || game.help) updateDay(address, { seconds });
      if (idle === CHECK_AFTER && game.spots.size && !byId("check-now").hidden) page.showStatus(translate("check-offer"));
    }
    byId("clock").textContent = preference("clock", "") === "yes" ? formatTime(seconds) : "";
  };
  tick();
  timer = window.setInterval(tick, 1000);
}

/** Return seconds as minutes, such as "1:23". @param {number} seconds */
export const formatTime = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
