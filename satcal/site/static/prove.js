// "Prove it": a certificate, or a count by SAT, as a job that one can watch and cancel.
import { follow, post, request } from "./api.js";
import { at, disable, element, field } from "./geometry.js";
import { count } from "./words.js";

/** @param {any} job */
function words({ state, kind, error, result, progress: { step, tilings } }) {
  if (state === "cancelled") return "Cancelled.";
  if (state === "failed") return error.detail;
  if (state === "queued") return "Waiting for its turn…";
  if (state !== "done") return step ? `${step}…` : tilings === undefined ? "Working…" : `${count(tilings, "tiling")} found so far…`;
  if (kind === "count") return `${count(result.rows[0].tilings, "tiling")} by SAT, each one verified, and no other.`;
  return `${count(result.tilings, "tiling")} and no other: the proof was replayed by ${result.checked_by.join(", ")}.`;
}

export class Prove {
  /** @param {() => import("./app.js").Current} current */
  constructor(current) {
    this.running = "";
    /** @type {[string, () => object][]} */
    const kinds = [["certify", () => ({ kind: "certificate", reveal: current().reveal })],
      ["recount", () => ({ kind: "count", method: "sat", reveals: [current().reveal] })]];
    for (const [id, wanted] of kinds) {
      at(id).addEventListener("click", () => this.#start("/jobs", { puzzle: current().name, ...wanted() }));
    }
    at("cancel").addEventListener("click", () => request(`/jobs/${this.running}`, { method: "DELETE" }).catch(() => {}));
    at("upload").addEventListener("change", () => {
      const file = field("upload").files?.[0];
      if (file) this.#start("/certificates", file);
      field("upload").value = "";
    });
  }

  /** Forgets what was said of another reveal. */
  open() {
    if (!this.running) this.#say("");
  }

  /** @param {string} textContent @param {string} className */
  #say(textContent, className = "") {
    Object.assign(at("proof"), { textContent, className });
    at("download").replaceChildren();
  }

  /** @param {any} job */
  #show(job) {
    const { done, total } = job.progress;
    const bar = /** @type {HTMLProgressElement} */ (at("bar"));
    if (total > 1) Object.assign(bar, { max: total, value: done });
    else bar.removeAttribute("value");
    this.#say(words(job), { failed: "bad", done: "good" }[/** @type {string} */ (job.state)]);
    if (job.file) at("download").append(element("a", { href: job.file, className: "button", textContent: "Download the certificate" }));
  }

  /** @param {string} job */
  #busy(job) {
    this.running = job;
    for (const id of ["certify", "recount"]) disable(id, Boolean(job));
    if (!job && document.activeElement === at("cancel")) at("certify").focus();
    for (const id of ["cancel", "bar"]) at(id).hidden = !job;
  }

  /** @param {string} path @param {object} asked */
  async #start(path, asked) {
    if (this.running) return;
    this.running = "asked for";
    this.#say("Asking…");
    try {
      const { id } = await post(path, asked);
      this.#busy(id);
      await follow(id, (job) => this.#show(job));
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, "bad");
    } finally {
      this.#busy("");
    }
  }
}
