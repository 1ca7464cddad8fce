// One's own board: click cells, type labels, draw pieces, count. What was drawn is kept.
import { post, request } from "./api.js";
import { complaints, drawingOf, write } from "./definition.js";
import { at, element, field, key } from "./geometry.js";
import { preference, setPreference } from "./keep.js";
import "./sentences-served.js";
import { addressOf, say, spell } from "./words.js";

/** @import { Drawing, Drawn } from "./definition.js" @import { Spot } from "./geometry.js" */

const SIDE = 5; // of the field in which a piece is drawn
const EXAMPLE = `{"name": "mine", "board": [["A", "B", "C", "D"], ["", "", "", ""], ["", "", "", ""]], "pieces": [
  {"name": "L", "copies": 1, "cells": [[0, 0], [1, 0], [2, 0], [2, 1]]},
  {"name": "T", "copies": 1, "cells": [[0, 0], [0, 1], [0, 2], [1, 1]]},
  {"name": "I", "copies": 1, "cells": [[0, 0], [0, 1], [0, 2]]}]}`;
let drawing = kept() ?? /** @type {Drawing} */ (JSON.parse(EXAMPLE));
let counting = 0;

/** What was drawn here before, null if it is damaged. @returns {Drawing | null} */
function kept() {
  try {
    const { name, board, pieces } = JSON.parse(preference("drawing", ""));
    const rows = Array.isArray(board) && board.length > 0 && board.every((row) => Array.isArray(row) && row.length === board[0].length && row.length > 0
      && row.every((label) => label === null || typeof label === "string"));
    const drawn = Array.isArray(pieces) && pieces.every((piece) => typeof piece?.name === "string" && Number.isInteger(piece.copies)
      && Array.isArray(piece.cells) && piece.cells.every((/** @type {unknown} */ cell) => Array.isArray(cell) && cell.length === 2 && cell.every(Number.isInteger)));
    return typeof name === "string" && rows && drawn ? { name, board, pieces } : null;
  } catch {
    return null;
  }
}

/** @param {string} textContent @param {string} [className] */
const tell = (textContent, className = "") => Object.assign(at("said"), { textContent, className });

/** A square to be clicked in and out. @param {Spot} cell @param {() => boolean} inside
 * @param {() => void} click @param {string} [text] */
function toggle([row, column], inside, click, text = "") {
  const button = element("button", {
    type: "button", textContent: text, "aria-label": say("make-cell", { row: row + 1, column: column + 1 }), "aria-pressed": String(inside()) });
  button.addEventListener("click", () => {
    click();
    button.setAttribute("aria-pressed", String(inside()));
    changed();
  });
  return button;
}

/** An input that changes the drawing. @param {object} values @param {(value: string) => void} changing */
function input(values, changing) {
  const made = element("input", { ...values });
  made.addEventListener("input", () => { changing(made.value.trim()); changed(); });
  return made;
}

function grid() {
  const typing = field("typing").checked;
  const { board } = drawing;
  at("grid").style.gridTemplateColumns = `repeat(${board[0].length}, minmax(2.4rem, 3.2rem))`;
  at("grid").replaceChildren(...board.flatMap((row, r) => row.map((label, c) => (typing
    ? input({ value: label ?? "", maxLength: 32, disabled: label === null, "aria-label": say("make-cell", { row: r + 1, column: c + 1 }) },
      (value) => { row[c] = value; })
    : toggle([r, c], () => row[c] !== null, () => { row[c] = row[c] === null ? "" : null; }, label ?? "")))));
}

function pieces() {
  at("pieces").replaceChildren(...drawing.pieces.map((piece, number) => {
    const remove = element("button", { type: "button", textContent: "✕", "aria-label": say("make-remove", { piece: piece.name }) });
    remove.addEventListener("click", () => { drawing.pieces.splice(number, 1); all(); at("add").focus(); });
    return element("div", { className: "drawing", role: "group", "aria-label": say("make-piece", { piece: piece.name }) },
      element("div", { className: "squares" }, ...squares(piece)),
      element("div", { className: "row" },
        input({ value: piece.name, maxLength: 4, "aria-label": say("make-name"), "aria-describedby": `wrong-${number}` },
          (value) => { piece.name = value; }), "×",
        input({ type: "number", min: "1", max: "64", value: String(piece.copies), "aria-label": say("make-copies") },
          (value) => { piece.copies = Number(value) || 1; }), remove),
      element("p", { className: "bad", id: `wrong-${number}` }));
  }));
}

/** @param {Drawn} piece */
const squares = (piece) => Array.from({ length: SIDE * SIDE }, (_, number) => {
  const cell = /** @type {Spot} */ ([Math.floor(number / SIDE), number % SIDE]);
  const inside = () => piece.cells.some((each) => key(each) === key(cell));
  return toggle(cell, inside, () => {
    piece.cells = inside() ? piece.cells.filter((each) => key(each) !== key(cell)) : [...piece.cells, cell];
  });
});

/** Keeps the drawing; what was said and counted was of another one. */
function changed() {
  const cells = drawing.board.flat().filter((label) => label !== null).length;
  const area = drawing.pieces.reduce((sum, piece) => sum + piece.copies * piece.cells.length, 0);
  at("area").textContent = `${say("make-cells", { n: cells })} ${say("make-squares", { n: area })}`;
  const wrong = complaints(drawing.pieces);
  wrong.forEach((text, number) => {
    at(`wrong-${number}`).textContent = text;
    at("pieces").children[number].querySelector("input")?.setAttribute("aria-invalid", String(Boolean(text)));
  });
  if (!wrong.some(Boolean)) field("text").value = write(drawing);
  setPreference("drawing", JSON.stringify(drawing));
  forget();
}

function forget() {
  counting += 1;
  at("result").replaceChildren();
  tell("");
}

function resize() {
  const [rows, columns] = ["rows", "columns"].map((id) => Math.min(16, Math.max(1, Math.trunc(Number(field(id).value)) || 1)));
  drawing.board = Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_unused, c) => (
    drawing.board[r]?.[c] === undefined ? "" : drawing.board[r][c])));
  all();
}

function all() {
  field("name").value = drawing.name;
  field("rows").value = String(drawing.board.length);
  field("columns").value = String(drawing.board[0].length);
  grid();
  pieces();
  changed();
}

async function solve() {
  const wrong = complaints(drawing.pieces).findIndex(Boolean);
  at("pieces").children[wrong]?.querySelector("input")?.focus();
  if (wrong >= 0) return;
  forget();
  const mine = counting;
  tell(say("counting"));
  try {
    const { id } = await post("/puzzles", { definition: field("text").value });
    const { rows, total } = await request(`/puzzles/${id}/counts?all_reveals=true`);
    if (mine !== counting) return;
    tell(`${say("make-solutions", { n: total })} ${say("make-choices", { n: rows.length })}`, "good");
    at("result").replaceChildren(
      element("a", { className: "pill", href: `./${addressOf(id, "")}`, textContent: say("make-solve") }), element("ul", {},
        ...rows.slice(0, 400).map((/** @type {any} */ { reveal, tilings }) => element(
          "li", { textContent: say("make-row", { reveal: reveal.join(" "), n: tilings }) }))));
  } catch (error) {
    if (mine === counting) tell(/** @type {Error} */ (error).message, "bad");
  }
}

at("name").addEventListener("input", () => { drawing.name = field("name").value; changed(); });
at("text").addEventListener("input", forget);
at("typing").addEventListener("change", grid);
for (const id of ["rows", "columns"]) at(id).addEventListener("change", resize);
at("add").addEventListener("click", () => {
  const name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => drawing.pieces.every((piece) => piece.name !== letter));
  drawing.pieces.push({ name: name ?? `A${drawing.pieces.length}`, copies: 1, cells: [[0, 0]] });
  all();
});
at("make").addEventListener("submit", (event) => { event.preventDefault(); solve(); });
const failed = (/** @type {Error} */ error) => tell(error.message, "bad");
at("from").addEventListener("change", () => field("from").value && request(`/puzzles/${field("from").value}`)
  .then((puzzle) => { drawing = drawingOf(puzzle); all(); }).catch(failed));
spell();
all();
at("make").inert = false; // before, a click would have sent the form to nobody
request("/puzzles").then((found) => at("from").append(
  ...found.map((/** @type {any} */ { id }) => element("option", { textContent: id })))).catch(failed);
