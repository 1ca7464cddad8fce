// Reads puzzle files as the page does, and links to them; see test_puzzles.py.
import { readFileSync } from "node:fs";
import "../site/sentences.mjs";
import { namesOf } from "../../satcal/site/static/calendar.js";
import { writePuzzleFile } from "../../satcal/site/static/puzzle-definition.js";
import { expand, problemOf } from "../../satcal/site/static/diagram.js";
import { packBoard, unpackBoard } from "../../satcal/site/static/board-link.js";
import { normalForm, puzzleOf } from "../../satcal/site/static/own-puzzle.js";
import { readPuzzleFile } from "../../satcal/site/static/puzzle-file.js";
import { countReveals } from "../../satcal/site/static/questions.js";
import { Tilings } from "../../satcal/site/static/tilings.js";
import { buildWhole } from "../../satcal/site/static/whole.js";

const { files, counted, drawing, calendarNames } = JSON.parse(readFileSync(0, "utf8"));
const loadKnown = () => ({ ranges: drawing.ranges, names: namesOf(calendarNames) });

/** What the page says of a file: its fault, or the puzzle, and what a link and a written file make of it. */
async function verdict(text) {
  try {
    const definition = await readPuzzleFile(text, "puzzle.toml", loadKnown);
    const { puzzle } = puzzleOf(definition, "own", drawing);
    const link = await packBoard(definition);
    const linked = await unpackBoard(link, loadKnown);
    const again = await readPuzzleFile(writePuzzleFile(definition), "puzzle.toml", loadKnown);
    return { normal: normalForm(definition, drawing.ranges), puzzle, written: writePuzzleFile(definition), link: link.length, short: (await packBoard({ ...definition, designer: "", source: "" })).length,
      linked: [normalForm(linked, drawing.ranges), linked.title, linked.calendar], read: [normalForm(again, drawing.ranges), again.title, again.calendar] };
  } catch (error) {
    return error.kind ? { place: error.place, line: error.line, kind: error.kind } : { crash: error.stack };
  }
}

/** The counts of all reveals, by the diagram that the page builds. */
function counts(puzzle) {
  const whole = buildWhole(puzzle);
  if (!puzzle.categories.length) return [String(new Tilings(whole, []).count)];
  return countReveals(puzzle, whole, []).map(String);
}

const found = [];
for (const text of files) found.push(await verdict(text));
console.log(JSON.stringify({ found, counts: counted.map(counts) }));
