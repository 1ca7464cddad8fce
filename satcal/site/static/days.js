// The dates of all puzzles: what happened on each of them, and the streak.
import { addDays } from "./i18n.js";
import { KINDS, PREFIX, loadDay, memory } from "./storage.js";

/** @import { Day } from "./storage.js" */

/** Return what is stored, without the page's folder. @returns {[string, string][]} */
export function storedEntries() {
  /** @type {[string, string][]} */
  let found = [];
  try {
    found = Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX)).map(([key, value]) => [key.slice(PREFIX.length), value]);
  } catch { /* only what lasts as long as the page */ }
  return [...new Map([...found, ...memory])].sort();
}

/** Return a puzzle's name, a date and what happened, for each date on which something did. @returns {[string, string, Day][]} */
const allDays = () => storedEntries().flatMap(([key]) => {
  const [, name, date] = key.startsWith(KINDS.DAYS) ? /^day (.*)\/(.*)$/.exec(key) ?? [] : [];
  return date ? [[name, date, loadDay(`${name}/${date}`)]] : [];
});

/** Return the days of a puzzle by date. @param {string} name @returns {Map<string, Day>} */
export const daysOf = (name) => new Map(allDays().filter(([puzzle]) => puzzle === name).map(([, date, day]) => [date, day]));

/** Return how many days in a row up to today (or yesterday, while today is open) were solved, and the most ever. A day
 * counts if it was solved on that day, without a placement or a solution from the page or a link.
 * @param {string} today @returns {{days: number, best: number}} */
export function countStreak(today) {
  const solved = new Set(allDays().filter(([, date, day]) => day.solved === date && !day.helped).map(([, date]) => date));
  const runEndingOn = (/** @type {string} */ last) => {
    let days = 0;
    for (let date = last; solved.has(date); date = addDays(date, -1)) days += 1;
    return days;
  };
  return { days: runEndingOn(solved.has(today) ? today : addDays(today, -1)), best: Math.max(0, ...[...solved].map(runEndingOn)) };
}
