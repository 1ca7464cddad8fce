// Evidence for the count: proofs and methods, and the exact statement.
import { DATA, allReveals, fetchFile, fetchJson } from "./engine.js";
import { byId, createElement } from "./geometry.js";
import { createButton } from "./views.js";
import { formatList, translate } from "./i18n.js";

/** @import { Page } from "./app.js" */
/** @typedef {{theorem: boolean, methods: string[][], rows: number[] | null, trees?: string[]}} Evidence
 * of a puzzle: whether its rows are theorems, which methods counted each reveal, which have certificates */

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { puzzle, reveal, counter, name } = page.current();
  byId("sheet-title").textContent = translate("evidence");
  const { count: total } = await counter.ask({ reveal, placed: [] });
  /** @type {Evidence | null} */
  const evidence = await fetchJson(`${DATA}${name}.evidence.json`).catch(() => null);
  const row = allReveals(puzzle).findIndex((each) => each.join() === reveal.join());
  const methods = evidence ? evidence.methods[evidence.rows?.[row] ?? 0] : [];
  const letters = (/** @type {string} */ label) => [...new TextEncoder().encode(label)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const certificate = evidence?.trees?.includes(reveal.join()) ? `${DATA}${name}.trees/${reveal.map(letters).join("-")}.satcert` : "";
  const proved = Boolean(evidence?.theorem || certificate);
  const methodNames = formatList(methods.map((each) => translate(`method-${each}`)));
  const count = translate("evidence-tilings", { n: total });
  const paragraph = (/** @type {string} */ words, id = "") => createElement("p", { textContent: words, ...(id ? { id } : {}) });
  const revealOption = reveal.length ? ` --reveal ${reveal.join()}` : "";
  const lines = [
    paragraph(proved ? translate("evidence-proved", { count }) : translate("evidence-counted", { count, methods: translate(`evidence-methods-${methods.length}`, { methods: methodNames }) }), "evidence"), ...(evidence?.theorem ? [paragraph(translate("evidence-plain", { n: total }))] : [])];
  const exactly = [
    ...(evidence?.theorem ? [paragraph(translate("evidence-theorem"))] : []), ...(certificate ? [paragraph(translate("evidence-certificate"))] : []),
    paragraph(reveal.length ? translate("evidence-statement", { puzzle: puzzle.title, labels: formatList(reveal), n: total }) : translate("evidence-statement-plain", { puzzle: puzzle.title, n: total })),
    paragraph(translate("evidence-digest", { digest: puzzle.digest })), paragraph(translate("evidence-command")),
    createElement("p", {}, createElement("code", { textContent: `satcal certify ${name}${revealOption} -o proof.satcert && satcal check proof.satcert` }))];
  body.replaceChildren(...lines, createElement("details", {}, createElement("summary", { textContent: translate("evidence-more") }), ...exactly));
  body.append(certificate ? checkButton(page, certificate) : paragraph(translate("evidence-no-tree")));
  if (page.library().jobs) (await import("./prove.js")).open(body, page);
}

/** Return a button that checks a certificate, and the line of its result. @param {Page} page @param {string} file */
function checkButton(page, file) {
  const { puzzle, reveal } = page.current();
  const message = createElement("p", { id: "checked", role: "status" });
  const onClick = async () => {
    message.textContent = translate("evidence-checking");
    try {
      const { check } = await import("./check.js");
      const { stated, nodes } = await check(new Uint8Array(await (await fetchFile(file)).arrayBuffer()), puzzle.digest);
      const { tilings } = stated.find((each) => each.labels.join() === reveal.join()) ?? {};
      if (tilings === undefined) throw new Error("another statement");
      message.textContent = translate("evidence-checked", { n: tilings, steps: nodes });
    } catch (error) {
      message.textContent = translate("evidence-wrong", { reason: /** @type {Error} */ (error).message });
    }
  };
  return createElement("div", {}, createButton("check", onClick, "pill strong", translate("evidence-check")), message);
}
