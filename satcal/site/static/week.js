// The last seven days as a strip of marks: at the finish, and on a wide screen beside the board.
import { daysOf } from "./days.js";
import { byId, createElement } from "./geometry.js";
import { hasBegun } from "./storage.js";
import { loadSheetStyle } from "./views.js";
import { addDays, translate, today, formatWeekday } from "./i18n.js";

/** @param {string} name of a puzzle */
export function weekStrip(name) {
  const days = daysOf(name), now = today();
  const marks = Array.from({ length: 7 }, (_, number) => {
    const date = addDays(now, number - 6), { solved } = days.get(date) ?? {};
    const mark = solved === date ? "solved" : solved ? "late" : hasBegun(`${name}/${date}`) ? "begun" : "missed";
    return createElement("li", { className: `mark ${mark}`, title: translate("finish-day", { weekday: formatWeekday(date), mark: translate(`mark-${mark}`) }) });
  });
  return createElement("ul", { className: "week", "aria-label": translate("finish-week") }, ...marks);
}

/** @param {import("./app.js").Page} page */
export async function showWeek(page) {
  await loadSheetStyle();
  const { name, date } = page.current();
  byId("week").replaceChildren(...(date ? [weekStrip(name)] : []));
}
