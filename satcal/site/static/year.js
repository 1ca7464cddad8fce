// A year as twelve small calendars: each day marked by what was done, and, when asked, coloured by its number of solutions.
import { difficultyOf, revealOf } from "./engine.js";
import { days } from "./games.js";
import { at, element, wantsLight } from "./geometry.js";
import { begun, preference, setPreference } from "./keep.js";
import "./more-sentences.js";
import { streak } from "./streak.js";
import { addressOf, capital, dayOf, months, say, today, utc, weekdays } from "./words.js";

/** @import { Page } from "./app.js" @import { Day } from "./keep.js" */

const WEEKS = 6; // rows of every month: all are of one height

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const round = (/** @type {string} */ id, /** @type {string} */ icon) => element(
    "button", { type: "button", id, className: "round", "aria-label": say(id) }, at(icon).children[0].cloneNode(true));
  const mine = element("input", { type: "checkbox", id: "year-mine" });
  const heat = element("input", { type: "checkbox", id: "year-heat", checked: preference("heat", "no") === "yes" });
  body.replaceChildren(
    element("div", { className: "row" }, round("year-before", "before"), round("year-after", "after"),
      element("a", { className: "pill", id: "year-today", href: addressOf(page.current().name, ""), textContent: say("today") }),
      element("span", { className: "note", id: "streak" })),
    element("div", { className: "months", id: "months" }),
    element("div", { className: "row" }, element("label", {}, heat, say("year-heat")), element("label", {}, mine, say("year-mine"))),
    element("p", { className: "legend", id: "legend", role: "status", textContent: say("counting") }),
    element("p", { className: "legend", id: "marks" }, ...["begun", "solved", "complete"].map((kind) => element(
      "span", {}, element("span", { className: `mark ${kind}`, "aria-hidden": "true" }), say(`mark-${kind}`)))));
  at("months").addEventListener("click", enlarge, true);
  const { days: running, best } = streak(today());
  const solved = [...days(page.current().name).values()].filter((each) => each.solved).length;
  at("streak").textContent = [solved && say("year-solved", { solved }), best && say("streak-now", { days: running, best })].filter(Boolean).join(" ");
  const view = new Year(page, mine, heat);
  at("year-before").addEventListener("click", () => view.show(view.shown - 1));
  at("year-after").addEventListener("click", () => view.show(view.shown + 1));
  mine.addEventListener("change", () => view.show(view.shown));
  heat.addEventListener("change", () => {
    setPreference("heat", heat.checked ? "yes" : "no");
    view.show(view.shown);
  });
  await view.show(Number((page.current().date ?? today()).slice(0, 4)));
  body.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

/** On a small screen a month is enlarged before one of its days is chosen. @param {Event} event */
function enlarge(event) {
  const month = /** @type {Element} */ (event.target).closest("table");
  if (!month || month.classList.contains("large") || !matchMedia("(max-width: 40rem)").matches) return;
  event.preventDefault();
  event.stopPropagation();
  for (const each of at("months").children) each.classList.toggle("large", each === month);
  month.scrollIntoView({ block: "center" });
}

class Year {
  /** @param {Page} page @param {HTMLInputElement} mine @param {HTMLInputElement} heat */
  constructor(page, mine, heat) {
    this.page = page;
    this.mine = mine;
    this.heat = heat;
    this.shown = this.asked = 0;
  }

  /** @param {number} year */
  async show(year) {
    this.shown = Math.min(Math.max(year, 1), 9999);
    const mine = (this.asked += 1);
    const { counter, game, puzzle } = this.page.current();
    try {
      const counts = await counter.year(this.mine.checked ? game.placed : []);
      const known = (/** @type {number} */ month, /** @type {number} */ day) => counts.get(String(revealOf(puzzle, this.shown, month, day)));
      if (mine !== this.asked || !this.mine.isConnected) return;
      at("sheet-title").textContent = say("year-title", { year: String(this.shown) }); // of the days that can be clicked
      this.#draw(months().map((_, month) => Array.from({ length: 31 }, (_unused, day) => known(month + 1, day + 1))));
    } catch (error) {
      at("legend").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {(bigint | undefined)[][]} counts by month and day, both from 0 */
  #draw(counts) {
    const { heat } = this.page.library();
    const values = counts.flat().filter((value) => value !== undefined).sort((a, b) => (a < b ? -1 : Number(a > b)));
    // by rank: a few rich dates would leave all others in one colour
    const colour = (/** @type {bigint} */ value) => heat[Math.floor((values.indexOf(value) * heat.length) / values.length)];
    const kept = days(this.page.current().name);
    at("months").replaceChildren(...counts.map((each, month) => this.#month(month, each, colour, values, kept)));
    const scale = element("span", { className: "scale", "aria-hidden": "true" }, ...heat.map((step) => {
      const sample = element("i");
      sample.style.backgroundColor = step;
      return sample;
    }));
    at("legend").replaceChildren(...(this.heat.checked ? [say("year-few", { least: values[0] }), scale, say("year-many", { most: values[values.length - 1] })] : []),
      element("span", { textContent: say("year-sum", { sum: values.reduce((sum, value) => sum + value, 0n) }) }));
  }

  /** @param {number} month from 0 @param {(bigint | undefined)[]} counts @param {(value: bigint) => string} colour
   * @param {bigint[]} values of the year, ascending @param {Map<string, Day>} kept */
  #month(month, counts, colour, values, kept) {
    const made = element("table", {}, element("caption", { textContent: capital(months()[month]) }));
    const head = made.createTHead().insertRow();
    const [long, short] = [weekdays("long"), weekdays("short")];
    for (const [day, abbr] of long.entries()) head.append(element("th", { scope: "col", textContent: short[day], abbr }));
    const first = (utc(this.shown, month + 1, 1).getUTCDay() + 6) % 7;
    const last = utc(this.shown, month + 2, 0).getUTCDate();
    const body = made.createTBody();
    for (let cell = 0; cell < 7 * WEEKS; cell += 1) {
      const row = cell % 7 ? body.rows[body.rows.length - 1] : body.insertRow();
      const day = cell - first + 1;
      row.insertCell().append(day < 1 || day > last ? "" : this.#day(month, day, counts[day - 1], colour, values, kept));
    }
    return made;
  }

  /** @param {number} month @param {number} day @param {bigint | undefined} count @param {(value: bigint) => string} colour
   * @param {bigint[]} values @param {Map<string, Day>} kept */
  #day(month, day, count, colour, values, kept) {
    if (count === undefined) return String(day);
    const { name, date } = this.page.current();
    const when = utc(this.shown, month + 1, day).toISOString().slice(0, 10);
    const state = stateOf(kept.get(when), `${name}/${when}`);
    const words = say("year-day", { day: dayOf(when), count });
    const made = element("a", {
      textContent: String(day), href: new URL(addressOf(name, when), location.href).href, title: words,
      "aria-label": state ? `${words}, ${say(`mark-${state}`)}` : words,
      ...(when === date ? { "aria-current": "date" } : {}) });
    if (state) made.classList.add(`day-${state}`);
    if (this.heat.checked) {
      made.style.backgroundColor = colour(count);
      made.style.color = wantsLight(colour(count)) ? "#fff" : "#000";
    }
    if (state) made.append(element("span", { className: `mark ${state}`, "aria-hidden": "true" }));
    made.addEventListener("click", () => addEventListener("hashchange", () => this.#tell(when, count, values), { once: true }));
    if (when === date) made.addEventListener("click", () => { this.#tell(when, count, values); at("close").click(); });
    return made;
  }

  /** Says of the day that was opened its count, its rank and how hard it is. @param {string} when
   * @param {bigint} count @param {bigint[]} values */
  async #tell(when, count, values) {
    const ranked = say("day-rank", { count, less: values.filter((value) => value < count).length, days: values.length });
    for (let tries = 0; this.page.current().date !== when && tries < 50; tries += 1) await new Promise((resolve) => { setTimeout(resolve, 20); });
    const { puzzle, reveal, date } = this.page.current();
    if (date === when) this.page.status([ranked, difficultyOf(puzzle, reveal)].filter(Boolean).join(" · "));
  }
}

/** @param {Day | undefined} kept @param {string} address */
function stateOf(kept, address) {
  if (kept?.all && String(kept.count) === kept.all) return "complete";
  if (kept?.solved) return "solved";
  return begun(address) ? "begun" : "";
}
