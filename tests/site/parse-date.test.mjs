// Dates in addresses are read as the command line reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./sentences.mjs";
import { splitAddress, parseWrittenDate } from "../../satcal/site/static/parse-date.js";

const READ = {
  today: "2025-12-31",
  tomorrow: "2026-01-01",
  "Dec 25": "2025-12-25",
  "25 December 2025": "2025-12-25",
  "1st mar": "2025-03-01",
  "12-25": "2025-12-25",
  "12/25": "2025-12-25",
  "2024/12/25": "2024-12-25",
  "25.12.": "2025-12-25",
  "25.12.2024": "2024-12-25",
  "4-4": "2025-04-04",
  "Feb 29": "2028-02-29",
};
const REFUSED = ["3-4", "Oct", "2025", "Thu,Oct,23", "Feb 30", "12.25.", "Oct 6 7", "rhombus"];

test("a date in an address is the day that it names", () => {
  for (const [text, day] of Object.entries(READ)) assert.equal(parseWrittenDate(text, "2025-12-31"), day, text);
});

test("what names no day, or one of two, is none", () => {
  for (const text of REFUSED) assert.equal(parseWrittenDate(text, "2025-12-31"), "", text);
});

test("a date of an address may have slashes, before the pieces", () => {
  const here = { when: "2025-12-25", code: "" };
  for (const rest of [["12", "25"], ["25", "12"], ["2025", "12", "25"], ["12", "25", "2025"], ["12/25"], ["Dec 25"]]) {
    assert.deepEqual(splitAddress(rest, "2025-12-31"), here, `${rest}`);
    assert.deepEqual(splitAddress([...rest, "a-Z_01~s"], "2025-12-31"), { ...here, code: "a-Z_01~s" }, `${rest}`);
  }
  assert.deepEqual(splitAddress(["3", "4"], "2025-12-31"), { when: "3/4", code: "" }); // March or April
  assert.deepEqual(splitAddress(["A/B", "01"], "2025-12-31"), { when: "A/B", code: "01" });
  assert.deepEqual(splitAddress(["12"], "2025-12-31"), { when: "12", code: "" });
});
