// The week as days with their letters: at the finish, and on a wide screen beside the board.
import { daysOf } from "./days.js";
import { byId, createElement } from "./geometry.js";
import { icon } from "./icons.js";
import { hasBegun } from "./storage.js";
import { loadStyle } from "./views.js";
import { LANGUAGE, addDays, dateOf, translate, today, formatWeekday, weekdayNames } from "./i18n.js";

/** Return the first day of the week where the visitor's language is spoken: 1 for Monday, 7 for Sunday. */
function firstWeekday() {
  const locale = /** @type {any} */ (new Intl.Locale(navigator.languages.find((tag) => tag.startsWith(LANGUAGE)) ?? LANGUAGE));
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** Return the week of a date. @param {string} name of a puzzle @param {string} shown the date */
export function weekOf(name, shown) {
  const days = daysOf(name), now = today();
  const weekday = dateOf(shown).getUTCDay() || 7;
  const first = addDays(shown, -((weekday - firstWeekday() + 7) % 7));
  const letters = weekdayNames("narrow");
  return createElement("ul", { className: "week", "aria-label": translate("finish-week") }, ...Array.from({ length: 7 }, (_, number) => {
    const date = addDays(first, number), { solved } = days.get(date) ?? {};
    const mark = solved === date ? "solved" : solved ? "late" : date > now ? "open" : hasBegun(`${name}/${date}`) ? "begun" : "missed";
    const box = createElement("i", { "aria-hidden": "true" }, ...(solved ? [icon("tick")] : []));
    const said = translate("finish-day", { weekday: formatWeekday(date), mark: translate(`mark-${mark}`) });
    return createElement("li", { className: `${mark}${date === shown ? " now" : ""}`, title: said },
      createElement("span", { className: "away", textContent: said }), createElement("span", { "aria-hidden": "true", textContent: letters[(firstWeekday() + 6 + number) % 7] }), box);
  }));
}

/** Show the week beside the board, once a day of the puzzle was solved. @param {import("./types-page.js").Page} page */
export async function showWeek(page) {
  await loadStyle("sheet");
  const { name, date } = page.current();
  const any = [...daysOf(name).values()].some((each) => each.solved);
  byId("week").replaceChildren(...(date && any ? [weekOf(name, date)] : []));
}
