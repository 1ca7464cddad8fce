// What the page's checker says of the certificates of a folder, as JSON: name, verdict, digest, numbers.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, checker] = process.argv.slice(2);
const { check, NotChecked } = await import(checker);
const rows = [];
for (const name of readdirSync(folder).filter((each) => each.endsWith(".satcert")).sort()) {
  try {
    const { puzzle, stated } = await check(new Uint8Array(readFileSync(join(folder, name))));
    rows.push([name, "accepted", puzzle.digest, stated.map(({ labels, tilings }) => [labels, `${tilings}`])]);
  } catch (error) {
    rows.push([name, error instanceof NotChecked ? "not checked" : "refused", "", []]);
  }
}
console.log(JSON.stringify(rows));
