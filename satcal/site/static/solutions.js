// The solutions of the day: a shelf of those that were found, and all of them on demand.
import { Game } from "./game.js";
import { byId, createElement, createSvg, setDisabled } from "./geometry.js";
import { loadDay, addSolution, updateDay, shelf } from "./storage.js";
import { drawBoard, drawPiece, positionsOf } from "./board-view.js";
import { SPACE, formatDay, translate, describeCells } from "./i18n.js";
import { createButton } from "./views.js";

/** @import { Page } from "./types-page.js" @import { Placement, Puzzle } from "./types.js" */

const random = () => crypto.getRandomValues(new BigUint64Array(2)).reduce((sum, word) => (sum << 64n) | word, 0n); // below 2^128

/** Draw a tiling. @param {Puzzle} puzzle @param {string[]} reveal @param {Placement[]} tiling */
export function drawTiling(puzzle, reveal, tiling) {
  const drawn = drawBoard(puzzle, reveal);
  const colours = new Map(puzzle.pieces.map((piece) => [piece.name, piece.colour]));
  for (const { piece, cells } of tiling) {
    const colour = colours.get(piece) ?? "#888888";
    const group = createSvg("g", { class: "laid" }, ...drawPiece(positionsOf(puzzle, cells), colour, piece).slice(0, 3));
    group.style.setProperty("--colour", colour);
    drawn.append(group);
  }
  return drawn;
}

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { counter, reveal } = page.current();
  const { count } = await counter.ask({ reveal, placed: [] });
  const shown = createElement("section", { id: "show" });
  const above = createElement("section");
  const onShow = () => {
    fillShelf(above, page, count);
    shown.scrollIntoView({ block: "nearest" });
  };
  const ask = createButton("show-me", () => { ask.remove(); new Gallery(shown, page, onShow); });
  ask.hidden = !count;
  body.replaceChildren(above, createElement("p", { className: "note", textContent: translate("show-note") }), ask, shown);
  await fillShelf(above, page, count);
}

/** Fill the shelf: each solution with its number among all. @param {HTMLElement} root @param {Page} page @param {bigint} all */
async function fillShelf(root, page, all) {
  const { puzzle, reveal, game, date, counter } = page.current();
  const kept = shelf(puzzle.digest, reveal);
  const [ownSolutions, shownSolutions] = [kept.filter(({ by }) => by === "me"), kept.filter(({ by }) => by !== "me")];
  byId("sheet-title").textContent = date ? translate("shelf", { found: ownSolutions.length, all, heading: formatDay(date) }) : translate("finish-found", { found: ownSolutions.length, all });
  const board = new Game(game.puzzle, reveal);
  const picture = async (/** @type {{code: string}} */ { code }, /** @type {boolean} */ byPage) => {
    board.openCode(code);
    const tiling = board.placed;
    const { rank = 0n } = await counter.ask({ reveal, placed: [], want: "rank", whole: tiling });
    return createElement("li", { className: byPage ? "by-page" : "mine" }, drawTiling(game.puzzle, reveal, tiling),
      byPage ? translate("shelf-by-page", { number: rank + 1n }) : String(rank + 1n));
  };
  const pictures = await Promise.all([...ownSolutions.map((each) => picture(each, false)), ...shownSolutions.map((each) => picture(each, true))]);
  const missing = all - BigInt(kept.length);
  const words = [ownSolutions.length ? "" : translate("shelf-none"), shownSolutions.length ? translate(ownSolutions.length ? "shelf-shown" : "shelf-only-shown", { shown: shownSolutions.length }) : "",
    missing > 0n ? translate("shelf-missing", { left: missing }) : translate("finish-all", { all })];
  root.replaceChildren(createElement("p", { textContent: words.filter(Boolean).join(SPACE) }), createElement("div", { id: "shelf" },
    createElement("ul", { className: "shelf" }, ...pictures),
    createElement("progress", { id: "shelf-line", max: Number(all), value: ownSolutions.length, "aria-hidden": "true" })));
}

/** All solutions, one at a time, or those that contain the player's pieces. */
class Gallery {
  /** @param {HTMLElement} root @param {Page} page @param {() => void} onChange */
  constructor(root, page, onChange) {
    this.page = page;
    this.onChange = onChange;
    this.total = this.rank = 0n;
    this.tiling = /** @type {Placement[]} */ ([]);
    this.pending = Promise.resolve(); // until the solution that was asked for last is shown
    const button = (/** @type {string} */ id, /** @type {string} */ textContent, /** @type {() => bigint} */ rankOf, className = "round") => createElement(
      "button", { type: "button", id, className, textContent, "aria-label": translate(`shown-${id}`), onclick: () => this.ask(rankOf()) });
    const lay = async () => {
      await this.pending;
      if (!this.tiling.length) return;
      page.current().game.setPlacements(this.tiling, "s");
      byId("close").click();
    };
    const onRank = () => {
      const digits = this.field.value.replace(/[\s,.]/g, "");
      this.ask(/^\d+$/.test(digits) ? BigInt(digits) - 1n : this.rank);
    };
    this.field = createElement("input", { id: "rank", inputMode: "numeric", autocomplete: "off", size: 7, value: "1", "aria-label": translate("shown-rank"), onchange: onRank });
    this.ownPieces = createElement("input", { type: "checkbox", id: "mine", onchange: () => this.ask(0n) });
    root.replaceChildren(
      createElement("div", { id: "shown", className: "shown", role: "img", "aria-label": translate("no-solution") }),
      createElement("p", { id: "of", role: "status" }),
      createElement("div", { className: "row" }, button("first", "«", () => 0n), button("previous", "‹", () => this.rank - 1n), this.field,
        button("next", "›", () => this.rank + 1n), button("last", "»", () => this.total - 1n),
        button("random", translate("shown-random"), () => this.total && random() % this.total, "pill")),
      createElement("div", { className: "row" }, createButton("lay", lay, "pill", translate("shown-lay")), createElement("label", {}, this.ownPieces, translate("shown-mine"))));
    this.ask(0n);
  }

  /** @param {bigint} rank */
  ask(rank) {
    this.pending = this.show(rank);
  }

  /** Show the solution of a rank, or the nearest rank. @param {bigint} rank */
  async show(rank) {
    const { counter, reveal, game } = this.page.current();
    const placed = this.ownPieces.checked ? game.placed : [];
    try {
      this.total = (await counter.ask({ reveal, placed })).count;
      this.rank = rank < 0n || this.total === 0n ? 0n : rank >= this.total ? this.total - 1n : rank;
      const { tilings } = await counter.ask({ reveal, placed, want: "tilings", from: this.rank, limit: 1 });
      this.#draw(tilings?.[0] ?? []);
    } catch (error) {
      byId("of").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Placement[]} tiling */
  #draw(tiling) {
    const { total, rank } = this;
    const { game: { puzzle, reveal }, puzzle: { digest }, address, date } = this.page.current();
    this.tiling = tiling;
    byId("shown").replaceChildren(drawTiling(puzzle, reveal, tiling));
    const pieces = tiling.map(({ piece, cells }) => translate("covers", { piece, cells: describeCells(puzzle, cells) })).join(SPACE);
    byId("shown").setAttribute("aria-label", pieces ? translate("shown-words", { rank: rank + 1n, pieces }) : translate("no-solution"));
    this.field.value = String(total && rank + 1n);
    byId("of").textContent = total ? translate("shown-number", { rank: rank + 1n, all: total }) : translate("no-solution");
    for (const id of ["first", "previous"]) setDisabled(id, rank === 0n);
    for (const id of ["next", "last"]) setDisabled(id, rank + 1n >= total);
    for (const id of ["random", "lay"]) setDisabled(id, total === 0n);
    if (!tiling.length) return;
    const board = new Game(puzzle, reveal);
    board.setPlacements(tiling);
    addSolution(digest, reveal, board.tilingCode, "shown");
    if (date && !loadDay(address).solved) updateDay(address, { helped: true });
    this.onChange();
  }
}
