// The count of a board that is being made: a worker says which dates have a solution, then how many all reveals have.
import { WorkerClient, allReveals, revealOf } from "./engine.js";
import { createElement } from "./geometry.js";
import { loadDrawing } from "./own-boards.js";
import { puzzleOf } from "./own-puzzle.js";
import { explainNone } from "./solvable.js";
import { createButton } from "./views.js";
import { formatDay, formatLabels, monthNames, today, translate, utcDate } from "./i18n.js";

/** @import { Editor } from "./types-page.js" @import { Puzzle } from "./types.js" */
/** @typedef {{reveal: string[], name: string, at: number, drawn: HTMLElement}} Day a date of the year, or a reveal, and its place in all reveals */

const MAX_ESTIMATE = 5e6; // states, by the estimate: some seconds and less than 500 MB
const MAX_DRAWN = 800; // reveals of a board without dates

/** @param {Editor} editor @returns {{element: HTMLElement, count: () => Promise<void>, clear: () => void}} */
export function createCounting(editor) {
  const element = createElement("div", { id: "make-result" });
  let client = /** @type {WorkerClient | null} */ (null);
  const stop = () => {
    client?.worker.terminate();
    client = null;
  };
  const clear = () => {
    stop();
    element.replaceChildren();
  };
  const count = async () => {
    const { definition } = editor;
    if (!definition) return;
    clear();
    const { puzzle, estimate } = puzzleOf(definition, "own-draft", await loadDrawing());
    const message = createElement("p", { role: "status", id: "make-counted", textContent: translate("counting") });
    if (estimate > MAX_ESTIMATE) {
      message.replaceChildren(translate("make-too-large"), " ", createElement("code", { textContent: "satcal count my-board.toml --all-reveals" }));
      return element.replaceChildren(message);
    }
    const days = daysOf(puzzle);
    const map = createElement("div", { className: "heat", id: "make-heat", role: "img", "aria-label": translate("make-heat") }, ...days.map(({ drawn }) => drawn));
    const bar = createElement("progress", { max: 1, value: 0, "aria-label": translate("counting") });
    const stopButton = createButton("make-stop", () => {
      stop();
      bar.remove();
      stopButton.remove();
      message.textContent = translate("make-stopped");
    });
    const months = createElement("div", { className: "heat-months", "aria-hidden": "true" }, ...monthNames().map((name) => createElement("span", { textContent: name.slice(0, 1).toUpperCase() })));
    element.replaceChildren(...(puzzle.calendar ? [months] : []), map, message, createElement("div", { className: "row" }, bar, stopButton));
    element.scrollIntoView({ block: "nearest" });
    const own = client = new WorkerClient(puzzle);
    const results = { solvable: 0, none: 0 };
    own.onProgress = ({ share, number, isSolvable }) => {
      if (share !== undefined) bar.value = 0.2 + 0.8 * share;
      if (number === undefined || isSolvable === null) return;
      days[number].drawn.className = isSolvable ? "some" : "none";
      results[isSolvable ? "solvable" : "none"] += 1;
      bar.value = 0.2 * (number + 1) / days.length;
      message.textContent = translate("make-so-far", { n: results.solvable, none: results.none });
    };
    try {
      await own.call("solvable", days.map(({ reveal }) => reveal));
      await own.loadWhole("");
      const counts = (await (puzzle.categories.length ? own.call("year", []) : own.call("ask", { reveal: [], placed: [] }).then((answer) => [answer.count]))).map(BigInt);
      if (client !== own) return;
      showCounts(puzzle, days, counts);
    } catch (error) {
      if (client !== own) return;
      message.textContent = /** @type {Error} */ (error).message;
    }
    bar.remove();
    stopButton.remove();
    stop();
  };

  /** @param {Puzzle} puzzle @param {Day[]} days @param {bigint[]} counts of all reveals */
  function showCounts(puzzle, days, counts) {
    const own = days.map((day) => ({ ...day, count: counts[day.at] }));
    const sorted = own.toSorted((one, other) => (one.count < other.count ? -1 : Number(one.count > other.count)));
    const solved = sorted.filter(({ count: n }) => n > 0n), none = own.filter(({ count: n }) => n === 0n);
    for (const { drawn, count: n, name } of own) {
      drawn.className = n ? "count" : "none";
      drawn.style.setProperty("--heat", String(solved.findIndex((each) => each.count === n) / Math.max(1, solved.length - 1)));
      drawn.title = name ? translate("year-day", { day: name, count: n }) : String(n);
    }
    const [fewest, most] = [solved[0], solved.at(-1)];
    const sum = own.reduce((total, { count: n }) => total + n, 0n);
    const lines = [createElement("b", { className: none.length ? "bad" : "good", textContent: none.length ? translate("make-unsolvable", { n: none.length, all: own.length, first: none[0].name }) : translate("make-solvable") })];
    const numbers = fewest && most ? translate("make-numbers", { least: fewest.count, first: fewest.name, most: most.count, last: most.name, mean: Number(sum * 10n / BigInt(own.length)) / 10 }) : "";
    const cells = none.length ? explainNone(puzzle, none[0].reveal) : null;
    if (cells) editor.mark(cells.map((cell) => puzzle.cells[cell]));
    const message = /** @type {HTMLElement} */ (element.querySelector("#make-counted"));
    message.dataset.counts = counts.join();
    message.replaceChildren(...lines, " ", [numbers, cells && translate("make-why", { first: none[0].name })].filter(Boolean).join(" "));
    element.scrollIntoView({ block: "nearest" });
  }
  return { element, count, clear };
}

/** Return the dates of this year, or all reveals of a board without dates. @param {Puzzle} puzzle @returns {Day[]} */
function daysOf(puzzle) {
  const all = allReveals(puzzle), places = new Map(all.map((reveal, number) => [reveal.join(), number]));
  const dayOf = (/** @type {string[]} */ reveal, /** @type {string} */ name) => ({ reveal, name, at: places.get(reveal.join()) ?? 0, drawn: createElement("i") });
  if (!puzzle.calendar) return all.slice(0, MAX_DRAWN).map((reveal) => dayOf(reveal, reveal.length ? formatLabels(puzzle, reveal) : puzzle.title));
  const year = Number(today().slice(0, 4)), first = utcDate(year, 1, 1), days = [];
  for (const date = first; date.getUTCFullYear() === year; date.setUTCDate(date.getUTCDate() + 1)) {
    const reveal = revealOf(puzzle, year, date.getUTCMonth() + 1, date.getUTCDate());
    if (!reveal) continue;
    const day = dayOf(reveal, formatDay(date.toISOString().slice(0, 10)));
    if (!days.length) day.drawn.style.gridRowStart = String(1 + (date.getUTCDay() + 6) % 7);
    days.push(day);
  }
  return days;
}
