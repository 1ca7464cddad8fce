// Published statements with their verdicts; they are examined by a job when nobody has asked yet.
import { request } from "./api.js";
import { at, element } from "./geometry.js";

/** @typedef {{verdict: string, statement: string, source: string, board: string, claimed: string,
 *   truth: string, reason: string | null}} Claim */
/** @type {Record<string, string>} */
const MARKS = { confirmed: "✓", refuted: "✗", settled: "=", undecided: "?" };
/** @type {Claim[]} */
let verdicts = [];

/** @param {Claim} claim */
function item({ verdict, statement, source, board, claimed, truth, reason }) {
  const line = (/** @type {string} */ textContent, className = "") => element("p", { className, textContent });
  const made = element("li", { className: verdict },
    line(`${MARKS[verdict]} ${verdict}`, "verdict"), line(statement), line(`${source} (${board})`, "note"));
  if (verdict === "refuted") made.append(line(`Claimed ${claimed}; true is ${truth}.`));
  if (verdict === "settled") made.append(line(`The fact: ${truth}.`));
  if (reason) made.append(line(reason, "note"));
  return made;
}

function show() {
  const wanted = /** @type {HTMLInputElement} */ (document.querySelector("#filter input:checked")).value;
  at("claims").replaceChildren(...verdicts.filter((claim) => !wanted || claim.verdict === wanted).map(item));
  const number = (/** @type {string} */ name) => verdicts.filter((claim) => claim.verdict === name).length;
  at("state").textContent = `${verdicts.length} statements: ${Object.keys(MARKS).map((name) => `${number(name)} ${name}`).join(", ")}`;
}

async function load() {
  try {
    const found = await request("/claims");
    const { state, error, progress: { done = 0, total } } = found.job;
    at("bar").hidden = state === "done" || Boolean(error);
    if (state === "done") {
      verdicts = found.verdicts;
      show();
      return;
    }
    at("state").textContent = error ? error.detail : total ? `Examining: ${done} of ${total} statements` : "Examining the statements…";
    if (total) Object.assign(at("bar"), { max: total, value: done });
    if (error) return;
  } catch (error) {
    at("state").textContent = /** @type {Error} */ (error).message; // until the server is back
  }
  setTimeout(load, 1000);
}

at("filter").addEventListener("change", show);
load();
