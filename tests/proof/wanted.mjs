// What the page's checker prints for the owner of a puzzle: of a certificate, asked for its puzzle, then for another one, and
// of a file that is too large.
import { readFileSync } from "node:fs";

const [checker, path, digest] = process.argv.slice(2);
const { report } = await import(checker);
const bytes = new Uint8Array(readFileSync(path));
const reports = [
  await report(bytes, { digest, name: "mine" }),
  await report(bytes, { digest: "", name: "mine" }),
  await report({ length: 2 ** 28 + 1 }),
];
console.log(JSON.stringify(reports.map(({ lines }) => lines)));
