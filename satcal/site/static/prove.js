// "Prove it": a certificate, or a count by SAT, as a job that one can watch and cancel.
import { follow, post, request, upload } from "./api.js";
import { at, element } from "./geometry.js";
import { count } from "./words.js";

/** @param {any} job */
function step({ state, progress: { step: said, tilings, done, total } }) {
  const bar = /** @type {HTMLProgressElement} */ (at("bar"));
  if (total > 1) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute("value");
  if (state === "queued") return "Waiting for its turn…";
  if (said) return `${said}…`;
  return tilings === undefined ? "Working…" : `${count(tilings, "tiling")} found so far…`;
}

/** @param {any} job */
function result({ state, kind, error, result: found }) {
  if (state === "cancelled") return "Cancelled.";
  if (state === "failed") return error.detail;
  if (kind === "count") return `${count(found.rows[0].tilings, "tiling")} by SAT, each one verified, and no other.`;
  return `${count(found.tilings, "tiling")} and no other: the proof was replayed by ${found.checked_by.join(", ")}.`;
}

export class Prove {
  /** @param {() => import("./more.js").Current} current */
  constructor(current) {
    this.running = "";
    const asked = (/** @type {object} */ wanted) => post("/jobs", { puzzle: current().name, ...wanted });
    at("certify").addEventListener("click", () => this.#start(() => asked({ kind: "certificate", reveal: current().reveal })));
    at("recount").addEventListener("click", () => this.#start(() => asked({ kind: "count", method: "sat", reveals: [current().reveal] })));
    at("cancel").addEventListener("click", () => request(`/jobs/${this.running}`, { method: "DELETE" }).catch(() => {}));
    const input = /** @type {HTMLInputElement} */ (at("upload"));
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file) this.#start(() => upload("/certificates", file));
      input.value = "";
    });
  }

  /** Forgets what was said of another reveal. */
  open() {
    if (this.running) return;
    this.#say("");
    at("download").replaceChildren();
  }

  /** @param {string} text @param {string} className */
  #say(text, className = "") {
    Object.assign(at("proof"), { textContent: text, className });
  }

  /** @param {string} job */
  #busy(job) {
    this.running = job;
    for (const id of ["certify", "recount"]) at(id).setAttribute("aria-disabled", String(Boolean(job)));
    for (const id of ["cancel", "bar"]) at(id).hidden = !job;
  }

  /** @param {() => Promise<any>} asking */
  async #start(asking) {
    if (this.running) return;
    at("download").replaceChildren();
    this.#say("Asking…");
    try {
      const { id } = await asking();
      this.#busy(id);
      const job = await follow(id, (now) => this.#say(step(now)));
      this.#say(result(job), { failed: "bad", done: "good" }[/** @type {string} */ (job.state)]);
      if (job.file) {
        at("download").replaceChildren(element("a", {
          href: job.file, className: "button", id: "satcert", textContent: "Download the certificate" }));
      }
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, "bad");
    } finally {
      if (document.activeElement === at("cancel")) at("certify").focus();
      this.#busy("");
    }
  }
}
