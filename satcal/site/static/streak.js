// Days in a row: a day counts if it was solved on that day, without the page saying where a piece goes
// and without a solution that was shown or came with a link.
import { allDays } from "./games.js";
import { later } from "./words.js";

/** How many days in a row up to today (or to yesterday, while today is open), and the most ever.
 * @param {string} now today's date @returns {{days: number, best: number}} */
export function streak(now) {
  const counting = new Set(allDays().filter(([date, { solved, helped }]) => solved === date && !helped).map(([date]) => date));
  const run = (/** @type {string} */ last) => {
    let days = 0;
    for (let date = last; counting.has(date); date = later(date, -1)) days += 1;
    return days;
  };
  return { days: run(counting.has(now) ? now : later(now, -1)), best: Math.max(0, ...[...counting].map(run)) };
}
