// "Prove it again": a certificate, or a count by SAT, as a job of the server that can be watched and cancelled.
import { follow, post, request } from "./api.js";
import { isOwn } from "./engine.js";
import { setDisabled, createElement } from "./geometry.js";
import { writePuzzleFile } from "./puzzle-definition.js";
import { createButton } from "./views.js";
import { formatList, translate } from "./i18n.js";

/** @import { Page } from "./types-page.js" */

let running = ""; // one job at a time, on any view

/** @param {any} job */
function describeJob({ state, kind, error, result }) {
  if (state === "cancelled") return translate("prove-cancelled");
  if (state === "failed") return error.detail;
  if (state === "queued") return translate("prove-queued");
  if (state !== "done") return translate("prove-working");
  if (kind === "count") return translate("prove-counted", { n: result.rows[0].tilings });
  const puzzle = result.puzzle ?? translate("prove-puzzle", { digest: result.digest?.slice(0, 32) });
  return translate("prove-proved", { n: result.proved[0].tilings, checkers: formatList(result.checked_by), puzzle });
}

/** @param {HTMLElement} body @param {Page} page @param {boolean} proved before */
export function open(body, page, proved) {
  const { name, reveal } = page.current();
  const button = (/** @type {string} */ id, /** @type {() => void} */ onClick) => createButton(id, onClick, "pill", translate(`prove-${id}`));
  const bar = createElement("progress", { id: "bar", hidden: true });
  const proof = createElement("p", { id: "proof", role: "status" });
  const file = createElement("p", { id: "download" });
  const cancel = button("cancel", () => request(`/jobs/${running}`, { method: "DELETE" }).catch(() => {}));
  cancel.hidden = true;
  const showMessage = (/** @type {string} */ textContent, className = "") => {
    Object.assign(proof, { textContent, className });
    file.replaceChildren();
  };
  const showJob = (/** @type {any} */ job) => {
    const { done, total } = job.progress;
    if (total > 1) Object.assign(bar, { max: total, value: done });
    else bar.removeAttribute("value");
    showMessage(describeJob(job), { failed: "bad", done: "good" }[/** @type {string} */ (job.state)]);
    if (job.file) file.append(createElement("a", { href: job.file, className: "pill", textContent: translate("prove-download") }));
  };
  const setRunning = (/** @type {string} */ job) => {
    running = job;
    for (const id of ["certify", "recount"]) if (document.getElementById(id)) setDisabled(id, Boolean(job));
    for (const each of [cancel, bar]) each.hidden = !job;
  };
  const startJob = async (/** @type {object} */ asked) => {
    if (running) return;
    running = "asked for";
    showMessage(translate("prove-asking"));
    try {
      const board = isOwn(name) ? (await post("/puzzles", { definition: writePuzzleFile(await (await import("./own-boards.js")).keptBoard(name)) })).id : name;
      const { id } = await post("/jobs", { puzzle: board, reveal: reveal.join(), ...asked });
      setRunning(id);
      await follow(id, showJob);
    } catch (error) {
      showMessage(/** @type {Error} */ (error).message, "bad");
    } finally {
      setRunning("");
    }
  };
  body.append(createElement("h3", { textContent: translate(proved ? "prove-title-again" : "prove-title") }), createElement("p", { className: "note", textContent: translate("prove-note") }),
    createElement("div", { className: "row" },
      button("certify", () => startJob({ kind: "certificate" })),
      button("recount", () => startJob({ kind: "count", method: "sat" })),
      cancel), bar, proof, file);
}
