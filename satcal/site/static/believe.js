// Why believe the count: what stands behind it, and the statement itself.
import { fetched, load, reveals } from "./engine.js";
import { at, element } from "./geometry.js";
import "./more-sentences.js";
import { list, say } from "./words.js";

/** @import { Page } from "./app.js" */
/** @typedef {{theorem: boolean, methods: string[][], rows: number[] | null, trees?: string[]}} Belief
 * of a puzzle: whether its rows are theorems, which methods counted each reveal, which have certificates */

const DATA = "data/";

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { puzzle, reveal, counter, name } = page.current();
  at("sheet-title").textContent = say("believe");
  const { count: n } = await counter.ask({ reveal, placed: [] });
  /** @type {Belief | null} */
  const belief = await load(`${DATA}${name}.belief.json`).catch(() => null);
  const row = reveals(puzzle).findIndex((each) => each.join() === reveal.join());
  const methods = belief ? belief.methods[belief.rows?.[row] ?? 0] : [];
  const letters = (/** @type {string} */ label) => [...new TextEncoder().encode(label)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const tree = belief?.trees?.includes(reveal.join()) ? `${DATA}${name}.trees/${reveal.map(letters).join("-")}.satcert` : "";
  const proved = Boolean(belief?.theorem || tree);
  const said = list(methods.map((each) => say(`method-${each}`)));
  const count = say("believe-tilings", { n });
  const text = (/** @type {string} */ words, id = "") => element("p", { textContent: words, ...(id ? { id } : {}) });
  const asked = reveal.length ? ` --reveal ${reveal.join()}` : "";
  const lines = [
    text(proved ? say("believe-proved", { count }) : say("believe-counted", { count, methods: say(`believe-methods-${methods.length}`, { methods: said }) }), "belief"), ...(belief?.theorem ? [text(say("believe-plain", { n }))] : [])];
  const exactly = [
    ...(belief?.theorem ? [text(say("believe-theorem"))] : []), ...(tree ? [text(say("believe-certificate"))] : []),
    text(reveal.length ? say("believe-statement", { puzzle: puzzle.title, labels: list(reveal), n }) : say("believe-statement-plain", { puzzle: puzzle.title, n })),
    text(say("believe-digest", { digest: puzzle.digest })), text(say("believe-command")),
    element("p", {}, element("code", { textContent: `satcal certify ${name}${asked} -o proof.satcert && satcal check proof.satcert` }))];
  body.replaceChildren(...lines, element("details", {}, element("summary", { textContent: say("believe-more") }), ...exactly));
  body.append(tree ? checking(page, tree) : text(say("believe-no-tree")));
  if (page.library().jobs) (await import("./prove.js")).open(body, page);
}

/** The certificate is checked here when asked. @param {Page} page @param {string} file */
function checking(page, file) {
  const { puzzle, reveal } = page.current();
  const said = element("p", { id: "checked", role: "status" });
  const button = element("button", { type: "button", className: "pill strong", id: "check", textContent: say("believe-check") });
  button.addEventListener("click", async () => {
    said.textContent = say("believe-checking");
    try {
      const { check } = await import("./check.js");
      const { stated, nodes } = await check(new Uint8Array(await (await fetched(file)).arrayBuffer()), puzzle.digest);
      const { tilings } = stated.find((each) => each.labels.join() === reveal.join()) ?? {};
      if (tilings === undefined) throw new Error("another statement");
      said.textContent = say("believe-checked", { n: tilings, steps: nodes });
    } catch (error) {
      said.textContent = say("believe-wrong", { reason: /** @type {Error} */ (error).message });
    }
  });
  return element("div", {}, button, said);
}
