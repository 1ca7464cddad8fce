// Evidence for the count: proofs and methods, and the exact statement; and a check of certificates.
import { DATA, allReveals, fetchFile, fetchJson, isOwn } from "./engine.js";
import { byId, createElement } from "./geometry.js";
import { createButton } from "./views.js";
import { formatLabels, formatList, joinSentences, translate } from "./i18n.js";

/** @import { Page, Session } from "./types-page.js" */
/** @typedef {{theorem: boolean, methods: string[][], rows: number[] | null, trees?: string[]}} Evidence
 * of a puzzle: whether its rows are theorems, which methods counted each reveal, which have certificates */

const MAX_FILE = 2 ** 28; // bytes; of a larger certificate the check needs to know only that it is larger

/** @param {string} textContent @param {object} [values] */
const createParagraph = (textContent, values = {}) => createElement("p", { textContent, ...values });

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const session = page.current();
  const { puzzle, reveal, counter, name } = session;
  byId("sheet-title").textContent = translate("evidence");
  body.replaceChildren(createParagraph(translate("counting"), { role: "status" }));
  const { count: total } = await counter.ask({ reveal, placed: [] });
  let missing = ""; // why there is no evidence: without a network it may exist
  /** @type {Evidence | null} */
  const evidence = isOwn(name) ? null : await fetchJson(`${DATA}${name}.evidence.json`).catch((error) => {
    missing = navigator.onLine ? "" : error.message;
    return null;
  });
  const row = allReveals(puzzle).findIndex((each) => each.join() === reveal.join());
  const methods = evidence ? evidence.methods[evidence.rows?.[row] ?? 0] : [];
  const letters = (/** @type {string} */ label) => [...new TextEncoder().encode(label)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const certificate = evidence?.trees?.includes(reveal.join()) ? `${DATA}${name}.trees/${reveal.map(letters).join("-")}.satcert` : "";
  const proved = Boolean(evidence?.theorem || certificate);
  const methodNames = formatList(methods.map((each) => translate(`method-${each}`)));
  const count = translate("evidence-tilings", { n: total });
  const revealOption = reveal.length ? ` --reveal ${reveal.join()}` : "";
  const counted = missing ? joinSentences([count, missing]) : translate("evidence-counted", { count, methods: translate(`evidence-methods-${methods.length}`, { methods: methodNames }) });
  const lines = [
    createParagraph(proved ? translate("evidence-proved", { count }) : counted, { id: "evidence" }),
    ...(evidence?.theorem ? [createParagraph(translate("evidence-plain", { n: total }))] : [])];
  const exactly = [
    ...(evidence?.theorem ? [createParagraph(translate("evidence-theorem"))] : []), ...(certificate ? [createParagraph(translate("evidence-certificate"))] : []),
    createParagraph(reveal.length ? translate("evidence-statement", { puzzle: puzzle.title, labels: formatList(reveal), n: total }) : translate("evidence-statement-plain", { puzzle: puzzle.title, n: total })),
    createParagraph(translate("evidence-digest", { digest: puzzle.digest })), createParagraph(translate("evidence-command")),
    createElement("p", {}, createElement("code", { textContent: `satcal certify ${isOwn(name) ? "my-board.toml" : name}${revealOption} -o proof.satcert && satcal check proof.satcert` }))];
  body.replaceChildren(...lines, createElement("details", {}, createElement("summary", { textContent: translate("evidence-more") }), ...exactly));
  const { jobs } = page.library();
  if (!certificate && !jobs && !missing) body.append(createParagraph(translate("evidence-no-tree")));
  body.append(...createCheck(session, certificate));
  if (jobs) (await import("./prove.js")).open(body, page, proved);
}

/** Return a button that checks the certificate of the edition, one for a file of the reader, and the report.
 * @param {Session} session @param {string} certificate its address, or "" */
function createCheck(session, certificate) {
  const message = createElement("p", { id: "checked", role: "status" });
  const report = createElement("pre", { id: "report", tabIndex: 0, hidden: true, dir: "ltr", translate: false });
  const check = async (/** @type {() => Promise<ArrayBuffer>} */ read) => {
    message.textContent = translate("evidence-checking");
    report.hidden = true;
    try {
      const { words, lines } = await checkFor(session, new Uint8Array(await read()));
      message.textContent = words;
      report.textContent = lines.join("\n");
      report.hidden = false;
    } catch (error) {
      message.textContent = /** @type {Error} */ (error).message;
    }
  };
  const upload = createElement("input", { type: "file", id: "upload", accept: ".satcert", onchange: () => {
    const file = upload.files?.[0]?.slice(0, MAX_FILE + 1);
    if (file) check(() => file.arrayBuffer());
    upload.value = "";
  } });
  const own = createButton("check", () => check(async () => (await fetchFile(certificate)).arrayBuffer()), "pill strong", translate("evidence-check"));
  own.hidden = !certificate;
  return [createElement("div", { className: "row" }, own, createElement("label", { className: "pill" }, translate("evidence-file"), upload)), message, report];
}

/** Check a certificate; return what it means for what is played, and the lines of its report.
 * @param {Session} session @param {Uint8Array} bytes @returns {Promise<{words: string, lines: string[]}>} */
async function checkFor({ puzzle, reveal, name }, bytes) {
  const { report } = await import("./check.js");
  // an own board may be the word of a stranger, as a file is: it is drawn
  let found = await report(bytes, isOwn(name) ? undefined : { digest: puzzle.digest, name });
  if (found.verdict === "refused") found = await report(bytes); // it may be true of another puzzle
  const { lines, proved } = found;
  if (!proved) return { words: "", lines };
  if (proved.puzzle.digest !== puzzle.digest) return { words: translate("evidence-other-puzzle"), lines };
  const { tilings } = proved.stated.find((each) => each.labels.join() === reveal.join()) ?? {};
  if (tilings === undefined) return { words: translate("evidence-other-date", { labels: formatLabels(puzzle, reveal) }), lines };
  return { words: translate("evidence-checked", { n: tilings, steps: proved.nodes }), lines };
}
