// The dates of all puzzles: what happened on each of them, and the streak.
import { addDays } from "./i18n.js";
import { KINDS, loadDay, storedEntries } from "./storage.js";

/** @import { Day } from "./storage.js" */

/** Return a puzzle's name, a date and what happened, for each date on which something did. @returns {[string, string, Day][]} */
const allDays = () => storedEntries().flatMap(([key]) => {
  const [, name, date] = key.startsWith(KINDS.DAYS) ? /^day (.*)\/(.*)$/.exec(key) ?? [] : [];
  return date ? [[name, date, loadDay(`${name}/${date}`)]] : [];
});

/** Return the days of a puzzle by date. @param {string} name @returns {Map<string, Day>} */
export const daysOf = (name) => new Map(allDays().filter(([puzzle]) => puzzle === name).map(([, date, day]) => [date, day]));

/** Return what the days of a puzzle add up to: days solved, with all solutions found, and the median time in seconds.
 * @param {Map<string, Day>} days */
export function summarize(days) {
  const solved = [...days.values()].filter((day) => day.solved);
  const times = solved.map(({ seconds }) => Number(seconds)).filter((each) => each > 0).sort((one, other) => one - other);
  const middle = times.slice(Math.ceil(times.length / 2) - 1, Math.floor(times.length / 2) + 1);
  return { solved: solved.length, complete: [...days.values()].filter(isComplete).length, median: middle.length && Math.round((middle[0] + middle[middle.length - 1]) / 2) };
}

/** @param {Day} day */
export const isComplete = ({ all, count }) => Boolean(all) && String(count) === all;

/** Return the last date before today that was missed since the first that was solved, at most a year ago; null if there is none.
 * @param {Map<string, Day>} days @param {string} today */
export function lastMissed(days, today) {
  const first = [...days].flatMap(([date, { solved }]) => (solved ? [date] : [])).sort()[0] ?? today;
  return Array.from({ length: 366 }, (_, ago) => addDays(today, -1 - ago)).find((date) => date > first && !days.get(date)?.solved) ?? null;
}

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
