// Published statements with their verdicts; they are examined by a job when nobody has asked yet.
import { request } from "./api.js";
import { at, element, field } from "./geometry.js";
import "./sentences-served.js";
import { list, say, spell } from "./words.js";

/** @typedef {Record<"verdict" | "statement" | "source" | "board" | "claimed" | "truth" | "reason", string>} Claim */
/** @type {Record<string, string>} */
const MARKS = { confirmed: "✓", refuted: "✗", settled: "=", undecided: "?" };
let verdicts = /** @type {Claim[]} */ ([]);

/** @param {Claim} claim */
function item({ verdict, statement, source, board, claimed, truth, reason }) {
  const facts = { refuted: say("claims-refuted-fact", { claimed, truth }), settled: say("claims-settled-fact", { truth }) };
  const lines = [`${MARKS[verdict]} ${say(`claims-${verdict}`)}`, statement, `${source} (${board})`, Reflect.get(facts, verdict), reason];
  return element("li", { className: verdict }, ...lines.filter(Boolean).map((textContent) => element("p", { textContent })));
}

function show() {
  const wanted = field("filter").value;
  at("claims").replaceChildren(...verdicts.filter(({ verdict }) => wanted === "all" || verdict === wanted).map(item));
  const numbers = Object.keys(MARKS).map((name) => `${verdicts.filter(({ verdict }) => verdict === name).length} ${say(`claims-${name}`)}`);
  at("state").textContent = say("claims-found", { n: verdicts.length, verdicts: list(numbers) });
}

async function load() {
  try {
    const { job: { state, error, progress: { done = 0, total } }, verdicts: found } = await request("/claims");
    verdicts = found ?? [];
    if (state === "done") show();
    else at("state").textContent = error ? error.detail : total ? say("claims-examined", { done, total }) : say("claims-examining");
    if (state === "done" || error) return;
  } catch (error) {
    at("state").textContent = /** @type {Error} */ (error).message; // until the server is back
  }
  setTimeout(load, 1000);
}

spell();
at("filter").append(...Object.keys(MARKS).map((value) => element("option", { value, textContent: say(`claims-${value}`) })));
at("filter").addEventListener("change", show);
load();
