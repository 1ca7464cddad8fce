// The page's checker of certificates on the vectors of docs/reference/certificates.md: the good ones are
// accepted with their numbers, each bad one is refused.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { check } from "../../satcal/site/static/check.js";

const VECTORS = new URL("../../docs/vectors/", import.meta.url);
const bytesOf = (name) => new Uint8Array(readFileSync(new URL(name, VECTORS)));
const inflates = () => {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false; // Node before 20.12
  }
};
const skip = inflates() ? false : "this Node cannot read a raw deflate stream";

test("good certificates prove their numbers", { skip }, async () => {
  const proved = async (name) => (await check(bytesOf(`good-${name}.satcert`)))
    .map(({ reveals }) => reveals.map(({ labels, tilings }) => [labels.join(), tilings]));
  assert.deepEqual(await proved("three"), [[["a", 4n], ["b", 8n]]]);
  assert.deepEqual(await proved("dominoes"), [[["", 36n]]]);
  assert.deepEqual(await proved("several"), [[["a", 4n], ["b", 8n]], [["", 36n]], [["", 0n]]]);
  assert.deepEqual((await proved("limits")).flat().map(([, tilings]) => tilings), [1n, 1n, 0n, 0n, 1n]);
});

test("each bad certificate is refused", { skip }, async (its) => {
  const bad = readdirSync(VECTORS).filter((name) => name.startsWith("bad-"));
  assert.ok(bad.length > 70);
  for (const name of bad) await its.test(name, () => assert.rejects(check(bytesOf(name)), Error));
});
