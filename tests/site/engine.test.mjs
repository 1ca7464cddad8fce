// What the browser counts, compared with small puzzles that are solved here by trying everything.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./sentences.mjs";
import { expand, placements, problemOf, sliceOf, unpack } from "../../satcal/site/static/diagram.js";
import { answer, countReveals, TilingList } from "../../satcal/site/static/questions.js";
import { revealOf, allReveals } from "../../satcal/site/static/engine.js";

import { openOptions, trim } from "../../satcal/site/static/tilings.js";

// A rectangle of cells, drawn with labels, `*` and `.`, and pieces as lists of orientations.
function puzzleOf(board, categories, pieces) {
  const rows = board.map((row) => row.split(" "));
  const cells = rows.flatMap((row, r) => row.map((token, c) => ({ row: r, column: c, label: token })))
    .filter(({ label }) => label !== ".");
  const labels = {};
  cells.forEach((cell, number) => {
    if (cell.label === "*") cell.label = null;
    else (labels[cell.label] ??= []).push(number);
  });
  return {
    name: "small", title: "", source: "", rows: rows.length, columns: rows[0].length, cells, labels,
    order: cells.map((_, number) => number).sort((a, b) => cells[a].column - cells[b].column), // keeps rows
    categories, calendar: null, pieces: pieces.map((piece) => ({ copies: 1, colour: "", ...piece })),
  };
}

const DOMINO = [[[0, 0], [0, 1]], [[0, 0], [1, 0]]];
const CORNER = [[[0, 0], [0, 1], [1, 0]], [[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 0], [1, 1]],
  [[0, 1], [1, 0], [1, 1]]];
const CALENDAR = puzzleOf(
  ["Mon Jan 1 *", "Tue Feb 2 *", "* * 3 *", "* * * *"],
  [{ name: "weekday", labels: ["Mon", "Tue"] }, { name: "month", labels: ["Jan", "Feb"] },
    { name: "day", labels: ["1", "2", "3"] }],
  [{ name: "D", copies: 2, orientations: DOMINO }, { name: "V", copies: 3, orientations: CORNER }],
);

// All tilings of a reveal, each as a sorted text, by trying every placement on the first free cell.
function tilingsOf(puzzle, reveal, start = []) {
  const covered = new Set([...reveal.flatMap((label) => puzzle.labels[label]),
    ...start.flatMap(({ cells }) => cells)]);
  const left = Object.fromEntries(puzzle.pieces.map(({ name, copies }) =>
    [name, copies - start.filter(({ piece }) => piece === name).length]));
  const all = placements(puzzle), found = [];
  const fill = (chosen) => {
    const free = puzzle.cells.findIndex((_, cell) => !covered.has(cell));
    if (free < 0) found.push(written([...start, ...chosen]));
    for (const each of all) {
      if (!left[each.piece] || !each.cells.includes(free)) continue;
      if (each.cells.some((cell) => covered.has(cell))) continue;
      each.cells.forEach((cell) => covered.add(cell));
      left[each.piece] -= 1;
      fill([...chosen, each]);
      left[each.piece] += 1;
      each.cells.forEach((cell) => covered.delete(cell));
    }
  };
  fill([]);
  return found;
}

const written = (tiling) => tiling.map(({ piece, cells }) => `${piece}${cells}`).sort().join(" ");

function slice(puzzle, reveal) {
  const found = sliceOf(puzzle, reveal);
  return trim(found, openOptions(found, []));
}

const ask = (puzzle, reveal, placed, more = {}) =>
  answer(puzzle, slice(puzzle, reveal), { reveal, placed, ...more });

const movesOf = (puzzle, reveal, placed) => new TilingList(slice(puzzle, reveal), placed).moves();

test("every tiling of every reveal is counted and listed once", () => {
  for (const reveal of allReveals(CALENDAR)) {
    const known = tilingsOf(CALENDAR, reveal);
    const { count, tilings } = ask(CALENDAR, reveal, [], { want: "tilings", limit: 1000 });
    assert.equal(count, BigInt(known.length));
    assert.deepEqual(tilings.map(written).sort(), known.sort());
  }
});

test("with pieces placed only the tilings that contain them are left", () => {
  const reveal = ["Tue", "Feb", "2"], known = tilingsOf(CALENDAR, reveal);
  assert.ok(known.length > 2);
  for (const placed of placements(CALENDAR).map((each) => [each])) {
    if (placed[0].cells.some((cell) => reveal.includes(CALENDAR.cells[cell].label))) continue;
    const left = tilingsOf(CALENDAR, reveal, placed);
    assert.equal(ask(CALENDAR, reveal, placed).count, BigInt(left.length));
  }
});

test("the moves of a piece add up to its copies in all tilings", () => {
  const reveal = ["Mon", "Jan", "3"];
  const { count } = ask(CALENDAR, reveal, []);
  const moves = movesOf(CALENDAR, reveal, []);
  const sum = (name) => moves.filter(({ piece }) => piece === name)
    .reduce((total, move) => total + move.count, 0n);
  assert.equal(sum("D"), 2n * count);
  assert.equal(sum("V"), 3n * count);
  for (const { piece, cells, count: number } of moves) {
    assert.equal(ask(CALENDAR, reveal, [{ piece, cells }]).count, number);
  }
});

test("a hint looks at the cell that the fewest placements cover, until all are placed", () => {
  const reveal = ["Mon", "Jan", "1"], placed = [];
  for (let left = 5; left; left -= 1) {
    const { hint, cell } = ask(CALENDAR, reveal, placed, { want: "hint" });
    const covering = (number) => movesOf(CALENDAR, reveal, placed).filter(({ cells }) => cells.includes(number));
    assert.ok(CALENDAR.order.every((number) => !covering(number).length || covering(number).length >= covering(cell).length));
    assert.ok(covering(cell).every((move) => move.count <= hint.count));
    assert.ok(hint.cells.includes(cell));
    placed.push({ piece: hint.piece, cells: hint.cells });
  }
  const { count, hint } = ask(CALENDAR, reveal, placed, { want: "hint" });
  assert.equal(count, 1n);
  assert.equal(hint, null);
});

test("a tiling's rank is its place in the list", () => {
  const reveal = ["Mon", "Jan", "3"];
  const { tilings } = ask(CALENDAR, reveal, [], { want: "tilings", limit: 1000 });
  tilings.forEach((whole, number) => assert.equal(ask(CALENDAR, reveal, [], { want: "rank", whole }).rank, BigInt(number)));
});

test("ranks have an order", () => {
  const many = (one) => tilingsOf(CALENDAR, one).length;
  const reveal = allReveals(CALENDAR).sort((one, other) => many(other) - many(one))[0];
  const all = ask(CALENDAR, reveal, [], { want: "tilings", limit: 1000 }).tilings.map(written);
  const some = ask(CALENDAR, reveal, [], { want: "tilings", from: 1n, limit: 2 }).tilings;
  assert.deepEqual(some.map(written), all.slice(1, 3));
  assert.deepEqual(ask(CALENDAR, reveal, [], { want: "tilings", from: all.length }).tilings, []);
});

test("when nothing is left, what must go is said: one piece, or as few as possible", () => {
  const reveal = ["Mon", "Jan", "1"];
  const good = ask(CALENDAR, reveal, [], { want: "tilings" }).tilings[0];
  const wrong = placements(CALENDAR).filter(({ piece, cells }) => piece === "V"
    && !cells.some((cell) => [0, 1, 2].includes(cell) || good.slice(0, 2).some((d) => d.cells.includes(cell)))
    && !ask(CALENDAR, reveal, [...good.slice(0, 2), { piece, cells }]).count);
  assert.ok(wrong.length);
  for (const piece of wrong) {
    const { count, blame } = ask(CALENDAR, reveal, [...good.slice(0, 2), piece]);
    assert.equal(count, 0n);
    const own = blame.find(({ pieces }) => pieces.includes(piece));
    assert.equal(own.count, ask(CALENDAR, reveal, good.slice(0, 2)).count);
  }
  const strips = puzzleOf(["* * * * * *", "* * * * * *"], [],
    [{ name: "D", copies: 6, orientations: DOMINO }]);
  const upright = (column) => ({ piece: "D", cells: [column, column + 6] });
  const lying = (row, column) => ({ piece: "D", cells: [6 * row + column, 6 * row + column + 1] });
  const placed = [lying(0, 0), lying(1, 1), upright(4), lying(0, 2)];
  const { blame } = ask(strips, [], placed);
  assert.equal(blame.length, 1);
  assert.ok(blame[0].pieces.length >= 1 && blame[0].count > 0n);
});

test("counts beyond 2^53 are exact", () => {
  const strip = puzzleOf([Array(80).fill("*").join(" "), Array(80).fill("*").join(" ")], [],
    [{ name: "D", copies: 80, orientations: DOMINO }]);
  let [before, fibonacci] = [1n, 1n]; // of a strip of two rows and as many columns
  for (let column = 1; column < 80; column += 1) [before, fibonacci] = [fibonacci, before + fibonacci];
  assert.equal(ask(strip, [], []).count, fibonacci);
  assert.equal(movesOf(strip, [], []).reduce((sum, move) => sum + move.count, 0n), 80n * fibonacci);
  const last = ask(strip, [], [], { want: "tilings", from: fibonacci - 1n }).tilings;
  assert.equal(last[0].length, 80);
});

test("the reveals of a year are counted together, also with pieces placed", () => {
  const whole = expand(problemOf(CALENDAR, null), () => true);
  const placed = placements(CALENDAR).filter(({ cells }) => cells.every((cell) => !CALENDAR.cells[cell].label));
  for (const some of [[], [placed[0]], [placed.at(-1)]]) {
    const counts = countReveals(CALENDAR, whole, some);
    allReveals(CALENDAR).forEach((reveal, at) =>
      assert.equal(counts[at], BigInt(tilingsOf(CALENDAR, reveal, some).length), `${reveal} ${written(some)}`));
  }
});

test("a file that is too short or too long is not believed", () => {
  assert.throws(() => unpack(CALENDAR, new Uint8Array(3).fill(255)), /damaged/);
  assert.throws(() => unpack(CALENDAR, new Uint8Array(1 << 16)), /damaged/);
});

test("a puzzle without a tiling has an empty file and no tilings", () => {
  const none = puzzleOf(["* * *"], [], [{ name: "V", orientations: CORNER }]);
  assert.equal(unpack(none, new Uint8Array(0)).nodes, 0);
  assert.deepEqual(ask(none, [], []), { count: 0n, hint: null, tilings: [], blame: [] });
});

test("a date has the labels of its puzzle, or none", () => {
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const calendar = {
    weekday: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", ""], month: months,
    day: Array.from({ length: 31 }, (_, day) => `${day + 1}`),
  };
  const dated = { ...CALENDAR, calendar };
  assert.deepEqual(revealOf(dated, 2025, 10, 23), ["Thu", "Oct", "23"]);
  assert.deepEqual(revealOf(dated, 2024, 2, 29), ["Thu", "Feb", "29"]);
  assert.deepEqual(revealOf(dated, 99, 1, 1), ["Thu", "Jan", "1"]);
  for (const date of [[2025, 2, 29], [2025, 13, 1], [2025, 4, 31], [2025, 10, 26]]) {
    assert.equal(revealOf(dated, ...date), null, `${date}`);
  }
  assert.equal(revealOf(CALENDAR, 2025, 1, 1), null);
});
