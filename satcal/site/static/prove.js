// "Prove it again": a certificate, or a count by SAT, as a job of the server that one can watch and cancel.
import { follow, post, request } from "./api.js";
import { disable, element } from "./geometry.js";
import "./sentences-served.js";
import { list, say } from "./words.js";

/** @import { Page } from "./app.js" */

let running = ""; // one job at a time, whatever is looked at

/** @param {any} job */
function words({ state, kind, error, result, progress: { step, tilings } }) {
  if (state === "cancelled") return say("prove-cancelled");
  if (state === "failed") return error.detail;
  if (state === "queued") return say("prove-queued");
  if (state !== "done") return step ? say("prove-step", { step }) : tilings === undefined ? say("prove-working") : say("prove-sofar", { n: tilings });
  if (kind === "count") return say("prove-counted", { n: result.rows[0].tilings });
  const puzzle = result.puzzle ?? say("prove-puzzle", { digest: result.digest?.slice(0, 16) });
  return say("prove-proved", { n: result.tilings, checkers: list(result.checked_by), puzzle });
}

/** @param {HTMLElement} body @param {Page} page */
export function open(body, page) {
  const { name, reveal } = page.current();
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ act) => {
    const made = element("button", { type: "button", className: "pill", id, textContent: say(text) });
    made.addEventListener("click", act);
    return made;
  };
  const bar = element("progress", { id: "bar", hidden: true });
  const proof = element("p", { id: "proof", role: "status" });
  const file = element("p", { id: "download" });
  const upload = element("input", { type: "file", id: "upload", accept: ".satcert" });
  const cancel = button("cancel", "prove-cancel", () => request(`/jobs/${running}`, { method: "DELETE" }).catch(() => {}));
  cancel.hidden = true;
  const tell = (/** @type {string} */ textContent, className = "") => {
    Object.assign(proof, { textContent, className });
    file.replaceChildren();
  };
  const show = (/** @type {any} */ job) => {
    const { done, total } = job.progress;
    if (total > 1) Object.assign(bar, { max: total, value: done });
    else bar.removeAttribute("value");
    tell(words(job), { failed: "bad", done: "good" }[/** @type {string} */ (job.state)]);
    if (job.file) file.append(element("a", { href: job.file, className: "pill", textContent: say("prove-download") }));
  };
  const busy = (/** @type {string} */ job) => {
    running = job;
    for (const id of ["certify", "recount"]) if (document.getElementById(id)) disable(id, Boolean(job));
    for (const each of [cancel, bar]) each.hidden = !job;
  };
  const start = async (/** @type {string} */ path, /** @type {object} */ asked) => {
    if (running) return;
    running = "asked for";
    tell(say("prove-asking"));
    try {
      const { id } = await post(path, asked);
      busy(id);
      await follow(id, show);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, "bad");
    } finally {
      busy("");
    }
  };
  upload.addEventListener("change", () => {
    if (upload.files?.[0]) start("/certificates", upload.files[0]);
    upload.value = "";
  });
  body.append(element("h3", { textContent: say("prove-title") }), element("p", { className: "note", textContent: say("prove-note") }),
    element("div", { className: "row" },
      button("certify", "prove-certify", () => start("/jobs", { puzzle: name, kind: "certificate", reveal: reveal.join() })),
      button("recount", "prove-recount", () => start("/jobs", { puzzle: name, kind: "count", method: "sat", reveal: reveal.join() })),
      cancel, element("label", { className: "pill" }, say("prove-upload"), upload)), bar, proof, file);
}
