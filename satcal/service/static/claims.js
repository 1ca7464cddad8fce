// Published statements with their verdicts; they are examined by a job when nobody has asked yet.
import { get } from "./api.js";
import { element } from "./geometry.js";

const at = (id) => document.getElementById(id);
const MARKS = { confirmed: "✓", refuted: "✗", settled: "=", undecided: "?" };
let verdicts = [];

const line = (className, text) => element("p", { className, textContent: text });

function item(claim) {
  const made = element("li", { className: claim.verdict },
    line("verdict", `${MARKS[claim.verdict]} ${claim.verdict}`),
    line("", claim.statement),
    line("source", `${claim.source} (${claim.board})`));
  if (claim.verdict === "refuted") made.append(line("", `Claimed ${claim.claimed}; true is ${claim.truth}.`));
  if (claim.verdict === "settled") made.append(line("", `The fact: ${claim.truth}.`));
  if (claim.reason) made.append(line("source", claim.reason));
  return made;
}

function show() {
  const wanted = document.querySelector("#filter input:checked").value;
  const shown = verdicts.filter((claim) => !wanted || claim.verdict === wanted);
  at("claims").replaceChildren(...shown.map(item));
  const number = (name) => verdicts.filter((claim) => claim.verdict === name).length;
  at("state").textContent = `${verdicts.length} statements: ${Object.keys(MARKS).map((name) => `${number(name)} ${name}`).join(", ")}`;
}

async function load() {
  const found = await get("/claims");
  if (found.job.state === "done") {
    at("bar").hidden = true;
    verdicts = found.verdicts;
    show();
    return;
  }
  const { error, progress: { done = 0, total } } = found.job;
  at("bar").hidden = false;
  at("state").textContent = error ? error.detail : total ? `Examining: ${done} of ${total} statements` : "Examining the statements…";
  if (total) Object.assign(at("bar"), { max: total, value: done });
  if (!error) setTimeout(ask, 1000);
}

at("filter").addEventListener("change", show);
const ask = () => load().catch((error) => { at("state").textContent = error.message; });
ask();
