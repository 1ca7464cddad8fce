// Published statements with their verdicts; they are examined by a job when nobody has asked yet.
import { request } from "./api.js";
import { at, element, field } from "./geometry.js";
import "./theme.js";

/** @typedef {Record<"verdict" | "statement" | "source" | "board" | "claimed" | "truth" | "reason", string>} Claim */
/** @type {Record<string, string>} */
const MARKS = { confirmed: "✓", refuted: "✗", settled: "=", undecided: "?" };
let verdicts = /** @type {Claim[]} */ ([]);

/** @param {Claim} claim */
function item({ verdict, statement, source, board, claimed, truth, reason }) {
  const facts = { refuted: `Claimed ${claimed}; true is ${truth}.`, settled: `The fact: ${truth}.` };
  const lines = [`${MARKS[verdict]} ${verdict}`, statement, `${source} (${board})`, Reflect.get(facts, verdict), reason];
  return element("li", { className: verdict }, ...lines.filter(Boolean).map((textContent) => element("p", { textContent })));
}

function show() {
  const wanted = field("filter").value;
  at("claims").replaceChildren(...verdicts.filter(({ verdict }) => wanted === "all" || verdict === wanted).map(item));
  const numbers = Object.keys(MARKS).map((name) => `${verdicts.filter(({ verdict }) => verdict === name).length} ${name}`);
  at("state").textContent = `${verdicts.length} statements: ${numbers.join(", ")}`;
}

async function load() {
  try {
    const { job: { state, error, progress: { done = 0, total } }, verdicts: found } = await request("/claims");
    verdicts = found ?? [];
    if (state === "done") show();
    else at("state").textContent = error ? error.detail : total ? `Examining: ${done} of ${total} statements…` : "Examining the statements…";
    if (state === "done" || error) return;
  } catch (error) {
    at("state").textContent = /** @type {Error} */ (error).message; // until the server is back
  }
  setTimeout(load, 1000);
}

at("filter").addEventListener("change", show);
load();
