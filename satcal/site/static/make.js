// One's own board: click cells, type labels, draw pieces, count. What was drawn is kept.
import { post, request } from "./api.js";
import { SIDE, complaints, drawingOf, write } from "./definition.js";
import { at, element, key } from "./geometry.js";
import { like, liked } from "./keep.js";
import { addressOf, count } from "./words.js";

/** @typedef {import("./definition.js").Drawing} Drawing */
/** @typedef {import("./definition.js").Drawn} Drawn */

/** @type {Drawing} */
const EXAMPLE = {
  name: "mine",
  board: [["A", "B", "C", "D"], ["", "", "", ""], ["", "", "", ""]],
  pieces: [
    { name: "L", copies: 1, cells: [[0, 0], [1, 0], [2, 0], [2, 1]] },
    { name: "T", copies: 1, cells: [[0, 0], [0, 1], [0, 2], [1, 1]] },
    { name: "I", copies: 1, cells: [[0, 0], [0, 1], [0, 2]] },
  ],
};
/** @type {Drawing} */
let drawing = JSON.parse(liked("drawing", JSON.stringify(EXAMPLE)));
let counting = 0;

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (at(id));

/** @param {string} text @param {string} [className] */
const say = (text, className = "") => Object.assign(at("said"), { textContent: text, className });

function grid() {
  const labels = /** @type {HTMLInputElement} */ (document.querySelector("[name=mode]:checked")).value === "labels";
  at("grid").style.gridTemplateColumns = `repeat(${drawing.board[0].length}, minmax(2.4rem, 3.2rem))`;
  at("grid").replaceChildren(...drawing.board.flatMap((row, r) => row.map((_, c) => (labels ? labelField(r, c) : cellButton(r, c)))));
}

/** @param {number} r @param {number} c */
function labelField(r, c) {
  const label = drawing.board[r][c];
  const field = element("input", {
    value: label ?? "", maxLength: 32, disabled: label === null, className: label === null ? "out" : "in",
    "aria-label": `Row ${r + 1}, column ${c + 1}` });
  field.addEventListener("input", () => {
    drawing.board[r][c] = field.value.trim();
    changed();
  });
  return field;
}

/** @param {number} r @param {number} c */
function cellButton(r, c) {
  const button = element("button", { type: "button", "aria-label": `Row ${r + 1}, column ${c + 1}` });
  const draw = () => {
    const label = drawing.board[r][c];
    button.textContent = label;
    button.className = label === null ? "out" : "in";
    button.setAttribute("aria-pressed", String(label !== null));
  };
  button.addEventListener("click", () => {
    drawing.board[r][c] = drawing.board[r][c] === null ? "" : null;
    draw();
    changed();
  });
  draw();
  return button;
}

function pieces() {
  at("pieces").replaceChildren(...drawing.pieces.map((piece, number) => element(
    "div", { className: "drawing", role: "group", "aria-label": `Piece ${piece.name}` },
    squares(piece), fields(piece, number), element("p", { className: "bad", id: `wrong-${number}` }))));
}

/** @param {Drawn} piece */
function squares(piece) {
  return element("div", { className: "squares" }, ...Array.from({ length: SIDE * SIDE }, (_, number) => {
    const cell = /** @type {[number, number]} */ ([Math.floor(number / SIDE), number % SIDE]);
    const inside = () => piece.cells.some((each) => key(each) === key(cell));
    const button = element("button", {
      type: "button", "aria-label": `Row ${cell[0] + 1}, column ${cell[1] + 1}`, "aria-pressed": String(inside()) });
    button.addEventListener("click", () => {
      piece.cells = inside() ? piece.cells.filter((each) => key(each) !== key(cell)) : [...piece.cells, cell];
      button.setAttribute("aria-pressed", String(inside()));
      changed();
    });
    return button;
  }));
}

/** @param {Drawn} piece @param {number} number */
function fields(piece, number) {
  const name = element("input", { value: piece.name, maxLength: 4, "aria-label": "Name", "aria-describedby": `wrong-${number}` });
  name.addEventListener("input", () => { piece.name = name.value.trim(); changed(); });
  const copies = element("input", { type: "number", min: "1", max: "64", value: String(piece.copies), "aria-label": "Copies" });
  copies.addEventListener("input", () => { piece.copies = Number(copies.value) || 1; changed(); });
  const remove = element("button", { type: "button", textContent: "✕", "aria-label": `Remove ${piece.name}` });
  remove.addEventListener("click", () => {
    drawing.pieces.splice(number, 1);
    pieces();
    changed();
    at("add").focus();
  });
  return element("div", { className: "row" }, name, "×", copies, remove);
}

/** What was said and counted was of another board. */
function changed() {
  const cells = drawing.board.flat().filter((label) => label !== null).length;
  const area = drawing.pieces.reduce((sum, piece) => sum + piece.copies * piece.cells.length, 0);
  at("area").textContent = `${count(cells, "cell")} on the board, ${count(area, "square")} in the pieces.`;
  const wrong = complaints(drawing.pieces);
  wrong.forEach((text, number) => {
    at(`wrong-${number}`).textContent = text;
    at("pieces").children[number].querySelector("input")?.setAttribute("aria-invalid", String(Boolean(text)));
  });
  if (!wrong.some(Boolean)) input("text").value = write(drawing);
  like("drawing", JSON.stringify(drawing));
  forget();
}

function forget() {
  counting += 1;
  at("result").replaceChildren();
  say("");
}

function resize() {
  const [rows, columns] = ["rows", "columns"].map((id) => Math.min(16, Math.max(1, Math.trunc(Number(input(id).value)) || 1)));
  drawing.board = Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_unused, c) => {
    const before = drawing.board[r]?.[c];
    return before === undefined ? "" : before;
  }));
  grid();
  changed();
}

function all() {
  input("name").value = drawing.name;
  input("rows").value = String(drawing.board.length);
  input("columns").value = String(drawing.board[0].length);
  grid();
  pieces();
  changed();
}

/** @param {Event} event */
async function solve(event) {
  event.preventDefault();
  const wrong = complaints(drawing.pieces).findIndex(Boolean);
  if (wrong >= 0) {
    at("pieces").children[wrong].querySelector("input")?.focus();
    return;
  }
  forget();
  const mine = counting;
  say("Counting…");
  try {
    const { id } = await post("/puzzles", { definition: input("text").value });
    const { rows, total } = await request(`/puzzles/${id}/counts?all_reveals=true`);
    if (mine !== counting) return;
    say(`${count(total, "tiling")} of ${count(rows.length, "reveal")}.`, "good");
    at("result").replaceChildren(element("a", { className: "button", href: `./${addressOf(id, "")}`, textContent: "Solve it" }));
    if (rows.length > 1) at("result").append(table(rows));
  } catch (error) {
    if (mine === counting) say(/** @type {Error} */ (error).message, "bad");
  }
}

/** @param {{reveal: string[], tilings: number | bigint}[]} rows */
function table(rows) {
  const made = element("table", { className: "result" });
  const head = made.createTHead().insertRow();
  for (const name of ["reveal", "tilings"]) head.append(element("th", { scope: "col", textContent: name }));
  const body = made.createTBody();
  for (const each of rows.slice(0, 400)) {
    const row = body.insertRow();
    row.insertCell().textContent = each.reveal.join(" ");
    row.insertCell().textContent = each.tilings.toLocaleString("en");
  }
  return made;
}

async function begin() {
  const { value } = /** @type {HTMLSelectElement} */ (at("from"));
  if (!value) return;
  try {
    drawing = drawingOf(await request(`/puzzles/${value}`));
    all();
  } catch (error) {
    say(/** @type {Error} */ (error).message, "bad");
  }
}

input("name").addEventListener("input", () => { drawing.name = input("name").value; changed(); });
input("text").addEventListener("input", forget);
for (const id of ["rows", "columns"]) at(id).addEventListener("change", resize);
for (const radio of document.querySelectorAll("[name=mode]")) radio.addEventListener("change", grid);
at("add").addEventListener("click", () => {
  const used = new Set(drawing.pieces.map((piece) => piece.name));
  const name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.has(letter)) ?? `A${drawing.pieces.length}`;
  drawing.pieces.push({ name, copies: 1, cells: [[0, 0]] });
  pieces();
  changed();
});
at("from").addEventListener("change", begin);
at("make").addEventListener("submit", solve);
all();
request("/puzzles").then((found) => at("from").append(...found.map((/** @type {any} */ { id }) => element("option", { textContent: id }))), (error) => say(error.message, "bad"));
