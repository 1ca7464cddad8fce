// Choosing a board, a date or labels.
import { byId, createElement } from "./geometry.js";
import { formatLabel, translate } from "./i18n.js";

/** @import { Puzzle } from "./types.js" */

/** Call back when a value was chosen, but not while it is typed or the arrow keys pass it.
 * @param {HTMLInputElement | HTMLSelectElement} control @param {() => void} choose */
export function onChoice(control, choose) {
  let isTyping = false;
  let committed = control.value;
  const commit = () => {
    isTyping = false;
    if (control.value === committed || !control.checkValidity()) return;
    committed = control.value;
    choose();
  };
  control.addEventListener("focus", () => { committed = control.value; });
  control.addEventListener("pointerdown", () => { isTyping = false; });
  control.addEventListener("keydown", (event) => {
    isTyping = /** @type {KeyboardEvent} */ (event).key !== "Enter";
    if (isTyping) return;
    event.preventDefault(); // else it would press the button that gets the focus
    commit();
  });
  control.addEventListener("change", () => isTyping || commit());
  control.addEventListener("blur", commit);
}

/** Fill what opens under the headline: a date, or a label of each category. @param {Puzzle} puzzle @param {string | null} date @param {string[]} reveal
 * @param {(when: string) => void} navigate */
export function fillPicker(puzzle, date, reveal, navigate) {
  const box = byId("picker");
  if (puzzle.calendar) {
    const input = createElement("input", { type: "date", id: "date", autocomplete: "off", min: "0001-01-01", max: "9999-12-31", required: true, value: date ?? "" });
    box.replaceChildren(createElement("label", { textContent: translate("date-label"), htmlFor: "date" }), input);
    onChoice(input, () => {
      const { value } = input;
      box.hidePopover();
      navigate(value);
    });
  } else {
    const selects = puzzle.categories.map(({ name, labels }) => createElement("select", { "aria-label": name, autocomplete: "off" },
      ...labels.map((label) => createElement("option", { value: label, textContent: formatLabel(puzzle, label), selected: reveal.includes(label) }))));
    box.replaceChildren(...selects);
    for (const select of selects) onChoice(select, () => navigate(selects.map((each) => each.value).join()));
  }
}

byId("picker").addEventListener("toggle", (event) => {
  const opened = /** @type {ToggleEvent} */ (event).newState === "open";
  if (opened) /** @type {HTMLElement | null} */ (byId("picker").querySelector("input, select"))?.focus();
});
