// A board that is being drawn: its table, what its area lacks, and why a reveal has no tiling.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./sentences.mjs";
import { areaToCover, drawingOfPuzzle, startFrom, suggest, toTable } from "../../satcal/site/static/drawing.js";
import { packBoard } from "../../satcal/site/static/board-link.js";
import { digestOf } from "../../satcal/site/static/own-puzzle.js";
import { readDefinition } from "../../satcal/site/static/puzzle-definition.js";
import { sha256 } from "../../satcal/site/static/sha256.js";
import { freeForm } from "../../satcal/site/static/shapes.js";
import { explainNone, findSolvable } from "../../satcal/site/static/solvable.js";

const RANGES = "20-7E"; // the characters of these puzzles
const DOMINO = [[[0, 0], [0, 1]], [[0, 0], [1, 0]]];
const puzzleOf = (rows, categories) => {
  const cells = rows.flatMap((row, r) => row.split(" ").flatMap((label, column) => (label === "." ? [] : [{ row: r, column, label: label === "*" ? null : label }])));
  const labels = Object.fromEntries(categories.flatMap((each) => each.labels).map((label) => [label, cells.flatMap((cell, number) => (cell.label === label ? [number] : []))]));
  const copies = (cells.length - categories.length) / 2;
  return { name: "own-x", title: "x", rows: rows.length, columns: rows[0].split(" ").length, cells, labels, categories, calendar: null, difficulty: "",
    order: cells.map((_, number) => number), pieces: [{ name: "D", copies, orientations: DOMINO, colour: "#000000", tint: "blue" }] };
};

test("the templates are boards of dates, and what fills them is said", () => {
  assert.equal(areaToCover(toTable(startFrom("dates")), startFrom("dates").board), 41);
  assert.equal(areaToCover(toTable(startFrom("weekdays")), startFrom("weekdays").board), 47);
  assert.equal(areaToCover(toTable(startFrom("month")), startFrom("month").board), 34);
  assert.deepEqual(suggest(6), [[[1, 6]], [[2, 3]]]);
  assert.deepEqual(suggest(41), [[[7, 5], [1, 6]]]);
  for (let missing = 1; missing < 200; missing += 1) {
    for (const way of suggest(missing)) assert.ok(way.reduce((sum, [number, size]) => sum + number * size, 0) >= missing);
  }
});

test("a label keeps its category, whatever it says in English, and a new one gets that of its text", () => {
  const board = [["Mar", "Lun", "Oct", "Mars", "7", "new", "Mai"]];
  const drawing = { title: "", board, pieces: [], categories: { month: ["Mars", "Oct"], weekday: ["Lun", "Mar"] }, calendar: {} };
  assert.deepEqual(toTable(drawing, { month: ["Mai"] }).categories, { month: ["Mars", "Oct", "Mai"], weekday: ["Lun", "Mar"], day: ["7"], label: ["new"] });
});

test("a board of the library is drawn as it is, with the faces of its pieces", () => {
  const puzzle = puzzleOf(["A B *"], [{ name: "letter", labels: ["A", "B"] }]);
  const one = { name: "L", copies: 1, orientations: [[[0, 0], [0, 1], [0, 2], [1, 0]]] };
  const drawing = drawingOfPuzzle({ ...puzzle, pieces: [...puzzle.pieces, one] });
  assert.deepEqual(drawing.board, [["A", "B", ""]]);
  assert.deepEqual(drawing.pieces.map(({ flip }) => flip), [true, false]);
});

test("the board of a link is the library's where that has an equal one, else one's own", async () => {
  globalThis.satcal.files["drawing.json"] = { ranges: RANGES, colours: [["blue", "#123456"]], polyominoes: [] };
  globalThis.localStorage = { setItem() {} };
  const { openLink } = await import("../../satcal/site/static/own-boards.js");
  const table = { board: "A B *", categories: { letter: ["A", "B"] }, pieces: { D: { shape: "##" } } };
  const definition = readDefinition(table, "x", { ranges: RANGES, names: [] });
  const [link, digest] = [await packBoard(definition), digestOf(definition, RANGES).slice(0, 16)];
  assert.equal(await openLink(link, { puzzles: [{ name: "known", digest }] }), "known");
  assert.equal(await openLink(link, { puzzles: [{ name: "other", digest: digest.slice(1) }] }), `own-${digest}`);
  await assert.rejects(openLink("AAAA", { puzzles: [] }), /cannot be opened/);
});

test("a shape has one form, however it lies", () => {
  const form = freeForm([[0, 0], [0, 1], [0, 2], [1, 0]]);
  for (const cells of [[[0, 0], [1, 0], [1, 1], [1, 2]], [[3, 5], [4, 5], [5, 5], [5, 6]], [[0, 1], [1, 1], [2, 1], [2, 0]]]) assert.equal(freeForm(cells), form);
  assert.notEqual(freeForm([[0, 0], [0, 1], [0, 2], [1, 1]]), form);
});

test("a reveal without a tiling is explained by a cell or a region, if one explains it", () => {
  const found = (puzzle, reveals) => {
    const verdicts = [];
    findSolvable(puzzle, reveals, (number, isSolvable) => { verdicts[number] = isSolvable; });
    return verdicts;
  };
  const line = puzzleOf(["A B * * C"], [{ name: "letter", labels: ["A", "B", "C"] }]);
  assert.deepEqual(found(line, [["A"], ["B"], ["C"]]), [true, false, true]);
  assert.deepEqual(explainNone(line, ["B"]), [0]);
  const parts = puzzleOf(["* * * A * * B"], [{ name: "letter", labels: ["A", "B"] }]);
  assert.deepEqual(explainNone(parts, ["A"]), [0, 1, 2]);
  const chess = puzzleOf([". * * *", "* * * *", "* * * *", "* * * ."], []);
  assert.deepEqual(found(chess, [[]]), [false]);
  assert.equal(explainNone(chess, []), null);
});

test("the digest is SHA-256", async () => {
  for (const length of [0, 55, 56, 63, 64, 1000]) {
    const bytes = new Uint8Array(length).fill(97), known = await crypto.subtle.digest("SHA-256", bytes);
    assert.equal(sha256(bytes), Buffer.from(known).toString("hex"));
  }
});
