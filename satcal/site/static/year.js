// A year as twelve small calendars, each day coloured by its number of tilings.
import { revealOf } from "./engine.js";
import { at, element, field, wantsLight } from "./geometry.js";
import { DAYS, MONTHS, count, today, utc } from "./words.js";

export class Year {
  /** @param {() => import("./app.js").Current} current @param {(when: string) => string} link */
  constructor(current, link) {
    this.current = current;
    this.link = link;
    this.shown = this.asked = 0;
    this.heat = /** @type {string[]} */ ([]);
    at("year-before").addEventListener("click", () => this.show(this.shown - 1));
    at("year-after").addEventListener("click", () => this.show(this.shown + 1));
    at("year-mine").addEventListener("change", () => this.show(this.shown));
  }

  /** @param {string[]} heat */
  open(heat) {
    const { puzzle, date } = this.current();
    at("year").hidden = !puzzle.calendar;
    this.heat = heat;
    if (!at("year").hidden) this.show(Number((date ?? today()).slice(0, 4)));
  }

  /** @param {number} year */
  async show(year) {
    this.shown = Math.min(Math.max(year, 1), 9999);
    at("year-name").textContent = String(this.shown);
    const mine = (this.asked += 1);
    at("legend").textContent ||= "Counting…";
    const { counter, game, puzzle } = this.current();
    try {
      const counts = await counter.year(field("year-mine").checked ? game.placed : []);
      const known = (/** @type {number} */ month, /** @type {number} */ day) => counts.get(String(revealOf(puzzle, this.shown, month, day)));
      if (mine === this.asked) this.#draw(MONTHS.map((_, month) => Array.from({ length: 31 }, (_unused, day) => known(month + 1, day + 1))));
    } catch (error) {
      at("legend").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {(bigint | undefined)[][]} counts by month and day, both from 0 */
  #draw(counts) {
    const values = counts.flat().filter((value) => value !== undefined).sort((a, b) => (a < b ? -1 : Number(a > b)));
    // by rank: a few rich dates would leave all others in one colour
    const colour = (/** @type {bigint} */ value) => this.heat[Math.floor((values.indexOf(value) * this.heat.length) / values.length)];
    at("months").replaceChildren(...counts.map((days, month) => this.#month(month, days, colour)));
    const scale = element("span", {}, ...this.heat.map((step) => element("i", { style: `background-color:${step}` })));
    at("legend").replaceChildren(values[0].toLocaleString("en"), scale, `${values[values.length - 1].toLocaleString("en")} tilings; `
      + `${values.reduce((sum, value) => sum + value, 0n).toLocaleString("en")} in the year`);
  }

  /** @param {number} month from 0 @param {(bigint | undefined)[]} days @param {(value: bigint) => string} colour */
  #month(month, days, colour) {
    const made = element("table", {}, element("caption", { textContent: MONTHS[month] }));
    const head = made.createTHead().insertRow();
    for (const each of DAYS) head.append(element("th", { scope: "col", textContent: each.slice(0, 2), abbr: each }));
    const first = (utc(this.shown, month + 1, 1).getUTCDay() + 6) % 7;
    const last = utc(this.shown, month + 2, 0).getUTCDate();
    const body = made.createTBody();
    for (let cell = 0; cell < 42 && cell - (cell % 7) < first + last; cell += 1) {
      const row = cell % 7 ? body.rows[body.rows.length - 1] : body.insertRow();
      const day = cell - first + 1;
      row.insertCell().append(day < 1 || day > last ? "" : this.#day(month, day, days[day - 1], colour));
    }
    return made;
  }

  /** @param {number} month @param {number} day @param {bigint | undefined} tilings @param {(value: bigint) => string} colour */
  #day(month, day, tilings, colour) {
    if (tilings === undefined) return String(day);
    const when = utc(this.shown, month + 1, day).toISOString().slice(0, 10);
    return element("a", {
      textContent: String(day), href: this.link(when), title: count(tilings, "tiling"),
      "aria-label": `${day} ${MONTHS[month]}: ${count(tilings, "tiling")}`,
      ...(when === this.current().date ? { "aria-current": "date" } : {}),
      style: `background-color:${colour(tilings)};color:${wantsLight(colour(tilings)) ? "#fff" : "#000"}` });
  }
}
