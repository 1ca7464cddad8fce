// The last seven days as a strip of marks: at the finish, and on a wide screen beside the board.
import { days } from "./games.js";
import { at, element } from "./geometry.js";
import { begun } from "./keep.js";
import "./more-sentences.js";
import { dress } from "./views.js";
import { later, say, today, weekdayOf } from "./words.js";

/** @param {string} name of a puzzle */
export function week(name) {
  const kept = days(name), now = today();
  const marks = Array.from({ length: 7 }, (_, number) => {
    const date = later(now, number - 6), { solved } = kept.get(date) ?? {};
    const mark = solved === date ? "solved" : solved ? "late" : begun(`${name}/${date}`) ? "begun" : "missed";
    return element("li", { className: `mark ${mark}`, title: say("finish-day", { weekday: weekdayOf(date), mark: say(`mark-${mark}`) }) });
  });
  return element("ul", { className: "week", "aria-label": say("finish-week") }, ...marks);
}

/** @param {import("./app.js").Page} page */
export async function showWeek(page) {
  await dress();
  const { name, date } = page.current();
  at("week").replaceChildren(...(date ? [week(name)] : []));
}
