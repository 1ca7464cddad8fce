// What the page says: a line and a count that are shown at once, and spoken when they have settled.
import { at, element } from "./geometry.js";
import { say } from "./words.js";

let line = { textContent: say("start-soon"), className: "said" };
let pending = ""; // what is spoken after the count
let [speaking, waiting] = [0, 0];

/** Shows a sentence until another one takes its place. @param {string} textContent @param {string} [kind] */
export function status(textContent, kind = "") {
  line = { textContent, className: `said ${kind}` };
  remark();
}

/** Shows a sentence for a moment: until the next move the one that stood there is back. @param {string} [textContent] */
export function remark(textContent = line.textContent) {
  Object.assign(at("said"), line, { textContent });
  pending = textContent;
  speak();
}

/** Speaks what everyone else sees. @param {string} text */
export function announce(text) {
  remark();
  pending = text;
}

function speak() {
  clearTimeout(speaking);
  const ended = (/** @type {string | null} */ text) => (text && !/[.!?…。]$/.test(text) ? `${text}.` : text);
  speaking = setTimeout(() => { at("live").textContent = [at("count").textContent, pending].map(ended).filter(Boolean).join(" "); }, 300);
}

/** What was said of another position is gone at once; a count that takes its time is announced. */
export function awaitCount() {
  delete at("status").dataset.tilings;
  for (const id of ["count", "found"]) at(id).textContent = "";
  clearTimeout(waiting);
  waiting = setTimeout(() => { Object.assign(at("count"), { textContent: say("counting"), className: "count" }); }, 150);
}

/** @param {string} text @param {string} [kind] @param {number} [found] solutions */
export function showCount(text, kind = "", found = 0) {
  const bold = text.match(/^[\p{Nd}.,\u00a0\u202f]+/u)?.[0] ?? "";
  at("count").className = `count ${kind}`;
  at("count").replaceChildren(...(bold ? [element("b", { textContent: bold })] : []), text.slice(bold.length));
  clearTimeout(waiting);
  at("found").textContent = found ? say("found", { found }) : "";
  speak();
}
