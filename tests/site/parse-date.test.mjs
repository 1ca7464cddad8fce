// Dates in addresses; as texts: tests/shared.
import assert from "node:assert/strict";
import { test } from "node:test";
import { splitAddress } from "../../satcal/site/static/parse-date.js";

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
