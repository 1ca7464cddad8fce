// Three boards a day: a row of chips under the date, each with the rating that its board has on that date.
import { letterOf, revealOf } from "./engine.js";
import { byId, createElement } from "./geometry.js";
import { icon } from "./icons.js";
import { loadDay } from "./storage.js";
import { addressOf, parseDate, translate } from "./i18n.js";

/** @import { Library } from "./types.js" @import { Page } from "./types-page.js" */

const DAY = 86_400_000; // milliseconds

/** Return the boards of a date with the letters of their ratings, easiest first: one of each rating, and at most three. The
 * first board of the list is among them, the others take turns.
 * @param {Pick<Library, "puzzles" | "first">} library @param {string} date @returns {{name: string, title: string, letter: string}[]} */
export function chooseThree({ puzzles, first }, date) {
  const [year, month, day] = /** @type {[number, number, number]} */ (parseDate(date));
  const rated = puzzles.flatMap(({ name, title, rated: board }) => {
    const reveal = board && revealOf(board, year, month, day);
    const letter = reveal ? letterOf(board, reveal) : "";
    return letter ? [{ name, title, letter }] : [];
  });
  const own = rated.find(({ name }) => name === first)?.letter;
  const letters = [...new Set(rated.map(({ letter }) => letter))].sort();
  const dropped = letters.length > 3 ? letters[own === letters[1] ? 2 : 1] : ""; // of the two in the middle
  return letters.filter((letter) => letter !== dropped).map((letter) => {
    const among = rated.filter((each) => each.letter === letter);
    return among.find(({ name }) => name === first) ?? among[((Date.parse(date) / DAY) % among.length + among.length) % among.length];
  });
}

/** Show the three of the date, if it has more than one; return whether the board that is played is one of them. @param {Page} page */
export function showThree(page) {
  const { name, date, dateParam } = page.current();
  const three = date ? chooseThree(page.library(), date) : [];
  const root = byId("three"), hadFocus = root.contains(document.activeElement);
  root.hidden = three.length < 2;
  root.replaceChildren(...(root.hidden ? [] : three).map((each) => {
    const isSolved = Boolean(loadDay(`${each.name}/${date}`).solved), rating = translate(`difficulty-${each.letter}`);
    return createElement("a", { className: "chip", href: addressOf(each.name, dateParam), title: each.title, ...(each.name === name ? { "aria-current": "true" } : {}),
      "aria-label": [`${rating}: ${each.title}`, isSolved && translate("solved")].filter(Boolean).join(", ") }, ...(isSolved ? [icon("tick")] : []), createElement("span", { textContent: rating }));
  }));
  if (hadFocus) /** @type {HTMLElement | null} */ (root.querySelector("[aria-current]"))?.focus();
  return !root.hidden && three.some((each) => each.name === name);
}
