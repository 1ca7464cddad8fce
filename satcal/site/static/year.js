// A year as twelve small calendars, each day coloured by its number of tilings.
import { revealOf } from "./engine.js";
import { at, element, wantsLight } from "./geometry.js";
import { DAYS, MONTHS, count, today, utc } from "./words.js";

/** @param {string[]} colours @param {number} share from 0 to 1 */
function mix(colours, share) {
  const position = share * (colours.length - 1);
  const low = Math.min(Math.floor(position), colours.length - 2);
  const part = (/** @type {string} */ colour, /** @type {number} */ start) => parseInt(colour.slice(start, start + 2), 16);
  return `#${[1, 3, 5].map((start) => Math.round(part(colours[low], start)
    + (part(colours[low + 1], start) - part(colours[low], start)) * (position - low)).toString(16).padStart(2, "0")).join("")}`;
}

export class Year {
  /** @param {() => import("./more.js").Current} current @param {(when: string) => string} link */
  constructor(current, link) {
    this.current = current;
    this.link = link;
    this.shown = 0;
    this.asked = 0;
    /** @type {string[]} */
    this.heat = [];
    at("year-before").addEventListener("click", () => this.show(this.shown - 1));
    at("year-after").addEventListener("click", () => this.show(this.shown + 1));
    at("year-mine").addEventListener("change", () => this.show(this.shown));
  }

  /** @param {string[]} heat */
  open(heat) {
    const { puzzle, date, name } = this.current();
    at("year").hidden = !puzzle.calendar || name.startsWith("posted-");
    this.heat = heat;
    if (!at("year").hidden) this.show(Number((date ?? today()).slice(0, 4)));
  }

  /** @param {number} year */
  async show(year) {
    this.shown = Math.min(Math.max(year, 1), 9999);
    at("year-name").textContent = String(this.shown);
    const mine = (this.asked += 1);
    const { counter, game } = this.current();
    const placed = /** @type {HTMLInputElement} */ (at("year-mine")).checked ? game.placed : [];
    try {
      const counts = await counter.year(placed);
      if (mine === this.asked) this.#draw(counts);
    } catch (error) {
      at("legend").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Map<string, bigint>} counts by reveal */
  #draw(counts) {
    const { puzzle } = this.current();
    const known = (/** @type {number} */ month, /** @type {number} */ day) => counts.get(String(revealOf(puzzle, this.shown, month, day)));
    const days = MONTHS.flatMap((_, month) => Array.from({ length: 31 }, (_unused, day) => known(month + 1, day + 1)));
    const values = days.filter((value) => value !== undefined).sort((a, b) => (a < b ? -1 : Number(a > b)));
    // by rank: a few rich dates would leave all others in one colour
    const share = (/** @type {bigint} */ value) => values.findIndex((each) => each >= value) / Math.max(1, values.length - 1);
    at("months").replaceChildren(...MONTHS.map((_, month) => this.#month(month, known, share)));
    const scale = element("span", { className: "scale", "aria-hidden": "true" }, ...[0, 0.25, 0.5, 0.75, 1].map((part) =>
      element("i", { style: `background-color:${mix(this.heat, part)}` })));
    const total = values.reduce((sum, value) => sum + value, 0n);
    at("legend").replaceChildren(values[0].toLocaleString("en"), scale,
      `${values[values.length - 1].toLocaleString("en")} tilings; ${total.toLocaleString("en")} in the year`);
  }

  /** @param {number} month from 0 @param {(month: number, day: number) => bigint | undefined} known
   * @param {(value: bigint) => number} share */
  #month(month, known, share) {
    const made = element("table", {}, element("caption", { textContent: MONTHS[month] }));
    const head = made.createTHead().insertRow();
    for (const each of DAYS) head.append(element("th", { scope: "col", textContent: each.slice(0, 2), abbr: each }));
    const body = made.createTBody();
    let row = body.insertRow();
    const skipped = (utc(this.shown, month + 1, 1).getUTCDay() + 6) % 7;
    for (let skip = 0; skip < skipped; skip += 1) row.insertCell();
    for (let day = 1; utc(this.shown, month + 1, day).getUTCMonth() === month; day += 1) {
      if (row.cells.length === 7) row = body.insertRow();
      row.insertCell().append(this.#day(month, day, known(month + 1, day), share));
    }
    while (row.cells.length < 7) row.insertCell();
    return made;
  }

  /** @param {number} month @param {number} day @param {bigint | undefined} tilings
   * @param {(value: bigint) => number} share */
  #day(month, day, tilings, share) {
    if (tilings === undefined) return String(day);
    const text = utc(this.shown, month + 1, day).toISOString().slice(0, 10);
    const colour = mix(this.heat, share(tilings));
    const link = element("a", {
      textContent: String(day), href: this.link(text), title: count(tilings, "tiling"),
      "aria-label": `${day} ${MONTHS[month]}: ${count(tilings, "tiling")}` });
    link.style.backgroundColor = colour;
    link.style.color = wantsLight(colour) ? "#fff" : "#000";
    if (text === this.current().date) link.setAttribute("aria-current", "date");
    return link;
  }
}
