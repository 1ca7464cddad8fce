// The status line and the count: shown at once, spoken when they have settled.
import { byId, createElement } from "./geometry.js";
import { joinSentences, translate } from "./i18n.js";

let shownMessage = { textContent: translate("start-soon"), className: "message" };
let isBrief = false;
let pending = ""; // what is spoken after the count
let [speechTimer, countTimer] = [0, 0];

/** Show a sentence until the next one. @param {string} textContent @param {string} [kind] */
export function showStatus(textContent, kind = "") {
  shownMessage = { textContent, className: `message ${kind}` };
  showBriefly();
}

/** Show a sentence until the next move brings the one before it back. @param {string} [textContent] @param {string} [kind] */
export function showBriefly(textContent = shownMessage.textContent, kind = "") {
  isBrief = textContent !== shownMessage.textContent;
  Object.assign(byId("message"), shownMessage, kind ? { className: `message ${kind}` } : {}, { textContent });
  pending = textContent;
  speak();
}

/** Bring the sentence before a brief one back. */
export const endBrief = () => isBrief && showBriefly();

/** Speak a text for those who cannot see the board. @param {string} text */
export function announce(text) {
  showBriefly();
  pending = text;
}

function speak() {
  clearTimeout(speechTimer);
  speechTimer = setTimeout(() => { byId("live").textContent = joinSentences([byId("count").textContent, pending]); }, 300);
}

/** Say nothing of a game that is not shown. */
export function beSilent() {
  clearTimeout(speechTimer);
  byId("live").textContent = "";
}

/** Clear the count of another position; a slow count is announced. */
export function clearCount() {
  delete byId("status").dataset.tilings;
  for (const id of ["count", "found"]) byId(id).textContent = "";
  clearTimeout(countTimer);
  countTimer = setTimeout(() => { Object.assign(byId("count"), { textContent: translate("counting"), className: "count" }); }, 150);
}

/** @param {string} text @param {string} [kind] @param {number} [found] solutions */
export function showCount(text, kind = "", found = 0) {
  const number = text.match(/^[\p{Nd}.,\u00a0\u202f]+/u)?.[0] ?? "";
  byId("count").className = `count ${kind}`;
  byId("count").replaceChildren(...(number ? [createElement("b", { textContent: number })] : []), text.slice(number.length));
  clearTimeout(countTimer);
  byId("found").textContent = found ? translate("found", { found }) : "";
  speak();
}
