// The page's modules that need no page: layout, rules, words and drawings.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import "./sentences.mjs";
import { WorkerClient, difficultyOf } from "../../satcal/site/static/engine.js";
import { Game, rotateBoard } from "../../satcal/site/static/game.js";
import { needsLightText, transformShape, outline, sizeOf } from "../../satcal/site/static/geometry.js";
import { exportGames, importGames } from "../../satcal/site/static/backup.js";
import { countStreak, lastMissed, summarize } from "../../satcal/site/static/days.js";
import { findAlike, formatResult, friendsOf, keepResult, parseResult } from "../../satcal/site/static/results.js";
import { read, shelf, updateDay, write } from "../../satcal/site/static/storage.js";
import { squareGrid } from "../../satcal/site/static/squares.js";
import { monthDays, resolveReveal } from "../../satcal/site/static/address.js";
import { calendarEntry } from "../../satcal/site/static/habit.js";
import { chooseThree } from "../../satcal/site/static/three.js";
import { computeLayout } from "../../satcal/site/static/layout.js";
import { SENTENCES, addSentences, formatLongDate, addDays, formatList, addressOf, parseDate, translate, describeShape, today, describeCells } from "../../satcal/site/static/i18n.js";

for (const part of ["more", "make", "served"]) await addSentences(part);

const L4 = [[[0, 0], [0, 1], [0, 2], [1, 0]]];
for (let turn = 0; turn < 3; turn += 1) L4.push(transformShape("turn", L4[turn]));
const ALL = [...L4, ...L4.map((shape) => transformShape("flip", shape))];
const PUZZLE = {
  name: "two-l4", title: "Two L4", source: "", rows: 2, columns: 4, labels: {}, categories: [], calendar: null,
  cells: Array.from({ length: 8 }, (_, number) => ({ row: Math.floor(number / 4), column: number % 4, label: null })),
  pieces: [{ name: "L4", copies: 2, colour: "#123456", orientations: ALL }],
};
const TILING = [{ piece: "L4", cells: [0, 1, 2, 4] }, { piece: "L4", cells: [3, 5, 6, 7] }];

test("a position is a few letters, the same on a board that lies on its side", () => {
  const game = new Game(PUZZLE, []);
  game.setPlacements(TILING);
  assert.deepEqual(game.placed, TILING);
  assert.ok(game.isSolved);
  const code = game.encode(true);
  assert.match(code, /^[\w-]{2,4}$/);
  for (const puzzle of [PUZZLE, rotateBoard(PUZZLE)]) {
    const other = new Game(puzzle, []);
    other.openCode(code);
    assert.deepEqual(other.placed, TILING);
    other.step(-1);
    assert.deepEqual(other.placed, []);
    other.step(1);
    assert.equal(other.encode(), game.encode());
  }
});

test("a failure to count is a sentence, and what did not load is loaded by the next question", async () => {
  globalThis.document = { documentElement: {}, baseURI: "https://example.org/" };
  globalThis.Worker = class {
    postMessage({ id, task }) { if (task === "unpack") queueMicrotask(() => this.onmessage({ data: { id, result: "unpacked" } })); }
  };
  const client = new WorkerClient(PUZZLE);
  await assert.rejects(client.loadWhole("data/x.bin"), { message: translate("no-connection") });
  globalThis.satcal.files["data/x.bin"] = "AAAA"; // the network is back
  assert.equal(await client.loadWhole("data/x.bin"), "unpacked");
  const answer = client.call("build");
  client.worker.onmessage({ data: { id: client.lastId, error: "damaged" } });
  await assert.rejects(answer, /^Error: The file with the solutions of Two L4 is damaged\.$/);
  const pending = client.call("ask");
  client.worker.onerror();
  for (const each of [pending, client.call("ask")]) await assert.rejects(each, { message: translate("counting-failed") });
  delete globalThis.document;
});

test("an address leads back to the board and the day of any name", () => {
  const address = addressOf("a b/c#d", "Jan,1/2", "list");
  assert.equal(address, "#list/a%20b%2Fc%23d/Jan,1%2F2");
});

test("nonsense is laid as far as it fits, and never twice", () => {
  const game = new Game(PUZZLE, []);
  for (const code of ["!", "zzzzzzzz", "--__", "0000", "0".repeat(99)]) {
    game.openCode(code);
    assert.ok(game.spots.size <= 1, code);
  }
});

test("a turn in the tray is no step, and the way back leaves it", () => {
  const game = new Game(PUZZLE, []);
  for (const how of ["turn", "turn", "flip"]) game.turn(0, how);
  for (const how of ["turn", "turn"]) game.turn(1, how);
  const turned = [...game.turned];
  assert.deepEqual([game.cursor, game.history.length], [0, 1]);
  game.cancel();
  game.pickUp(1);
  game.hoverOver([0, 3]);
  assert.ok(game.place());
  assert.equal(game.cursor, 1);
  game.turn(0, "turn");
  assert.equal(game.cursor, 1);
  const later = game.turned[0];
  game.step(-1);
  assert.deepEqual(game.turned, [later, turned[1]]);
  assert.equal(game.spots.size, 0);
  game.step(-1); // there is nothing before
  game.step(1);
  assert.deepEqual([game.turned, game.spots.size], [[later, turned[1]], 1]);
});

test("turns of a piece on the board are one step back", () => {
  const corner = (rows, columns) => ({ ...PUZZLE, rows, columns,
    cells: Array.from({ length: rows * columns }, (_, cell) => ({ row: Math.floor(cell / columns), column: cell % columns, label: null })) });
  const game = new Game(corner(4, 4), []);
  game.pickUp(0);
  game.hoverOver([1, 1]);
  assert.ok(game.place());
  const before = game.turned[0];
  for (const how of ["turn", "turn", "turn"]) game.turn(0, how);
  game.cancel();
  assert.equal(game.cursor, 2);
  assert.notEqual(game.turned[0], before);
  game.step(-1);
  assert.deepEqual([game.turned[0], game.spots.size], [before, 1]);
});

test("a piece covers the cell that was pointed at wherever it fits with any of its cells", () => {
  const game = new Game(PUZZLE, []);
  game.setPlacements(TILING.slice(0, 1));
  for (const how of ["turn", "turn"]) game.turn(1, how);
  for (const cell of [3, 5, 6, 7]) {
    game.pickUp(1, [1, 1]);
    game.hoverOver([Math.floor(cell / 4), cell % 4]);
    assert.deepEqual(game.hand.spot, [0, 1], `cell ${cell}`);
    game.stopHovering();
  }
  game.hoverOver([0, 0]); // another piece lies there
  assert.equal(game.hand.spot, null);
});

test("a piece that was turned into an overlap is not shown as if it fitted", () => {
  const game = new Game(PUZZLE, []);
  game.setPlacements(TILING);
  assert.deepEqual(game.stateOf(0), { spot: [0, 0], isHeld: false, fits: true });
  game.turn(0, "turn");
  assert.equal(game.stateOf(0).fits, false);
  game.stopHovering(); // the mouse moves on
  assert.deepEqual(game.stateOf(0), { spot: [0, 0], isHeld: true, fits: false });
  game.cancel();
  assert.equal(game.stateOf(0).fits, true);
});

test("a piece in the hand hovers where it fits, or comes back as it lay", () => {
  const game = new Game(PUZZLE, []);
  game.setPlacements(TILING.slice(0, 1));
  game.pickUp(1);
  game.hoverNear(0, 1.2);
  assert.equal(game.hand.spot, null); // not turned, it fits nowhere
  for (const how of ["turn", "turn"]) game.turn(1, how);
  game.hoverNear(0.3, 0.8);
  assert.deepEqual(game.hand.spot, [0, 1]);
  assert.ok(game.place());
  game.pickUp(0);
  game.turn(0, "flip");
  assert.ok(!game.handFits);
  assert.deepEqual(game.placed, TILING); // what is turned over is not yet laid so
  game.cancel();
  assert.deepEqual(game.placed, TILING);
});

test("every place is on the screen and none lies on another", () => {
  for (const [width, height] of [[382, 522], [312, 430], [780, 336], [1290, 590], [2540, 1300], [300, 200]]) {
    for (const [rows, columns] of [[8, 8], [3, 20], [20, 3], [7, 7]]) {
      const sides = [3, 5, 4, 4, 3, 3, 3, 3, 3, 3, 4, 3];
      const { unit, tray, board, places, height: used } = computeLayout(width, height, { rows, columns, sides });
      assert.ok(tray / unit >= 0.5 - 1e-9 && tray / unit <= 0.8 + 1e-9);
      if (unit === 14) continue; // the least: such a window scrolls
      const boxes = [[...board, columns * unit, rows * unit], ...places.map(([left, top, side]) => [left, top, side, side])]
        .map(([left, top, wide, high]) => [left, top, left + wide, top + high]);
      for (const [number, one] of boxes.entries()) {
        assert.ok(one[0] >= -0.01 && one[1] >= -0.01 && one[2] <= width + 0.01 && one[3] <= Math.max(used, height) + 0.01);
        for (const other of boxes.slice(0, number)) {
          assert.ok(one[0] >= other[2] || one[2] <= other[0] || one[1] >= other[3] || one[3] <= other[1]);
        }
      }
    }
  }
});

test("the board grows with the window, and no larger window has a smaller one", () => {
  assert.ok(computeLayout(2560, 1240, { rows: 7, columns: 7, sides: [3, 3, 3, 3, 4, 4, 4, 3] }).unit > 110);
  const boards = [[7, 7, [3, 3, 3, 3, 4, 4, 4, 3]], [8, 8, [3, 3, 3, 3, 3, 3, 4, 4, 4, 4]], [3, 20, Array(12).fill(4)], [8, 8, Array(13).fill(3)]];
  const widths = [312, 382, 500, 560, 768, 820, 1016, 1172, 1272, 1432, 1912, 2552];
  const heights = [240, 330, 430, 520, 600, 660, 740, 820, 980, 1200];
  for (const [rows, columns, sides] of boards) {
    const unit = (width, height) => computeLayout(width, height, { rows, columns, sides }).unit;
    widths.forEach((width, at) => heights.forEach((height, down) => {
      const here = unit(width, height);
      for (const [wider, higher] of [[widths[at + 1], height], [width, heights[down + 1]]]) {
        if (wider && higher) assert.ok(unit(wider, higher) >= here, `${rows} by ${columns}: ${width} by ${height}, ${wider} by ${higher}`);
      }
    }));
  }
});

test("the tray is one grid: full rows, and the last in the middle", () => {
  for (const pieces of [6, 7, 8, 9, 10, 11, 13]) {
    for (const [width, height] of [[1440, 760], [390, 500]]) {
      const { places } = computeLayout(width, height, { rows: 8, columns: 8, sides: Array.from({ length: pieces }, (_, piece) => 3 + (piece % 2)) });
      const points = places.map(([left, top, side]) => [left, top].map((corner) => Math.round(corner + side / 2)));
      const middles = [...new Set(points.map(([, y]) => y))].map((row) => points.flatMap(([x, y]) => (y === row ? [x] : [])));
      const full = middles.filter((row) => row.length === Math.max(...middles.map(({ length }) => length)));
      assert.ok(middles.length - full.length <= 1, `${pieces}: ${middles.map(({ length }) => length)}`);
      for (const row of full) assert.deepEqual([...row].sort(), [...full[0]].sort());
    }
  }
});

test("an entry for the calendar is every morning at 8, wherever that is", () => {
  const lines = calendarEntry("A, B; C", "https://example.org/#x", "2026-11-28").split("\r\n");
  assert.ok(lines.includes("DTSTART:20261128T080000") && lines.includes("RRULE:FREQ=DAILY"));
  assert.ok(lines.includes("SUMMARY:A\\, B\\; C"));
  assert.deepEqual([lines[0], ...lines.slice(-2)], ["BEGIN:VCALENDAR", "END:VCALENDAR", ""]);
});

test("a board of one month follows today and has a day for a heading", () => {
  const puzzle = { title: "Month", calendar: null, categories: [{ name: "day", labels: Array.from({ length: 31 }, (_, day) => String(day + 1)) }] };
  assert.deepEqual(resolveReveal(puzzle, ""), { date: null, reveal: [String(Number(today().slice(8)))] });
  assert.deepEqual(resolveReveal(puzzle, "28"), { date: null, reveal: ["28"] });
  assert.equal(monthDays({ categories: [{ name: "a", labels: ["1", "2"] }] }), null);
  assert.equal(translate("day-of-month", { day: "28" }), "Day 28");
});

test("neighbours in the squares of a text differ, and none is black", () => {
  for (const colour of ["#486eb6", "#5e796a"]) { // all pieces alike, so that only the neighbours decide
    const pieces = Array.from({ length: 9 }, (_, number) => ({ name: `P${number}`, copies: 1, colour, orientations: [[[0, 0]]] }));
    const cells = Array.from({ length: 9 }, (_, number) => ({ row: Math.floor(number / 3), column: number % 3, label: null }));
    const rows = squareGrid({ puzzle: { rows: 3, columns: 3, cells, pieces }, placed: pieces.map(({ name }, cell) => ({ piece: name, cells: [cell] })) }).map((row) => [...row]);
    assert.ok(!rows.flat().includes("⬛"));
    rows.forEach((row, r) => row.forEach((square, c) => assert.ok(square !== row[c + 1] && square !== rows[r + 1]?.[c])));
  }
});

test("letters are black or white, whichever has more contrast", () => { // as satcal.draw.theme.ink_on has them
  for (const colour of ["#000000", "#757575", "#ec0000", "#ec001b", "#008900", "#0000ff"]) assert.ok(needsLightText(colour), colour);
  for (const colour of ["#ffffff", "#767676", "#ed0000", "#ec001c", "#008a00", "#ffff00"]) assert.ok(!needsLightText(colour), colour);
});

test("outlines go around, and around holes", () => {
  assert.equal(outline([[0, 0]]), "M0 0L10 0L10 10L0 10Z");
  assert.equal(outline([[0, 0], [0, 1]]), "M0 0L20 0L20 10L0 10Z"); // corners only
  assert.equal(outline([[0, 0]], 0, 0.1), "M1 1L9 1L9 9L1 9Z");
  assert.equal(outline([[0, 0]], 0.1).split("Q").length, 5);
  const ring = [0, 1, 2].flatMap((r) => [0, 1, 2].map((c) => [r, c])).filter(([r, c]) => r !== 1 || c !== 1);
  assert.equal(outline(ring).split("Z").length, 3);
  assert.deepEqual(sizeOf(ring), [3, 3]);
});

test("what a board cannot leave uncovered is said in its words", () => {
  const board = { title: "Rhombus", calendar: { month: ["Jan"], day: ["1"] }, categories: [{ name: "month", labels: ["Jan"] }, { name: "day", labels: ["1", "2"] }] };
  for (const [when, words] of [["2025-02-30", "2025-02-30 is not a date."], ["2025-01-02", "Rhombus has no Thursday, 2 January 2025."],
    ["Jan", "Rhombus cannot leave Jan uncovered; choose one label of each kind: month and day."], ["Jan,1,2", "cannot leave Jan, 1 and 2 uncovered"]]) {
    assert.throws(() => resolveReveal(board, when), ({ message }) => message.includes(words), when);
  }
});

test("words are for people", () => {
  assert.equal(formatList([]), "");
  assert.equal(formatList(["Jan", "Feb", "3"]), "Jan, Feb and 3");
  assert.equal(describeCells(PUZZLE, [0, 4]), "row 1, column 1 and row 2, column 1");
  assert.equal(describeCells({ ...PUZZLE, cells: PUZZLE.cells.map((cell, at) => ({ ...cell, label: "abcdefgh"[at] })) }, [0, 3]), "a and d");
  assert.equal(translate("left", { left: 7n, all: 1092n }), "7 of 1,092 solutions left");
  assert.equal(translate("left", { left: 1n, all: 1n }), "1 of 1 solution left");
  assert.equal(formatLongDate("2025-10-06", true), "Monday, 6 October 2025");
  assert.equal(addDays("2024-02-28", 1), "2024-02-29");
  assert.equal(addDays("9999-12-31", 1), "9999-12-31");
  assert.equal(addDays("0001-01-01", -1), "0001-01-01");
  assert.equal(parseDate("2025-02-29"), null);
  assert.equal(today(new Date(2026, 0, 2, 23, 59)), "2026-01-02");
});

test("a piece is named by how it lies", () => {
  const drawn = [[0, 0], [0, 1], [0, 2], [1, 0]];
  assert.equal(describeShape(drawn, drawn), "2 by 3: row 1 columns 1, 2 and 3; row 2 column 1");
  assert.match(describeShape(transformShape("turn", drawn), drawn), /^3 by 2, turned: row 1 columns 1 and 2; /);
  assert.match(describeShape(transformShape("flip", drawn), drawn), /^2 by 3, turned over: /);
});

test("every sentence that the page says is in the table, and every one of the table is said", () => {
  const folder = new URL("../../satcal/site/static/", import.meta.url);
  const text = readdirSync(folder).filter((name) => /\.(js|html)$/.test(name)).map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const words = new Set([...text.matchAll(/["`]([a-z][a-z0-9-]*)["`]/g)].map((found) => found[1]));
  const made = /^(difficulty-[EFGH]|colour-|mark-|evidence-methods-\d|method-|prove-(cancel|certify|recount)|shown-(first|previous|next|last)|know-|theme-|claims-|fault-|make-(rows|columns)|make-(labels|dates|weekdays|month|empty|both|one|turned)$|.*-label$)/; // put together from parts
  assert.deepEqual(Object.keys(SENTENCES).filter((name) => !words.has(name) && !made.test(name)), []);
  const said = [...text.matchAll(/\btranslate\("([^"]+)"|data-(?:text|label)="([^"]+)"/g)].map((found) => found[1] ?? found[2]);
  assert.deepEqual(said.filter((name) => !(name in SENTENCES)), []);
});

test("what is kept is taken from a file, also games of labels with a slash", () => {
  globalThis.localStorage = { setItem(name, value) { this[name] = value; }, getItem(name) { return this[name] ?? null; }, removeItem(name) { delete this[name]; } };
  const kept = { "game board/A/B": "01", "game board/Mon,Jan,1": "-_~s", "game tetromino": "2",
    "shelf abc Oct,6": '[{"code":"a-","by":"me"}]', "day board/2025-01-01": '{"solved":"2025-01-01"}' };
  for (const wrong of [{ "<b>": "0" }, { "game x": "<b>" }, { "shelf a b": '[{"code":"a","by":"who"}]' }, { "day x": "[]" }, { "preference theme": "x" }]) {
    assert.equal(importGames(JSON.stringify({ kept: wrong })), 0, JSON.stringify(wrong));
  }
  assert.equal(importGames("not JSON"), 0);
  assert.equal(importGames(JSON.stringify({ kept })), 5);
  assert.deepEqual(exportGames(), kept);
  importGames(JSON.stringify({ kept: { "shelf abc Oct,6": '[{"code":"a-","by":"shown"},{"code":"b-","by":"shown"}]' } }));
  assert.deepEqual(shelf("abc", ["Oct", "6"]), [{ code: "a-", by: "me" }, { code: "b-", by: "shown" }]); // for good
});

test("a step of the way back says what the page helped with, until the board is empty", () => {
  const game = new Game(PUZZLE, []);
  game.setPlacements(TILING, "s");
  assert.equal(game.help, "s");
  assert.match(game.history[1], /~s$/);
  const { tilingCode } = game;
  game.remove(0);
  assert.equal(game.help, "s");
  game.setPlacements([]);
  assert.equal(game.help, "");
  game.setPlacements(TILING.toReversed());
  assert.equal(game.help, "");
  assert.equal(game.tilingCode, tilingCode); // equal tilings have equal codes
  game.step(-1);
  game.step(-1);
  assert.equal(game.help, "s");
});

test("how hard a day is, is the word of its reveal in the puzzle, and none where there is no such word", () => {
  const puzzle = { categories: [{ name: "month", labels: ["a", "b"] }, { name: "day", labels: ["1", "2"] }], difficulty: "1E1F1H1-" };
  const words = [["a", "1"], ["a", "2"], ["b", "1"], ["b", "2"], ["b", "3"]].map((reveal) => difficultyOf(puzzle, reveal));
  assert.deepEqual(words, ["Easy", "Fair", "Hard", "", ""]);
  assert.equal(difficultyOf({ ...puzzle, difficulty: "3E1F" }, ["b", "2"]), "Fair");
  assert.equal(difficultyOf({ ...puzzle, difficulty: "" }, ["a", "1"]), "");
});

test("three boards a day: one of each rating, the first board among them, the others by turns", () => {
  const board = (name, difficulty) => ({ name, title: name, dates: true, rated: difficulty && {
    categories: [{ name: "day", labels: Array.from({ length: 31 }, (_, day) => String(day + 1)) }],
    calendar: { day: Array.from({ length: 31 }, (_, day) => String(day + 1)) }, difficulty } });
  const puzzles = [board("hard", "31H"), board("one", "10E20F1-"), board("two", "31F"), board("three", "31F"), board("half", "31G"), board("box", null), board("own", "")];
  const three = (date, first = "one", list = puzzles) => chooseThree({ puzzles: list, first }, date).map(({ name, letter }) => `${name} ${letter}`);
  assert.deepEqual(three("2026-11-20"), ["one F", "half G", "hard H"]);
  assert.deepEqual(three("2026-11-05"), ["one E", "half G", "hard H"]); // of four, one of those in the middle is dropped
  assert.deepEqual(three("2026-11-05", "two"), ["one E", "two F", "hard H"]);
  assert.deepEqual(["2026-11-05", "2026-11-06", "0001-01-02"].map((date) => new Set([5, 6, 7].map((day) => three(date.slice(0, 8) + `0${day}`, "two").length)).size), [1, 1, 1]);
  const turns = (year) => [11, 12, 13, 14].map((day) => three(`${year}-11-${day}`, "half")[0]);
  for (const year of ["2026", "0001"]) assert.deepEqual(new Set(turns(year)), new Set(["one F", "two F", "three F"]));
  assert.deepEqual(three("2026-11-31".replace("31", "30"), "box", [board("box", null)]), []);
});

test("a result of a friend is a short code, bounded and clean whatever a forger writes", () => {
  const result = { seconds: 222, hints: 0, rank: 56n, digest: "18de", name: "Ada" };
  assert.equal(formatResult({ ...result, digest: "18de7a14" }), "66.0.1k.18de.Ada");
  assert.deepEqual(parseResult("66.0.1k.18de.Ada"), result);
  assert.deepEqual(parseResult(formatResult({ ...result, name: "a.b. c" }))?.name, "a.b. c");
  for (const wrong of ["", "66", "-1.0.1.18de", "66.0.1.18d", "66.0.1.18de7", "zzzzz.0.1.18de", "6.0.0X1.18de", `1.1.${"z".repeat(25)}.18de`, `1.1.1.18de.${"x".repeat(201)}`]) {
    assert.equal(parseResult(wrong), null, wrong);
  }
  const { rank, name, seconds } = parseResult(`zzzz.zz.${"z".repeat(24)}.ffff.<b>\u202e\u0000x\u2066 ${"👩‍💻".repeat(40)}`);
  assert.equal(rank, 36n ** 24n - 1n);
  assert.ok(seconds < 36 ** 4 && [...name].length <= 20 && !/[\p{C}]/u.test(name), name);
  assert.equal(formatResult({ ...result, seconds: 1e9, hints: 1e9, name: "" }), "zzzz.zz.1k.18de");
});

test("thousands of friends are kept as the last two hundred, each once, and shown the fastest first", () => {
  for (let n = 0; n < 3000; n += 1) keepResult("b/2026-11-28", `${(n + 36).toString(36)}.0.1.18de.${n}`);
  keepResult("b/2026-11-29", "1.0.1.18de");
  keepResult("b/2026-11-28", "11.0.1.18de.again");
  keepResult("b/2026-11-28", "10.0.1.beef.other board");
  keepResult("b/2026-11-28", "11.0.1.18de.again");
  assert.equal(JSON.parse(read("friends")).length, 200);
  const friends = friendsOf("b/2026-11-28", "18de7a14");
  assert.equal(friends.length, 24);
  assert.equal(friends[0].name, "again");
  assert.ok(friends.every(({ seconds }, at) => at === 0 || seconds >= friends[at - 1].seconds));
  write("friends", '[["b/2026-11-28", 1], 2]');
  assert.deepEqual(friendsOf("b/2026-11-28", "18de7a14"), []);
});

test("pieces lie alike if one's own tiling that has most of them has them", () => {
  const [one, two, three] = [0, 1, 2].map((cell) => ({ piece: "I", cells: [cell] }));
  assert.deepEqual(findAlike([one, two], [[one, three], [two, one], [three]]), [one, two]);
  assert.deepEqual(findAlike([one, two], [[three], [{ piece: "I", cells: [0] }]]), [one]);
  assert.deepEqual(findAlike([one], []), []);
});

test("days in a row count if each was solved on that day, and not by the page", () => {
  const solve = (date, more = {}) => updateDay(`board/${date}`, { solved: date, ...more });
  for (const date of ["2025-12-30", "2025-12-31", "2026-01-01"]) solve(date);
  solve("2026-01-03");
  assert.deepEqual(countStreak("2026-01-04"), { days: 1, best: 3 });
  assert.deepEqual(countStreak("2026-01-02"), { days: 3, best: 3 });
  updateDay("other/2026-01-02", { solved: "2026-01-03" });
  solve("2026-01-02", { helped: true });
  assert.deepEqual(countStreak("2026-01-04"), { days: 1, best: 3 });
  solve("2026-01-02", { helped: false });
  assert.deepEqual(countStreak("2026-01-04"), { days: 5, best: 5 });
});

test("days add up to statistics, and what was missed last is offered", () => {
  const days = new Map([["2026-11-20", { solved: "2026-11-20", seconds: 100, count: 2, all: "2" }], ["2026-11-22", { solved: "2026-11-25", seconds: 300 }],
    ["2026-11-24", { solved: "2026-11-24", seconds: "x" }], ["2026-11-26", { seconds: 9 }]]);
  assert.deepEqual(summarize(days), { solved: 3, complete: 1, median: 200 });
  assert.deepEqual(summarize(new Map()), { solved: 0, complete: 0, median: 0 });
  assert.equal(lastMissed(days, "2026-11-28"), "2026-11-27");
  assert.equal(lastMissed(days, "2026-11-25"), "2026-11-23");
  assert.equal(lastMissed(days, "2026-11-21"), null);
  assert.equal(lastMissed(new Map(), "2026-11-21"), null);
});
