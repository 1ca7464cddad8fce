// Published statements with their verdicts, which a job examines at the first request.
import { request } from "./api.js";
import { byId, createElement } from "./geometry.js";
import { formatList, translate, translatePage } from "./i18n.js";

/** @typedef {Record<"verdict" | "statement" | "source" | "board" | "claimed" | "truth" | "reason", string>} Claim */
/** @type {Record<string, string>} */
const MARKS = { confirmed: "✓", refuted: "✗", settled: "=", undecided: "?" };
let verdicts = /** @type {Claim[]} */ ([]);
let shown = "all";

/** @param {Claim} claim */
function claimItem({ verdict, statement, source, board, claimed, truth, reason }) {
  const facts = { refuted: translate("claims-refuted-fact", { claimed, truth }), settled: translate("claims-settled-fact", { truth }) };
  const lines = [`${MARKS[verdict]} ${translate(`claims-${verdict}`)}`, statement, `${source} (${board})`, Reflect.get(facts, verdict), reason];
  return createElement("li", { className: verdict }, ...lines.filter(Boolean).map((textContent) => createElement("p", { textContent })));
}

function showClaims() {
  byId("claims").replaceChildren(...verdicts.filter(({ verdict }) => shown === "all" || verdict === shown).map(claimItem));
  for (const chip of byId("filter").querySelectorAll("button")) chip.ariaPressed = String(chip.value === shown);
  const numbers = Object.keys(MARKS).map((name) => `${verdicts.filter(({ verdict }) => verdict === name).length} ${translate(`claims-${name}`)}`);
  byId("state").textContent = translate("claims-found", { n: verdicts.length, verdicts: formatList(numbers) });
}

/** @param {string} value */
function chip(value) {
  const button = createElement("button", { type: "button", className: "pill", value, textContent: translate(`claims-${value}`) });
  button.addEventListener("click", () => {
    shown = value;
    showClaims();
  });
  return button;
}

async function loadClaims() {
  try {
    const { state, error, result } = await request("/claims");
    verdicts = result?.verdicts ?? [];
    if (state === "done") showClaims();
    else byId("state").textContent = error ? error.detail : translate("claims-examining");
    if (state === "done" || error) return;
  } catch (error) {
    byId("state").textContent = /** @type {Error} */ (error).message; // until the server is back
  }
  setTimeout(loadClaims, 1000);
}

translatePage();
byId("filter").append(...["all", ...Object.keys(MARKS)].map(chip));
loadClaims();
