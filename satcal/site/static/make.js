// A board of one's own: drawn or read, its pieces, its count; it is played, shared, saved and printed.
import { drawBoard } from "./board-view.js";
import { DATA, fetchJson, isOwn } from "./engine.js";
import { MAX_SIDE, TEMPLATE_NAMES, areaToCover, drawingOf, drawingOfPuzzle, startFrom, suggest, toTable } from "./drawing.js";
import { createElement } from "./geometry.js";
import { LANGUAGE, addressOf, formatLabel, formatChoice, formatList, monthNames, translate, utcDate } from "./i18n.js";
import { createCounting } from "./make-count.js";
import { createFiles, shareBoard } from "./make-files.js";
import { PiecesView } from "./make-pieces.js";
import { describeFault, keepBoard, keptBoard, loadDrawing, loadKnown } from "./own-boards.js";
import { MAX_LABEL, readDefinition } from "./puzzle-definition.js";
import { preference, setPreference } from "./storage.js";
import { createButton, loadStyle } from "./views.js";

/** @import { Page } from "./types-page.js" @import { Drawing } from "./drawing.js" @import { Definition } from "./puzzle-definition.js" @import { Drawing as Known } from "./own-boards.js" */

const MAX_UNDO = 100;
/** The months and weekdays in the language of the page, as people may type them. */
const ownNames = () => {
  const name = (/** @type {Date} */ date, /** @type {Intl.DateTimeFormatOptions} */ how) => new Intl.DateTimeFormat(LANGUAGE, { timeZone: "UTC", ...how }).format(date);
  const forms = (/** @type {Date} */ date, /** @type {"month" | "weekday"} */ part) => (/** @type {const} */ (["short", "long"])).flatMap((length) => {
    const text = name(date, { [part]: length });
    return [text, text.replace(/\.$/, "")].flatMap((each) => [each, each[0].toUpperCase() + each.slice(1), each.toLowerCase()]);
  });
  return { month: monthNames().flatMap((_, month) => forms(utcDate(2026, month + 1, 1), "month")), weekday: Array.from({ length: 7 }, (_, day) => forms(utcDate(2026, 6, day + 1), "weekday")).flat() };
};

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const [known] = await Promise.all([loadDrawing(), loadStyle("make")]);
  document.getElementById("sheet-title")?.replaceChildren(translate("make"));
  new MakeView(body, page, known, await firstDrawing(page.current().name));
}

/** Return what is drawn first: an own board that is open, or what was drawn last. @param {string} name @returns {Promise<Drawing>} */
async function firstDrawing(name) {
  try {
    if (isOwn(name)) return drawingOf(await keptBoard(name));
    const { board, pieces, title, categories, calendar } = JSON.parse(preference("drawing", ""));
    toTable({ board, pieces, title, categories, calendar }); // it may be damaged
    return { board, pieces, title, categories, calendar };
  } catch {
    return startFrom("dates");
  }
}

class MakeView {
  /** @param {HTMLElement} body @param {Page} page @param {Known} known @param {Drawing} drawing */
  constructor(body, page, { colours, polyominoes }, drawing) {
    this.page = page;
    this.history = [drawing];
    this.cursor = 0;
    this.typing = false;
    this.own = ownNames();
    this.stuck = new Set();
    this.lastCheck = 0;
    this.definition = /** @type {Definition | null} */ (null);
    this.colours = colours;
    this.polyominoes = polyominoes;
    this.title = createElement("input", { className: "make-title", id: "make-title", maxLength: 60, autocomplete: "off", placeholder: translate("make-untitled"), "aria-label": translate("make-title"),
      oninput: () => this.change({ ...this.drawing, title: this.title.value }, false) });
    this.undo = createElement("button", { type: "button", className: "round", id: "make-undo", "aria-label": translate("undo"), title: "Ctrl+Z", onclick: () => this.goBack() },
      document.getElementById("undo")?.children[0].cloneNode(true) ?? "");
    const back = createElement("button", { type: "button", className: "pill to-table", id: "make-back", onclick: () => document.getElementById("close")?.click() },
      document.getElementById("before")?.children[0].cloneNode(true) ?? "", createElement("span", { textContent: translate("table") }));
    this.modes = ["cells", "labels"].map((mode) => createButton(`make-${mode}`, () => { this.typing = mode === "labels"; this.render(); }, ""));
    this.start = createElement("select", { id: "make-start", autocomplete: "off", "aria-label": translate("make-start"), onchange: () => this.startFrom(this.start.value) },
      createElement("option", { value: "", textContent: translate("make-start") }), ...TEMPLATE_NAMES.map((name) => createElement("option", { value: `template ${name}`, textContent: translate(`make-${name}`) })),
      ...page.library().puzzles.map(({ name, title }) => createElement("option", { value: name, textContent: title })));
    this.grid = createElement("div", { className: "make-grid", id: "make-grid", role: "group", "aria-label": translate("make-board") });
    this.hint = createElement("p", { className: "make-hint" });
    this.steppers = ["rows", "columns"].map((axis) => this.stepper(axis));
    this.bar = createElement("div", { className: "area", "aria-hidden": "true" });
    this.area = createElement("p", { className: "area-text", id: "make-area", role: "status" });
    this.pieces = new PiecesView(this);
    this.counting = createCounting(this);
    this.files = createFiles(this);
    this.actions = [createButton("make-count", () => this.counting.count(), "pill"), createButton("make-play", () => this.play(), "pill strong"),
      createButton("make-share", () => shareBoard(this, this.said), "pill", translate("share"))];
    this.said = createElement("p", { id: "make-said", className: "note", role: "status" });
    body.replaceChildren(
      createElement("div", { className: "make-head" }, back, this.title, this.undo),
      createElement("section", { className: "make-board" }, createElement("div", { className: "make-bar" }, createElement("div", { className: "segments" }, ...this.modes), this.start),
        this.grid, createElement("div", { className: "make-sizes" }, ...this.steppers.map(({ element }) => element)), this.hint),
      createElement("section", { className: "make-pieces" }, this.pieces.element, this.bar, this.area),
      createElement("div", { className: "make-result" }, this.counting.element, this.said),
      createElement("div", { className: "make-actions" }, ...this.actions), this.files);
    body.addEventListener("keydown", (event) => {
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      this.goBack();
    });
    this.render();
  }

  get drawing() {
    return this.history[this.cursor];
  }

  /** @param {Drawing} next @param {boolean} [render] all of it: not while a text is typed */
  change(next, render = true) {
    this.history = [...this.history.slice(0, this.cursor + 1), next].slice(-MAX_UNDO);
    this.cursor = this.history.length - 1;
    if (render) this.render();
    else this.refresh();
  }

  goBack() {
    this.cursor = Math.max(0, this.cursor - 1);
    this.render();
  }

  /** @param {string} value a template or a board of the library */
  async startFrom(value) {
    this.start.value = "";
    if (value.startsWith("template ")) this.change(startFrom(value.slice("template ".length)));
    else if (value) this.change(drawingOfPuzzle(await fetchJson(`${DATA}${value}.json`)));
  }

  /** @param {string} axis */
  stepper(axis) {
    const text = createElement("span", { role: "status" });
    const button = (/** @type {string} */ sign, /** @type {number} */ by) => createElement("button", { type: "button", className: "round", id: `make-${axis}-${by < 0 ? "less" : "more"}`,
      textContent: sign, "aria-label": translate(by < 0 ? "make-less" : "make-more", { what: translate(`make-${axis}-name`) }), onclick: () => this.resize(axis, by) });
    return { element: createElement("span", { className: "stepper" }, button("−", -1), text, button("+", 1)), text };
  }

  /** @param {string} axis @param {number} by */
  resize(axis, by) {
    const { board } = this.drawing, [rows, columns] = [board.length + (axis === "rows" ? by : 0), board[0].length + (axis === "columns" ? by : 0)];
    if (Math.min(rows, columns) < 1 || Math.max(rows, columns) > Math.max(MAX_SIDE, board.length, board[0].length)) return;
    this.change({ ...this.drawing, board: Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_unused, c) => (board[r] && c in board[r] ? board[r][c] : ""))) });
  }

  render() {
    const { board, title } = this.drawing;
    this.title.value = title;
    this.modes.forEach((button, number) => button.setAttribute("aria-pressed", String(this.typing === Boolean(number))));
    this.hint.textContent = translate(this.typing ? "make-type" : "make-click");
    const sizes = { rows: board.length, columns: board[0].length };
    Object.entries(sizes).forEach(([axis, n], number) => {
      this.steppers[number].text.textContent = translate(`make-${axis}`, { n });
      this.grid.style.setProperty(`--${axis}`, String(n));
    });
    this.pieces.render();
    this.refresh();
    this.renderGrid();
  }

  renderGrid() {
    const { board } = this.drawing;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest?.(".make-cells > *"))?.dataset.at;
    const cells = board.flatMap((row, r) => row.map((_, c) => (this.typing ? this.inputOf(r, c) : this.buttonOf(r, c))));
    this.grid.replaceChildren(this.picture(), createElement("div", { className: "make-cells" }, ...cells));
    if (focused) /** @type {HTMLElement | null} */ (this.grid.querySelector(`[data-at="${focused}"]`))?.focus();
  }

  /** Draw frame, bed and lines. */
  picture() {
    const { board } = this.drawing;
    const cells = board.flatMap((row, r) => row.flatMap((label, column) => (label === null ? [] : [{ row: r, column, label: null }])));
    return drawBoard({ rows: board.length, columns: board[0].length, cells, labels: {}, categories: [] }, []);
  }

  /** @param {number} r @param {number} c */
  nameOf(r, c) {
    const label = this.drawing.board[r][c];
    return [translate("cell-plain", { row: r + 1, column: c + 1 }), label && this.shown(label)].filter(Boolean).join(": ");
  }

  /** Return a label as the board shows it. @param {string} label */
  shown(label) {
    return formatLabel({ categories: Object.entries(toTable(this.drawing, this.own).categories).map(([name, labels]) => ({ name, labels })) }, label);
  }

  /** @param {number} r @param {number} c */
  buttonOf(r, c) {
    const { board } = this.drawing, label = board[r][c], isCell = label !== null, text = label ? this.shown(label) : "";
    const onclick = () => this.change({ ...this.drawing, board: board.map((row, at) => (at === r ? row.with(c, isCell ? null : "") : row)) });
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      const [down, right] = ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] })[event.key] ?? [0, 0];
      if (!down && !right) return;
      event.preventDefault();
      /** @type {HTMLElement | null} */ (this.grid.querySelector(`[data-at="${r + down},${c + right}"]`))?.focus();
    };
    return createElement("button", { type: "button", textContent: isCell ? text : "+", className: [isCell ? "" : "none", text.length > 3 ? "long" : "", this.stuck.has(`${r},${c}`) ? "stuck" : ""].join(" "), "data-at": `${r},${c}`,
      "aria-label": this.nameOf(r, c), "aria-pressed": String(isCell), onclick, onkeydown });
  }

  /** @param {number} r @param {number} c */
  inputOf(r, c) {
    const { board } = this.drawing, label = board[r][c];
    if (label === null) return createElement("button", { type: "button", className: "none", textContent: "+", disabled: true });
    const input = createElement("input", { value: label, maxLength: MAX_LABEL, autocomplete: "off", autocapitalize: "off", spellcheck: false, enterKeyHint: "next", "data-at": `${r},${c}`, "aria-label": translate("cell-plain", { row: r + 1, column: c + 1 }),
      className: label.length > 3 ? "long" : "", onfocus: () => input.select(), oninput: () => {
        const value = input.value.replaceAll(/[\s,"\\]/g, "");
        this.change({ ...this.drawing, board: this.drawing.board.map((row, at) => (at === r ? row.with(c, value) : row)) }, false);
      }, onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        const inputs = [...this.grid.querySelectorAll("input")];
        inputs[(inputs.indexOf(input) + (event.shiftKey ? -1 : 1) + inputs.length) % inputs.length].focus();
      } });
    return input;
  }

  /** Mark cells that nothing fits. @param {{row: number, column: number}[]} cells */
  mark(cells) {
    this.stuck = new Set(cells.map(({ row, column }) => `${row},${column}`));
    this.renderGrid();
  }

  /** Check what is drawn, and say what it lacks. */
  async refresh() {
    const ticket = (this.lastCheck += 1), { drawing } = this, { board, pieces } = drawing;
    this.undo.setAttribute("aria-disabled", String(this.cursor === 0));
    this.stuck.clear();
    this.counting.clear();
    this.said.textContent = "";
    setPreference("drawing", JSON.stringify(drawing));
    const table = toTable(drawing, this.own), area = areaToCover(table, board);
    const used = pieces.reduce((sum, { cells, copies }) => sum + cells.length * copies, 0), missing = area - used;
    this.bar.replaceChildren(...pieces.flatMap(({ cells, copies }, number) => Array.from({ length: copies }, () => {
      const part = createElement("i");
      part.style.cssText = `--share:${cells.length};--colour:${this.colours[number % this.colours.length][1]}`;
      return part;
    })), ...(missing > 0 ? [createElement("i", { className: "gap", style: `--share:${missing}` })] : []));
    this.definition = null;
    this.say(missing ? translate(missing > 0 ? "make-missing" : "make-surplus", { n: Math.abs(missing) }) : "", missing > 0 ? suggestion(missing) : "", "bad");
    this.enable();
    if (missing) return;
    try {
      const definition = readDefinition(table, "board", await loadKnown(table));
      if (ticket !== this.lastCheck) return;
      this.definition = definition;
      this.say(translate("make-full", { n: area }), translate("make-fits"), "good");
    } catch (error) {
      if (ticket === this.lastCheck) this.say(describeFault(error), "", "bad");
    }
    this.enable();
  }

  /** @param {string} first @param {string} rest @param {string} className */
  say(first, rest, className) {
    this.area.replaceChildren(createElement("b", { textContent: first, className }), " ", rest);
  }

  enable() {
    for (const button of this.actions) button.setAttribute("aria-disabled", String(!this.definition));
  }

  async play() {
    if (!this.definition) return;
    location.hash = addressOf(await keepBoard(this.definition, this.page.library()), "");
  }
}

/** Say what would fill an area. @param {number} missing */
function suggestion(missing) {
  const ways = suggest(missing).map((way) => formatList(way.map(([n, size]) => translate("make-of", { n, size }))));
  return translate("make-add", { pieces: formatChoice(ways) });
}

