// A year as twelve small calendars: days are marked by what was done and, on demand, coloured by their number of solutions.
import { formatTime } from "./clock.js";
import { countStreak, daysOf, isComplete, lastMissed, summarize } from "./days.js";
import { difficultyOf, revealOf } from "./engine.js";
import { byId, createElement, needsLightText } from "./geometry.js";
import { addressOf, capitalize, formatDay, monthNames, today, translate, utcDate, weekdayNames } from "./i18n.js";
import { hasBegun, preference, setPreference } from "./storage.js";

/** @import { Page } from "./types-page.js" @import { Day } from "./storage.js" */

const WEEKS = 6; // rows of every month: all have the same height

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const round = (/** @type {string} */ id, /** @type {string} */ icon, /** @type {number} */ by) => createElement("button", {
    type: "button", id, className: "round", "aria-label": translate(id), onclick: () => view.show(view.shown + by) }, byId(icon).children[0].cloneNode(true));
  const onchange = () => {
    setPreference("heat", heat.checked ? "yes" : "no");
    view.show(view.shown);
  };
  const withPieces = createElement("input", { type: "checkbox", id: "year-mine", onchange });
  const heat = createElement("input", { type: "checkbox", id: "year-heat", checked: preference("heat", "no") === "yes", onchange });
  const view = new YearView(page, withPieces, heat);
  const days = daysOf(page.current().name);
  const { solved, median, complete } = summarize(days), { days: streak, best } = countStreak(today()), missed = lastMissed(days, today());
  const facts = [[String(solved), translate("statistics-solved", { n: solved })], ...(streak ? [[String(streak), translate("finish-streak", { days: streak })]] : []),
    [String(best), translate("statistics-best")], ...(median ? [[formatTime(median), translate("statistics-median")]] : []), [String(complete), translate("statistics-complete", { n: complete })]];
  body.replaceChildren(
    createElement("div", { className: "row" }, round("year-before", "before", -1), round("year-after", "after", 1),
      createElement("a", { className: "pill", id: "year-today", href: addressOf(page.current().name, ""), textContent: translate("today"), onclick: () => page.focusDate() }),
      ...(missed ? [createElement("a", { className: "pill", id: "year-missed", href: addressOf(page.current().name, missed), textContent: translate("year-missed", { day: formatDay(missed) }), onclick: () => page.focusDate() })] : [])),
    ...(solved ? [createElement("dl", { className: "facts", id: "statistics" }, ...facts.map(([value, name]) => createElement("div", {}, createElement("dd", { textContent: value }), " ", createElement("dt", { textContent: name }))))] : []),
    createElement("div", { className: "months", id: "opened" }), createElement("div", { className: "months", id: "months" }),
    createElement("div", { className: "row" }, createElement("label", {}, heat, translate("year-heat")), createElement("label", {}, withPieces, translate("year-mine"))),
    createElement("p", { className: "legend", id: "legend", role: "status", textContent: translate("counting") }),
    createElement("p", { className: "legend", id: "marks" }, ...["begun", "solved", "late", "complete"].map((kind) => createElement(
      "span", {}, createElement("span", { className: `mark ${kind}`, "aria-hidden": "true" }), translate(`mark-${kind}`)))));
  await view.show(Number((page.current().date ?? today()).slice(0, 4)));
  body.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

const SMALL = matchMedia("(max-width: 40rem)"); // months are buttons, one of which is open

class YearView {
  /** @param {Page} page @param {HTMLInputElement} withPieces @param {HTMLInputElement} heat */
  constructor(page, withPieces, heat) {
    this.page = page;
    this.withPieces = withPieces;
    this.heat = heat;
    this.shown = this.lastTicket = 0;
    this.days = /** @type {Map<string, Day>} */ (new Map());
    this.values = /** @type {bigint[]} of the year, ascending */ ([]);
    this.counts = /** @type {(bigint | undefined)[][]} by month and day, both from 0 */ ([]);
    this.month = Number((page.current().date ?? today()).slice(5, 7)) - 1; // the open one on a small screen
    SMALL.onchange = () => this.heat.isConnected && this.#drawMonths();
  }

  /** @param {number} year */
  async show(year) {
    this.shown = Math.min(Math.max(year, 1), 9999);
    const ticket = (this.lastTicket += 1);
    const { counter, game, puzzle } = this.page.current();
    try {
      const counts = await counter.year(this.withPieces.checked ? game.placed : []);
      const countOf = (/** @type {number} */ month, /** @type {number} */ day) => counts.get(String(revealOf(puzzle, this.shown, month, day)));
      if (ticket !== this.lastTicket || !this.heat.isConnected) return;
      byId("sheet-title").textContent = translate("year-title", { year: String(this.shown) }); // of the days that can be clicked
      this.#draw(monthNames().map((_, month) => Array.from({ length: 31 }, (_unused, day) => countOf(month + 1, day + 1))));
    } catch (error) {
      byId("legend").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {(bigint | undefined)[][]} counts by month and day, both from 0 */
  #draw(counts) {
    const values = this.values = counts.flat().filter((value) => value !== undefined).sort((a, b) => (a < b ? -1 : Number(a > b)));
    this.days = daysOf(this.page.current().name);
    this.counts = counts;
    this.#drawMonths();
    const scale = createElement("span", { className: "scale", "aria-hidden": "true" }, ...this.page.library().heat.map((backgroundColor) => {
      const sample = createElement("i");
      Object.assign(sample.style, { backgroundColor });
      return sample;
    }));
    byId("legend").replaceChildren(...(this.heat.checked ? [translate("year-few", { least: values[0] }), scale, translate("year-many", { most: values[values.length - 1] })] : []),
      createElement("span", { textContent: translate("year-sum", { sum: values.reduce((sum, value) => sum + value, 0n) }) }));
  }

  /** @param {number} month from 0 @param {(bigint | undefined)[]} counts */
  #month(month, counts) {
    const made = createElement("table", {}, createElement("caption", { textContent: capitalize(monthNames()[month]) }));
    const head = made.createTHead().insertRow();
    const [long, short] = [weekdayNames("long"), weekdayNames("short")];
    for (const [day, abbr] of long.entries()) head.append(createElement("th", { scope: "col", textContent: short[day], abbr }));
    const first = (utcDate(this.shown, month + 1, 1).getUTCDay() + 6) % 7;
    const last = utcDate(this.shown, month + 2, 0).getUTCDate();
    const body = made.createTBody();
    for (let cell = 0; cell < 7 * WEEKS; cell += 1) {
      const row = cell % 7 ? body.rows[body.rows.length - 1] : body.insertRow();
      const day = cell - first + 1;
      row.insertCell().append(day < 1 || day > last ? "" : this.#day(month, day, counts[day - 1]));
    }
    return made;
  }

  /** Draw the months: calendars, on a small screen buttons of which one opens its calendar above them. */
  #drawMonths() {
    const { counts, month: opened } = this;
    byId("opened").replaceChildren(...(SMALL.matches ? [this.#month(opened, counts[opened])] : []));
    byId("months").replaceChildren(...counts.map((each, month) => (SMALL.matches ? this.#monthButton(month, each) : this.#month(month, each))));
  }

  /** @param {number} month @param {(bigint | undefined)[]} counts */
  #monthButton(month, counts) {
    const offset = (utcDate(this.shown, month + 1, 1).getUTCDay() + 6) % 7;
    const days = counts.map((count, day) => {
      const drawn = createElement("i", count === undefined ? { className: "none" } : { className: `day-${this.#stateOf(month, day + 1)}` });
      if (day === 0) drawn.style.gridColumn = String(offset + 1);
      if (count !== undefined && this.heat.checked) drawn.style.backgroundColor = this.#heatOf(count);
      return drawn;
    });
    const onclick = () => {
      this.month = month;
      this.#drawMonths();
      byId("opened").scrollIntoView({ block: "nearest" });
      byId("months").querySelectorAll("button")[month].focus({ preventScroll: true });
    };
    return createElement("button", { type: "button", className: "month", "aria-pressed": String(month === this.month), onclick },
      createElement("span", { textContent: capitalize(monthNames()[month]) }), createElement("span", { className: "month-mini", "aria-hidden": "true" }, ...days));
  }

  /** @param {number} month from 0 @param {number} day */
  #stateOf(month, day) {
    const when = utcDate(this.shown, month + 1, day).toISOString().slice(0, 10);
    return dayState(this.days.get(when), when, `${this.page.current().name}/${when}`);
  }

  /** Return a colour by rank: a few rich dates would leave all others in one colour. @param {bigint} count */
  #heatOf(count) {
    const { heat } = this.page.library();
    return heat[Math.floor((this.values.indexOf(count) * heat.length) / this.values.length)];
  }

  /** @param {number} month @param {number} day @param {bigint | undefined} count */
  #day(month, day, count) {
    if (count === undefined) return String(day);
    const { name, date } = this.page.current();
    const when = utcDate(this.shown, month + 1, day).toISOString().slice(0, 10);
    const state = this.#stateOf(month, day);
    const title = translate("year-day", { day: formatDay(when), count });
    const onclick = () => this.page.focusDate(() => this.#describeDay(count));
    const made = createElement("a", {
      textContent: String(day), href: new URL(addressOf(name, when), location.href).href, title, onclick,
      "aria-label": state ? `${title}, ${translate(`mark-${state}`)}` : title,
      ...(when === date ? { "aria-current": "date" } : {}) });
    if (this.heat.checked) {
      const backgroundColor = this.#heatOf(count);
      Object.assign(made.style, { backgroundColor, color: needsLightText(backgroundColor) ? "#fff" : "#000" });
    }
    if (state) made.classList.add(`day-${state}`);
    if (state) made.append(createElement("span", { className: `mark ${state}`, "aria-hidden": "true" }));
    return made;
  }

  /** Describe the opened day by its count, rank and difficulty. @param {bigint} count */
  #describeDay(count) {
    const ranked = translate("day-rank", { count, less: this.values.filter((value) => value < count).length, days: this.values.length });
    const { puzzle, reveal } = this.page.current();
    this.page.showStatus([ranked, difficultyOf(puzzle, reveal)].filter(Boolean).join(" · "));
  }
}

/** @param {Day | undefined} day @param {string} when @param {string} address */
function dayState(day, when, address) {
  if (day && isComplete(day)) return "complete";
  if (day?.solved) return day.solved === when ? "solved" : "late";
  return hasBegun(address) ? "begun" : "";
}
