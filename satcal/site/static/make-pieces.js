// The pieces of a board that is being made: chosen among the polyominoes, or drawn; copies and faces.
import { UNIT, createElement, createSvg, key, outline, sizeOf, transformShape } from "./geometry.js";
import { icon } from "./icons.js";
import { MAX_COPIES } from "./puzzle-definition.js";
import { freeForm, isJoined, toOrigin } from "./shapes.js";
import { createButton } from "./views.js";
import { translate } from "./i18n.js";

/** @import { Editor } from "./types-page.js" @import { Drawn } from "./puzzle-definition.js" @import { Spot } from "./geometry.js" */

const SIDE = 8; // of the grid in which a piece is drawn
const SIZES = [1, 2, 3, 4, 5, 6];

export class PiecesView {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.size = 5; // 0: pieces are drawn
    this.chosen = ""; // the name of a piece
    this.drawn = /** @type {Spot[]} */ ([]);
    this.tabs = createElement("div", { className: "segments" });
    this.list = createElement("div", { className: "piece-list", id: "make-list" });
    this.board = createElement("div", { className: "draw-piece", role: "group", "aria-label": translate("make-draw") });
    this.add = createButton("make-add-piece", () => this.addDrawn());
    this.settings = createElement("div", { className: "make-piece" });
    this.element = createElement("div", {}, createElement("div", { className: "make-bar" }, createElement("h3", { textContent: translate("make-pieces") }), this.tabs), this.board, this.add, this.list, this.settings);
  }

  get pieces() {
    return this.editor.drawing.pieces;
  }

  /** Return the polyominoes of a size, up to six squares. @param {number} size @returns {{name: string, cells: Spot[]}[]} */
  known(size) {
    return Object.entries(this.editor.polyominoes[size - 1] ?? {}).map(([name, cells]) => ({ name, cells }));
  }

  render() {
    const numberOf = (/** @type {number} */ size) => this.pieces.filter(({ cells }) => (size ? cells.length === size : cells.length > 6)).reduce((sum, { copies }) => sum + copies, 0);
    const tab = (/** @type {number} */ size) => createElement("button", { type: "button", id: `make-size-${size}`, "aria-label": size ? translate("make-of-size", { n: size }) : translate("make-draw"), "aria-pressed": String(this.size === size),
      onclick: () => { this.size = size; this.render(); document.getElementById(`make-size-${size}`)?.focus(); } }, size ? String(size) : icon("make"), ...(numberOf(size) ? [createElement("sup", { textContent: String(numberOf(size)), "aria-hidden": "true" })] : []));
    this.tabs.replaceChildren(...[...SIZES, 0].map(tab));
    this.board.hidden = this.add.hidden = this.size > 0;
    if (!this.size) this.renderBoard();
    const known = this.size ? this.known(this.size) : [];
    const forms = new Set(known.map(({ cells }) => freeForm(cells)));
    const own = this.pieces.filter(({ cells }) => (this.size ? cells.length === this.size && !forms.has(freeForm(cells)) : true));
    const tiles = [...known.flatMap(({ name, cells }) => {
      const same = this.pieces.filter((piece) => freeForm(piece.cells) === freeForm(cells));
      return same.length ? same : [{ name: this.freeName(name), cells, copies: 0, flip: true }];
    }), ...own];
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest?.("#make-list > *"))?.dataset.name;
    const side = Math.max(3, ...tiles.flatMap(({ cells }) => sizeOf(cells))) * UNIT;
    this.list.replaceChildren(...tiles.map((piece) => this.tile(piece, side)));
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-name="${focused}"]`))?.focus();
    this.renderSettings();
  }

  /** Return a name that no piece has. @param {string} name */
  freeName(name) {
    const taken = new Set(this.pieces.map((piece) => piece.name));
    if (!taken.has(name)) return name;
    for (let number = 1; ; number += 1) if (!taken.has(`${name[0]}${100 + number}`)) return `${name[0]}${100 + number}`;
  }

  /** @param {Drawn} piece @param {number} side of its picture */
  tile(piece, side) {
    const { name, cells, copies } = piece, [high, wide] = sizeOf(cells);
    const number = this.pieces.indexOf(piece);
    const drawn = createSvg("svg", { viewBox: `${(wide * UNIT - side) / 2} ${(high * UNIT - side) / 2} ${side} ${side}`, "aria-hidden": "true", class: number < 0 ? "unused" : "laid" }, createSvg("path", { d: outline(cells, 0.14, 0.02), class: number < 0 ? "" : "body" }));
    drawn.style.setProperty("--colour", this.colourOf(number));
    const onclick = () => {
      this.chosen = name;
      if (number < 0) this.change([...this.pieces, { ...piece, copies: 1 }]);
      else this.render();
    };
    return createElement("button", { type: "button", onclick, "data-name": name, "aria-current": String(number >= 0 && name === this.chosen), "aria-label": copies ? translate("make-chosen", { piece: name, n: copies }) : translate("make-choose", { piece: name }) },
      drawn, ...(copies > 1 ? [createElement("span", { className: "copies", textContent: `×${copies}`, "aria-hidden": "true" })] : []));
  }

  /** @param {number} number */
  colourOf(number) {
    const { colours } = this.editor;
    return colours[Math.max(0, number) % colours.length][1];
  }

  /** @param {Drawn[]} pieces */
  change(pieces) {
    this.editor.change({ ...this.editor.drawing, pieces });
  }

  renderSettings() {
    const piece = this.pieces.find(({ name }) => name === this.chosen);
    if (!piece) return this.settings.replaceChildren(createElement("span", { className: "note", textContent: translate("make-pick") }));
    const update = (/** @type {Partial<Drawn>} */ news) => this.change(this.pieces.map((each) => (each === piece ? { ...each, ...news } : each)));
    const step = (/** @type {number} */ by) => () => {
      if (piece.copies + by > 0) return piece.copies + by <= MAX_COPIES && update({ copies: piece.copies + by });
      this.chosen = "";
      this.change(this.pieces.filter((each) => each !== piece));
    };
    const button = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {number} */ by) => createElement("button", { type: "button", className: "round", id, textContent: sign,
      "aria-label": translate(by < 0 ? "make-fewer" : "make-another", { piece: piece.name }), onclick: () => { step(by)(); document.getElementById(id)?.focus(); } });
    const faces = createElement("select", { id: "make-faces", autocomplete: "off", "aria-label": translate("make-faces", { piece: piece.name }), onchange: () => update(faces.value === "turned"
      ? { flip: false, cells: transformShape("flip", piece.cells) } : { flip: faces.value === "both" }) },
    ...["both", "one", "turned"].map((value) => createElement("option", { value, textContent: translate(`make-${value}`), selected: value === (piece.flip ? "both" : "one") })));
    this.settings.replaceChildren(createElement("b", { textContent: piece.name }), createElement("span", { className: "stepper" }, button("make-fewer", "−", -1),
      createElement("span", { role: "status", textContent: translate("make-copies", { n: piece.copies }) }), button("make-another", "+", 1)), faces);
  }

  renderBoard() {
    const inside = new Set(this.drawn.map(key));
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest?.(".draw-piece > *"))?.dataset.at;
    this.board.replaceChildren(...Array.from({ length: SIDE * SIDE }, (_, number) => {
      const cell = /** @type {Spot} */ ([Math.floor(number / SIDE), number % SIDE]);
      const onclick = () => {
        this.drawn = inside.has(key(cell)) ? this.drawn.filter((each) => key(each) !== key(cell)) : [...this.drawn, cell];
        this.renderBoard();
      };
      return createElement("button", { type: "button", onclick, "data-at": key(cell), "aria-pressed": String(inside.has(key(cell))), "aria-label": translate("cell-plain", { row: cell[0] + 1, column: cell[1] + 1 }) });
    }));
    if (focused) /** @type {HTMLElement | null} */ (this.board.querySelector(`[data-at="${focused}"]`))?.focus();
    this.add.setAttribute("aria-disabled", String(!isJoined(this.drawn)));
  }

  addDrawn() {
    if (!isJoined(this.drawn)) return;
    const cells = toOrigin(this.drawn);
    const known = this.known(cells.length).find((each) => freeForm(each.cells) === freeForm(cells))?.name;
    const letter = [..."ABCDEGJKMQR"].find((each) => !this.pieces.some(({ name }) => name === each));
    this.chosen = this.freeName(known ?? letter ?? "A");
    this.drawn = [];
    this.change([...this.pieces, { name: this.chosen, cells, copies: 1, flip: true }]);
  }
}
