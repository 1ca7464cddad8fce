// "Prove it": a certificate, or a count by SAT, as a job that one can watch and cancel.
import { cancel, follow, post, upload } from "./api.js";
import { element } from "./geometry.js";

export function prove(puzzle, count) {
  const at = (id) => document.getElementById(id);
  const say = (textContent, className = "") => Object.assign(at("proof"), { textContent, className });
  let running = null;

  function busy(job) {
    running = job;
    for (const id of ["certify", "recount", "upload"]) at(id).disabled = Boolean(job);
    for (const id of ["cancel", "bar"]) at(id).hidden = !job;
  }

  function step(job) {
    const { step: said, tilings, done, total } = job.progress;
    if (total > 1) Object.assign(at("bar"), { max: total, value: done });
    else at("bar").removeAttribute("value");
    if (job.state === "queued") return "Waiting for its turn…";
    if (said) return `${said}…`;
    return tilings === undefined ? "Working…" : `${count(tilings, "tiling")} found so far…`;
  }

  function finished(job) {
    busy(null);
    if (job.state === "cancelled") return "Cancelled.";
    if (job.state === "failed") return job.error.detail;
    if (job.kind === "count") {
      const [row] = job.result.rows;
      return `${count(row.tilings, "tiling")} by SAT, each one verified, and no other.`;
    }
    const by = job.result.checked_by.join(", ");
    return `${count(job.result.tilings, "tiling")} and no other: the proof was replayed by ${by}.`;
  }

  function watch(job) {
    busy(job);
    follow(job.id, (now) => {
      const over = ["done", "failed", "cancelled"].includes(now.state);
      say(over ? finished(now) : step(now), { failed: "bad", done: "good" }[now.state]);
      if (now.file) {
        at("download").replaceChildren(element("a", {
          href: now.file, className: "button", id: "satcert", textContent: "Download the certificate" }));
      }
    });
  }

  async function start(asking) {
    at("download").replaceChildren();
    say("Asking…");
    try {
      watch(await asking());
    } catch (error) {
      busy(null);
      say(error.message, "bad");
    }
  }

  at("certify").addEventListener("click", () => start(() => post("/jobs", { kind: "certificate", puzzle: puzzle.id, reveal: puzzle.reveal })));
  at("recount").addEventListener("click", () => start(() => post("/jobs", { kind: "count", puzzle: puzzle.id, method: "sat", reveals: [puzzle.reveal] })));
  at("cancel").addEventListener("click", () => cancel(running.id).catch(() => {}));
  at("upload").addEventListener("change", () => {
    const [file] = at("upload").files;
    if (file) start(() => upload("/certificates", file));
    at("upload").value = "";
  });
}
