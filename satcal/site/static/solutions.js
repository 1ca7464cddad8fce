// The solutions of the day: a shelf of those that were found, and, when asked, all of them.
import { at, disable, element } from "./geometry.js";
import { day, keepSolution, setDay, shelf } from "./keep.js";
import "./more-sentences.js";
import { drawTiling } from "./table.js";
import { dayOf, say, where } from "./words.js";

/** @import { Page } from "./app.js" @import { Placement } from "./types.js" */

const random = () => crypto.getRandomValues(new BigUint64Array(2)).reduce((sum, word) => (sum << 64n) | word, 0n); // below 2^128

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { counter, reveal } = page.current();
  const { count } = await counter.ask({ reveal, placed: [] });
  const shown = element("section", { id: "show" });
  const ask = element("button", { type: "button", className: "pill", id: "show-me", textContent: say("show-me") });
  ask.addEventListener("click", () => {
    ask.remove();
    new Gallery(shown, page, () => {
      fill(above, page, count);
      shown.scrollIntoView({ block: "nearest" });
    });
  });
  const above = element("section");
  body.replaceChildren(above, element("p", { className: "note", textContent: say("show-note") }), ask, shown);
  await fill(above, page, count);
  if (!count) ask.hidden = true;
}

/** The shelf: each solution with its number among all. @param {HTMLElement} root @param {Page} page @param {bigint} all */
async function fill(root, page, all) {
  const { puzzle, reveal, game, date, counter } = page.current();
  const kept = shelf(puzzle.digest, reveal);
  const [mine, shown] = [kept.filter(({ by }) => by === "me"), kept.filter(({ by }) => by !== "me")];
  at("sheet-title").textContent = date ? say("shelf", { found: mine.length, all, heading: dayOf(date) }) : say("finish-found", { found: mine.length, all });
  const picture = async (/** @type {{code: string}} */ { code }, /** @type {boolean} */ byPage) => {
    const whole = game.placementsOf(code);
    const { rank = 0n } = await counter.ask({ reveal, placed: [], want: "rank", whole });
    return element("li", { className: byPage ? "by-page" : "mine" }, drawTiling(game.puzzle, reveal, whole),
      byPage ? say("shelf-by-page", { number: rank + 1n }) : String(rank + 1n));
  };
  const pictures = await Promise.all([...mine.map((each) => picture(each, false)), ...shown.map((each) => picture(each, true))]);
  const missing = all - BigInt(kept.length);
  const words = [mine.length ? "" : say("shelf-none"), shown.length ? say("shelf-shown", { shown: shown.length }) : "",
    missing > 0n ? say("shelf-missing", { left: missing }) : say("finish-all", { all })];
  root.replaceChildren(element("p", { textContent: words.filter(Boolean).join(" ") }), element("div", { id: "shelf" },
    element("ul", { className: "shelf" }, ...pictures),
    element("progress", { id: "shelf-line", max: Number(all), value: mine.length, "aria-hidden": "true" })));
}

/** All solutions, one at a time; those with one's own pieces, if one likes. */
class Gallery {
  /** @param {HTMLElement} root @param {Page} page @param {() => void} changed */
  constructor(root, page, changed) {
    this.page = page;
    this.changed = changed;
    this.total = this.rank = 0n;
    this.tiling = /** @type {Placement[]} */ ([]);
    this.going = Promise.resolve(); // until the solution that was asked for last is shown
    const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {string} */ name) => element(
      "button", { type: "button", id, className: name ? "round" : "pill", textContent: text, ...(name ? { "aria-label": say(name) } : {}) });
    const rank = element("input", { id: "rank", inputMode: "numeric", autocomplete: "off", size: 7, value: "1", "aria-label": say("shown-rank") });
    this.field = rank;
    this.mine = element("input", { type: "checkbox", id: "mine" });
    root.replaceChildren(
      element("div", { id: "shown", className: "shown", role: "img", "aria-label": say("no-solution") }),
      element("p", { id: "of", role: "status" }),
      element("div", { className: "row" }, button("first", "«", "shown-first"), button("previous", "‹", "shown-before"), rank,
        button("next", "›", "shown-after"), button("last", "»", "shown-last"), button("random", say("shown-random"), "")),
      element("div", { className: "row" }, button("lay", say("shown-lay"), ""), element("label", {}, this.mine, say("shown-mine"))));
    /** @type {[string, () => bigint][]} */
    const steps = [["first", () => 0n], ["previous", () => this.rank - 1n], ["next", () => this.rank + 1n],
      ["last", () => this.total - 1n], ["random", () => this.total && random() % this.total]];
    for (const [id, to] of steps) at(id).addEventListener("click", () => this.ask(to()));
    rank.addEventListener("change", () => {
      const digits = rank.value.replace(/[\s,.]/g, "");
      this.ask(/^\d+$/.test(digits) ? BigInt(digits) - 1n : this.rank);
    });
    this.mine.addEventListener("change", () => this.ask(0n));
    at("lay").addEventListener("click", async () => {
      await this.going;
      if (!this.tiling.length) return;
      page.current().game.set(this.tiling, "s");
      at("close").click();
    });
    this.ask(0n);
  }

  /** @param {bigint} rank */
  ask(rank) {
    this.going = this.go(rank);
  }

  /** Shows the solution of a rank, or the nearest there is. @param {bigint} rank */
  async go(rank) {
    const { counter, reveal, game } = this.page.current();
    const placed = this.mine.checked ? game.placed : [];
    try {
      this.total = (await counter.ask({ reveal, placed })).count;
      this.rank = rank < 0n || this.total === 0n ? 0n : rank >= this.total ? this.total - 1n : rank;
      const { tilings } = await counter.ask({ reveal, placed, want: "tilings", from: this.rank, limit: 1 });
      this.#show(tilings?.[0] ?? []);
    } catch (error) {
      at("of").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Placement[]} tiling */
  #show(tiling) {
    const { total, rank } = this;
    const { game: { puzzle, reveal }, puzzle: { digest }, address, date } = this.page.current();
    this.tiling = tiling;
    at("shown").replaceChildren(drawTiling(puzzle, reveal, tiling));
    const pieces = tiling.map(({ piece, cells }) => say("covers", { piece, cells: where(puzzle, cells) })).join(" ");
    at("shown").setAttribute("aria-label", pieces ? say("shown-words", { rank: rank + 1n, pieces }) : say("no-solution"));
    this.field.value = String(total && rank + 1n);
    at("of").textContent = total ? say("shown-number", { rank: rank + 1n, all: total }) : say("no-solution");
    for (const id of ["first", "previous"]) disable(id, rank === 0n);
    for (const id of ["next", "last"]) disable(id, rank + 1n >= total);
    for (const id of ["random", "lay"]) disable(id, total === 0n);
    if (!tiling.length) return;
    keepSolution(digest, this.page.current().reveal, this.page.current().game.codeOf(tiling), "shown");
    if (date && !day(address).solved) setDay(address, { helped: true });
    this.changed();
  }
}
