// Choosing a board, a date, or labels.
import { at, element } from "./geometry.js";
import { labelInWords, say } from "./words.js";

/** @import { Puzzle } from "./types.js" */

/** Calls back when a value was chosen: not while it is being typed or walked through by arrows.
 * @param {HTMLInputElement | HTMLSelectElement} control @param {() => void} act */
export function chosen(control, act) {
  let typing = false;
  let before = control.value;
  const done = () => {
    typing = false;
    if (control.value === before || !control.checkValidity()) return;
    before = control.value;
    act();
  };
  control.addEventListener("focus", () => { before = control.value; });
  control.addEventListener("pointerdown", () => { typing = false; });
  control.addEventListener("keydown", (event) => {
    typing = /** @type {KeyboardEvent} */ (event).key !== "Enter";
    if (typing) return;
    event.preventDefault(); // or it would press what gets the focus
    done();
  });
  control.addEventListener("change", () => typing || done());
  control.addEventListener("blur", done);
}

/** What opens under the headline: a date, or a label of each group. @param {Puzzle} puzzle @param {string | null} date @param {string[]} reveal
 * @param {(when: string) => void} go */
export function picker(puzzle, date, reveal, go) {
  const box = at("picker");
  if (puzzle.calendar) {
    const input = element("input", { type: "date", id: "date", autocomplete: "off", min: "0001-01-01", max: "9999-12-31", required: true, value: date ?? "" });
    box.replaceChildren(element("label", { textContent: say("date-label"), htmlFor: "date" }), input);
    chosen(input, () => {
      const { value } = input;
      box.hidePopover();
      go(value);
    });
  } else {
    const selects = puzzle.categories.map(({ name, labels }) => element("select", { "aria-label": name, autocomplete: "off" },
      ...labels.map((label) => element("option", { value: label, textContent: labelInWords(label), selected: reveal.includes(label) }))));
    box.replaceChildren(...selects);
    for (const select of selects) chosen(select, () => go(selects.map((each) => each.value).join()));
  }
}

at("picker").addEventListener("toggle", (event) => {
  const opened = /** @type {ToggleEvent} */ (event).newState === "open";
  if (opened) /** @type {HTMLElement | null} */ (at("picker").querySelector("input, select"))?.focus();
});
