// The clock of a game: it runs while the page is seen and the day is not solved, and offers a check.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import "./sentences.mjs";

const elements = { clock: {}, "check-now": { hidden: false } };
Object.assign(globalThis, { window: globalThis, document: { documentElement: {}, getElementById: (id) => elements[id] } });
globalThis.localStorage = { getItem(name) { return this[name] ?? null; }, setItem(name, value) { this[name] = value; }, removeItem(name) { delete this[name]; } };
const { startClock } = await import("../../satcal/site/static/clock.js");
const { loadDay, setPreference, updateDay } = await import("../../satcal/site/static/storage.js");

test("a clock runs for who wants it, stands while nobody looks, and stops at the finish", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const game = { cursor: 1, isSolved: false, spots: new Map([[0, [0, 0]]]) };
  let [address, offered] = ["board/2025-10-06", ""];
  const wait = (seconds) => mock.timers.tick(1000 * seconds);
  startClock({ current: () => ({ address, game }), showStatus: (words) => { offered = words; } });
  wait(5);
  assert.equal(elements.clock.textContent, "");
  assert.equal(loadDay(address).seconds, 5);
  setPreference("clock", "yes");
  wait(59);
  assert.equal(elements.clock.textContent, "1:04");
  document.hidden = true;
  wait(600);
  document.hidden = false;
  assert.equal(elements.clock.textContent, "1:04");
  wait(115);
  assert.equal(offered, "");
  wait(1); // three minutes without a new piece
  assert.match(offered, /Check/);
  game.isSolved = true;
  wait(60);
  assert.equal(elements.clock.textContent, "3:00");
  [address, game.isSolved] = ["board/2025-10-07", false];
  updateDay(address, { seconds: 59 });
  wait(2);
  assert.equal(elements.clock.textContent, "1:00");
  updateDay(address, { solved: "2025-10-07" });
  wait(60);
  assert.equal(elements.clock.textContent, "1:00");
});
