// What the page's checker says of the certificates of a folder, as JSON: name, verdict, digest, numbers, reason, lines.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [checker, folder] = process.argv.slice(2);
const { report } = await import(checker);
const rows = [];
for (const name of readdirSync(folder).filter((each) => each.endsWith(".satcert")).sort()) {
  const { verdict, reason, lines, proved } = await report(new Uint8Array(readFileSync(join(folder, name))));
  const numbers = (proved?.stated ?? []).map(({ labels, tilings }) => [labels, `${tilings}`]);
  rows.push([name, verdict, proved?.puzzle.digest ?? "", numbers, reason, lines]);
}
console.log(JSON.stringify(rows));
