// One's own board: click cells, type labels, draw pieces, count.
import { count, get, post } from "./api.js";
import { SIDE, drawingOf, write } from "./definition.js";
import { element, key } from "./geometry.js";

const at = (id) => document.getElementById(id);
let drawing = {
  name: "mine",
  board: [["A", "B", "C", "D"], ["", "", "", ""], ["", "", "", ""]],
  pieces: [
    { name: "L", copies: 1, cells: [[0, 0], [1, 0], [2, 0], [2, 1]] },
    { name: "T", copies: 1, cells: [[0, 0], [0, 1], [0, 2], [1, 1]] },
    { name: "I", copies: 1, cells: [[0, 0], [0, 1], [0, 2]] },
  ],
};

const labels = () => document.querySelector("[name=mode]:checked").value === "labels";

const say = (textContent, className = "") => Object.assign(at("said"), { textContent, className });

function grid() {
  const columns = drawing.board[0].length;
  at("grid").style.gridTemplateColumns = `repeat(${columns}, minmax(2.4rem, 3.2rem))`;
  at("grid").replaceChildren(...drawing.board.flatMap((row, r) => row.map((label, c) => {
    const where = `Row ${r}, column ${c}`;
    if (labels() && label !== null) {
      const input = element("input", { value: label, maxLength: 32, className: "in", "aria-label": where });
      input.addEventListener("input", () => {
        drawing.board[r][c] = input.value.trim();
        changed();
      });
      return input;
    }
    const button = element("button", {
      type: "button", textContent: label ?? "", className: label === null ? "out" : "in", disabled: labels(),
      "aria-label": `${where}: ${label === null ? "no cell" : label || "a cell"}`, "aria-pressed": String(label !== null) });
    button.addEventListener("click", () => {
      drawing.board[r][c] = drawing.board[r][c] === null ? "" : null;
      grid();
      at("grid").children[r * columns + c].focus();
      changed();
    });
    return button;
  })));
}

function pieces() {
  at("pieces").replaceChildren(...drawing.pieces.map((piece, number) => element(
    "div", { className: "drawing", role: "group", "aria-label": `Piece ${piece.name}` },
    squares(piece), fields(piece, number))));
}

function squares(piece) {
  const field = element("div", { className: "squares" });
  for (let number = 0; number < SIDE * SIDE; number += 1) {
    const cell = [Math.floor(number / SIDE), number % SIDE];
    const inside = () => piece.cells.some((each) => key(each) === key(cell));
    const button = element("button", {
      type: "button", "aria-label": `Square ${cell[0]}, ${cell[1]} of ${piece.name}`, "aria-pressed": String(inside()) });
    button.addEventListener("click", () => {
      piece.cells = inside() ? piece.cells.filter((each) => key(each) !== key(cell)) : [...piece.cells, cell];
      button.setAttribute("aria-pressed", String(inside()));
      changed();
    });
    field.append(button);
  }
  return field;
}

function fields(piece, number) {
  const name = element("input", { value: piece.name, maxLength: 4, "aria-label": "Name of the piece" });
  name.addEventListener("input", () => { piece.name = name.value; changed(); });
  const copies = element("input", {
    type: "number", min: 1, max: 64, value: piece.copies, "aria-label": `Copies of ${piece.name}` });
  copies.addEventListener("input", () => { piece.copies = Number(copies.value) || 1; changed(); });
  const remove = element("button", {
    type: "button", textContent: "✕", "aria-label": `Remove the piece ${piece.name}` });
  remove.addEventListener("click", () => { drawing.pieces.splice(number, 1); pieces(); changed(); });
  return element("div", { className: "row" }, name, "×", copies, remove);
}

function changed() {
  const cells = drawing.board.flat().filter((label) => label !== null).length;
  const squaresOf = drawing.pieces.reduce((sum, piece) => sum + piece.copies * piece.cells.length, 0);
  at("area").textContent = `${count(cells, "cell")} on the board, ${count(squaresOf, "square")} in the pieces.`;
  at("text").value = drawing.pieces.every((piece) => piece.cells.length) ? write(drawing) : "";
}

function resize() {
  const [rows, columns] = ["rows", "columns"].map((id) => Math.min(16, Math.max(1, Number(at(id).value) || 1)));
  drawing.board = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_unused, c) => {
      const before = drawing.board[r]?.[c];
      return before === undefined ? "" : before;
    }));
  grid();
  changed();
}

function all() {
  at("name").value = drawing.name;
  at("rows").value = drawing.board.length;
  at("columns").value = drawing.board[0].length;
  grid();
  pieces();
  changed();
}

async function solve(event) {
  event.preventDefault();
  say("Counting…");
  at("result").replaceChildren();
  at("count").disabled = true;
  try {
    const puzzle = await post("/puzzles", { definition: at("text").value });
    const found = await get(`/puzzles/${puzzle.id}/counts`, [["all_reveals", "true"]]);
    say(`${count(found.total, "tiling")} of ${count(found.rows.length, "reveal")}.`, "good");
    at("result").append(element("a", { className: "button", href: `/puzzles/${puzzle.id}`, textContent: "Solve it" }));
    if (found.rows.length > 1) at("result").append(table(found.rows));
  } catch (error) {
    say(error.message, "bad");
  } finally {
    at("count").disabled = false;
  }
}

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

at("name").addEventListener("input", () => { drawing.name = at("name").value; changed(); });
for (const id of ["rows", "columns"]) at(id).addEventListener("change", resize);
for (const radio of document.querySelectorAll("[name=mode]")) radio.addEventListener("change", grid);
at("add").addEventListener("click", () => {
  const used = new Set(drawing.pieces.map((piece) => piece.name));
  const name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.has(letter)) ?? "A1";
  drawing.pieces.push({ name, copies: 1, cells: [[0, 0]] });
  pieces();
  changed();
});
at("from").addEventListener("change", async () => {
  if (!at("from").value) return;
  try {
    drawing = drawingOf(await get(`/puzzles/${at("from").value}`));
    all();
  } catch (error) {
    say(error.message, "bad");
  }
});
at("make").addEventListener("submit", solve);
all();
