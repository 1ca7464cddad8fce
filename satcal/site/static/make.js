// The player's own board: click cells, type labels, draw pieces, count. The drawing is stored.
import { post, request } from "./api.js";
import { complaints, drawingOf, formatDefinition } from "./definition.js";
import { byId, createElement, inputById, key } from "./geometry.js";
import { preference, setPreference } from "./storage.js";
import "./served-sentences.js";
import { addressOf, translate, translatePage } from "./i18n.js";

/** @import { Drawing, Drawn } from "./definition.js" @import { Spot } from "./geometry.js" */

const SIDE = 5; // of the field in which a piece is drawn
const EXAMPLE = `{"name": "mine", "board": [["A", "B", "C", "D"], ["", "", "", ""], ["", "", "", ""]], "pieces": [
  {"name": "L", "copies": 1, "cells": [[0, 0], [1, 0], [2, 0], [2, 1]]},
  {"name": "T", "copies": 1, "cells": [[0, 0], [0, 1], [0, 2], [1, 1]]},
  {"name": "I", "copies": 1, "cells": [[0, 0], [0, 1], [0, 2]]}]}`;
let drawing = loadDrawing() ?? /** @type {Drawing} */ (JSON.parse(EXAMPLE));
let counting = 0;

/** Return the stored drawing, null if it is damaged. @returns {Drawing | null} */
function loadDrawing() {
  try {
    const { name, board, pieces, categories = {} } = JSON.parse(preference("drawing", ""));
    const rows = Array.isArray(board) && board.length > 0 && board.every((row) => Array.isArray(row) && row.length === board[0].length && row.length > 0
      && row.every((label) => label === null || typeof label === "string"));
    const drawn = Array.isArray(pieces) && pieces.every((piece) => typeof piece?.name === "string" && Number.isInteger(piece.copies)
      && Array.isArray(piece.cells) && piece.cells.every((/** @type {unknown} */ cell) => Array.isArray(cell) && cell.length === 2 && cell.every(Number.isInteger)));
    return typeof name === "string" && rows && drawn && Object.values(categories).every(Array.isArray) ? { name, board, pieces, categories } : null;
  } catch {
    return null;
  }
}

/** @param {string} textContent @param {string} [className] */
const showMessage = (textContent, className = "") => Object.assign(byId("message"), { textContent, className });

/** Return a button that adds or removes a cell. @param {Spot} cell @param {() => boolean} isInside
 * @param {() => void} click @param {string} [text] */
function cellButton([row, column], isInside, click, text = "") {
  const onclick = () => {
    click();
    button.setAttribute("aria-pressed", String(isInside()));
    onDrawingChange();
  };
  const button = createElement("button", { type: "button", textContent: text, onclick,
    "aria-label": translate("make-cell", { row: row + 1, column: column + 1 }), "aria-pressed": String(isInside()) });
  return button;
}

/** Return an input that changes the drawing. @param {object} values @param {(value: string) => void} setValue */
function textInput(values, setValue) {
  const made = createElement("input", { ...values, oninput: () => { setValue(made.value.trim()); onDrawingChange(); } });
  return made;
}

function drawGrid() {
  const typing = inputById("typing").checked;
  const { board } = drawing;
  byId("grid").style.gridTemplateColumns = `repeat(${board[0].length}, minmax(2.4rem, 3.2rem))`;
  byId("grid").replaceChildren(...board.flatMap((row, r) => row.map((label, c) => (typing
    ? textInput({ value: label ?? "", maxLength: 32, disabled: label === null, "aria-label": translate("make-cell", { row: r + 1, column: c + 1 }) },
      (value) => { row[c] = value; })
    : cellButton([r, c], () => row[c] !== null, () => { row[c] = row[c] === null ? "" : null; }, label ?? "")))));
}

function drawPieces() {
  byId("pieces").replaceChildren(...drawing.pieces.map((piece, number) => {
    const remove = createElement("button", { type: "button", textContent: "✕", "aria-label": translate("make-remove", { piece: piece.name }) });
    remove.addEventListener("click", () => { drawing.pieces.splice(number, 1); drawAll(); byId("add").focus(); });
    return createElement("div", { className: "drawing", role: "group", "aria-label": translate("make-piece", { piece: piece.name }) },
      createElement("div", { className: "squares" }, ...pieceButtons(piece)),
      createElement("div", { className: "row" },
        textInput({ value: piece.name, maxLength: 4, "aria-label": translate("make-name"), "aria-describedby": `wrong-${number}` },
          (value) => { piece.name = value; }), "×",
        textInput({ type: "number", min: "1", max: "64", value: String(piece.copies), "aria-label": translate("make-copies") },
          (value) => { piece.copies = Number(value) || 1; }), remove),
      createElement("p", { className: "bad", id: `wrong-${number}` }));
  }));
}

/** @param {Drawn} piece */
const pieceButtons = (piece) => Array.from({ length: SIDE * SIDE }, (_, number) => {
  const cell = /** @type {Spot} */ ([Math.floor(number / SIDE), number % SIDE]);
  const isInside = () => piece.cells.some((each) => key(each) === key(cell));
  return cellButton(cell, isInside, () => {
    piece.cells = isInside() ? piece.cells.filter((each) => key(each) !== key(cell)) : [...piece.cells, cell];
  });
});

/** Store the drawing, and clear the result of another one. */
function onDrawingChange() {
  const cells = drawing.board.flat().filter((label) => label !== null).length;
  const area = drawing.pieces.reduce((sum, piece) => sum + piece.copies * piece.cells.length, 0);
  byId("area").textContent = `${translate("make-cells", { n: cells })} ${translate("make-squares", { n: area })}`;
  const wrong = complaints(drawing.pieces);
  wrong.forEach((text, number) => {
    byId(`wrong-${number}`).textContent = text;
    byId("pieces").children[number].querySelector("input")?.setAttribute("aria-invalid", String(Boolean(text)));
  });
  if (!wrong.some(Boolean)) inputById("text").value = formatDefinition(drawing);
  setPreference("drawing", JSON.stringify(drawing));
  clearResult();
}

function clearResult() {
  counting += 1;
  byId("result").replaceChildren();
  showMessage("");
}

function resize() {
  const [rows, columns] = ["rows", "columns"].map((id) => Math.min(16, Math.max(1, Math.trunc(Number(inputById(id).value)) || 1)));
  drawing.board = Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_unused, c) => (
    drawing.board[r]?.[c] === undefined ? "" : drawing.board[r][c])));
  drawAll();
}

function drawAll() {
  inputById("name").value = drawing.name;
  inputById("rows").value = String(drawing.board.length);
  inputById("columns").value = String(drawing.board[0].length);
  drawGrid();
  drawPieces();
  onDrawingChange();
}

async function countSolutions() {
  const wrong = complaints(drawing.pieces).findIndex(Boolean);
  byId("pieces").children[wrong]?.querySelector("input")?.focus();
  if (wrong >= 0) return;
  clearResult();
  const ticket = counting;
  showMessage(translate("counting"));
  try {
    const { id } = await post("/puzzles", { definition: inputById("text").value });
    const { rows, total } = await request(`/puzzles/${id}/counts?all_reveals=true`);
    if (ticket !== counting) return;
    showMessage(`${translate("make-solutions", { n: total })} ${translate("make-choices", { n: rows.length })}`, "good");
    byId("result").replaceChildren(
      createElement("a", { className: "pill", href: `./${addressOf(id, "")}`, textContent: translate("make-solve") }), createElement("ul", {},
        ...rows.slice(0, 400).map((/** @type {any} */ { reveal, tilings }) => createElement(
          "li", { textContent: translate("make-row", { reveal: reveal.join(" "), n: tilings }) }))));
  } catch (error) {
    if (ticket === counting) showMessage(/** @type {Error} */ (error).message, "bad");
  }
}

byId("name").addEventListener("input", () => { drawing.name = inputById("name").value; onDrawingChange(); });
byId("text").addEventListener("input", clearResult);
byId("typing").addEventListener("change", drawGrid);
for (const id of ["rows", "columns"]) byId(id).addEventListener("change", resize);
byId("add").addEventListener("click", () => {
  const name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => drawing.pieces.every((piece) => piece.name !== letter));
  drawing.pieces.push({ name: name ?? `A${drawing.pieces.length}`, copies: 1, cells: [[0, 0]] });
  drawAll();
});
byId("make").addEventListener("submit", (event) => { event.preventDefault(); countSolutions(); });
const showError = (/** @type {Error} */ error) => showMessage(error.message, "bad");
byId("from").addEventListener("change", () => inputById("from").value && request(`/puzzles/${inputById("from").value}`)
  .then((puzzle) => { drawing = drawingOf(puzzle); drawAll(); }).catch(showError));
translatePage();
drawAll();
byId("make").inert = false; // now the form can be submitted
request("/puzzles").then((found) => byId("from").append(
  ...found.map((/** @type {any} */ { id }) => createElement("option", { textContent: id })))).catch(showError);
