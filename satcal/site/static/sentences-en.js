// Every sentence of the page, in English. Another language is another file like this one.
// {n} stands for a value; a sentence with forms is chosen by the plural of the value that `by` names.

/** @type {string} of Intl: months, days, numbers and plurals */
export const LOCALE = "en-GB";

/** @type {Record<string, string | ({by: string} & Record<string, string>)>} */
export const SENTENCES = {
  // dates
  "date": "{weekday}, {day}",
  "and": "{some} and {last}",
  "page-title": "{heading} · {puzzle} · satcal",
  "page-title-plain": "{puzzle} · satcal",

  // the table's tools
  "puzzle-label": "Puzzle",
  "calendars": "Calendars",
  "boxes": "Puzzle boxes",
  "before": "Previous day",
  "after": "Next day",
  "today": "Today",
  "pick": "{heading}: choose another",
  "date-label": "Go to a date",
  "undo": "Undo",
  "redo": "Redo",
  "turn": "Turn",
  "flip": "Flip",
  "hint": "Hint",
  "check-now": "Check",
  "year": "Year",
  "more": "More",
  "close": "Close",
  "tools": "Tools",
  "table": "Board and pieces",
  "keys": "Enter picks up the piece, the arrow keys move it, R turns it, F turns it over, Enter puts it down, Escape returns it, Delete takes it off.",

  // the line under the date
  "counting": "Counting…",
  "all-left": { by: "all", one: "{all} solution", other: "{all} solutions" },
  "left": { by: "all", one: "{left} of {all} solution left", other: "{left} of {all} solutions left" },
  "found": "{found} found",
  "no-solution": "There is no solution",
  "none-left": "No solution left",
  "none-left-blame": "No solution left: take back {pieces}",
  "none-left-count": { by: "left", one: "After that, {left} solution is left.", other: "After that, {left} solutions are left." },
  "solvable": "It can still be solved",
  "pieces-placed": { by: "all", one: "{placed} of {all} piece", other: "{placed} of {all} pieces" },
  "solved": "Solved",
  "clock": "{minutes}:{seconds}",
  "start": "Cover every cell but {labels}. Drag a piece; tap it to turn it.",
  "start-soon": "Cover every cell but the date. Drag a piece; tap it to turn it.",
  "start-plain": "Cover every cell. Drag a piece; tap it to turn it.",
  "covers": "{piece} covers {cells}.",
  "placed": "{piece} is placed.",
  "misfit": "It does not fit here.",
  "no-flip": "This piece may not be turned over.",
  "take-first": "Tap a piece first.",
  "nothing-to-undo": "There is nothing to undo.",
  "undo-brings-back": "Undo brings the pieces back.",

  // pieces and cells, for those who listen
  "shape-as-drawn": "{high} by {wide}",
  "shape-turned": "{high} by {wide}, turned",
  "shape-flipped": "{high} by {wide}, turned over",
  "shape-rows": "{lies}: {rows}",
  "shape-row": { by: "cells", one: "row {row} column {columns}", other: "row {row} columns {columns}" },
  "piece": "{piece}, {shape}",
  "piece-free": "{piece}; not placed",
  "piece-in-hand": "{piece}; in your hand",
  "piece-over": "{piece}; over {cells}",
  "piece-misfits": "{piece}; over {cells}, does not fit here",
  "piece-covers": "{piece}; covers {cells}",
  "cell-plain": "row {row}, column {column}",
  "free-cells": "Free cells",

  // addresses and failures
  "sorry-title": "That does not work",
  "sorry-today": "To today's puzzle",
  "bad-address": "There is nothing at this address.",
  "no-puzzle": "There is no puzzle “{name}” here.",
  "no-such-date": "{puzzle} has no {date}.",
  "no-such-day": "{date} is not a date.",
  "no-such-reveal": "{puzzle} cannot leave {labels} uncovered; choose one label of each kind: {categories}.",
  "no-such-reveal-plain": "{puzzle} cannot leave {labels} uncovered.",
  "no-connection": "There is no connection, and this was not saved for offline use.",
  "not-loaded": "{file} could not be loaded ({status}).",
  "too-large": "This board is too large to be counted here.",
  "damaged": "The file with the solutions of {name} is damaged.",
  "counting-failed": "Counting failed.",

  // how hard a day is
  "difficulty-E": "Easy", "difficulty-F": "Fair", "difficulty-H": "Hard",

  // a piece by its colour
  "the-piece": "the {colour} one", "the-piece-letter": "the {colour} one ({piece})",
  "colour-blue": "blue", "colour-red": "red", "colour-pink": "pink", "colour-ochre": "ochre", "colour-sky": "light blue", "colour-green": "green",
  "colour-yellow": "yellow", "colour-plum": "plum", "colour-mint": "mint", "colour-violet": "violet", "colour-white": "white", "colour-brown": "brown",
};
