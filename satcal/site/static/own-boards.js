// Boards of one's own, which stay in this browser: each is a text of localStorage, as a link has it, by its digest.
import { namesOf, needNames } from "./calendar.js";
import { packBoard, unpackBoard } from "./board-link.js";
import { fetchJson } from "./engine.js";
import { digestOf, puzzleOf } from "./own-puzzle.js";
import { Fault } from "./puzzle-definition.js";
import { KINDS, isBoard, parseJson, read, write } from "./storage.js";
import { addSentences, translate } from "./i18n.js";

await addSentences("make");

/** @import { Definition, Known } from "./puzzle-definition.js" @import { Library, Puzzle } from "./types.js" */
/** @typedef {{ranges: string, colours: [string, string][], polyominoes: Record<string, [number, number][]>[]}} Drawing the characters of puzzles,
 * the colours of pieces by name, and the polyominoes of one to six squares */

const MAX_STORED = 64 * 1024; // characters

/** @type {Promise<Drawing> | undefined} */
let drawing;
/** @returns {Promise<Drawing>} */
export const loadDrawing = () => (drawing ??= fetchJson("drawing.json"));

/** Return what reading a table needs; the names of other languages are loaded only for labels in one.
 * @param {Record<string, any>} table @returns {Promise<Known>} */
export async function loadKnown(table) {
  const { ranges } = await loadDrawing();
  const isForeign = typeof table.categories === "object" && table.categories !== null && needNames(table.categories);
  return { ranges, names: namesOf(isForeign ? await fetchJson("calendar-names.json") : []) };
}

/** Return the sentence for a fault, with its place. @param {unknown} error */
export function describeFault(error) {
  if (!(error instanceof Fault)) return /** @type {Error} */ (error).message;
  const { kind, place, line, values } = error;
  const why = translate(`fault-${kind}`, values);
  return line ? translate("fault-at", { line, place, why }) : `${place}: ${why}`;
}

/** Keep a board; return its name, or that of the board of the library that is equal. @param {Definition} definition @param {Library} library */
export async function keepBoard(definition, library) {
  const { ranges } = await loadDrawing(), digest = digestOf(definition, ranges).slice(0, 16);
  const known = library.puzzles.find((each) => each.digest === digest);
  if (known) return known.name;
  write(`${KINDS.BOARD}own-${digest}`, JSON.stringify({ title: definition.title || definition.name, packed: await packBoard(definition) }));
  return `own-${digest}`;
}

/** Return the definition of a board that is kept here. @param {string} name @returns {Promise<Definition>} */
export async function keptBoard(name) {
  const { packed } = parseJson(read(KINDS.BOARD + name), isBoard, { title: "", packed: "" });
  if (!packed) throw new Error(translate("own-missing"));
  return unpackBoard(packed, loadKnown, MAX_STORED);
}

/** Return a board that is kept here as the page plays it. @param {string} name @returns {Promise<Puzzle>} */
export async function openOwn(name) {
  return puzzleOf(await keptBoard(name), name, await loadDrawing()).puzzle;
}

/** Keep the board of a link; return its name. @param {string} packed @param {Library} library */
export async function openLink(packed, library) {
  try {
    return await keepBoard(await unpackBoard(packed, loadKnown), library);
  } catch (error) {
    throw new Error(translate("own-bad-link", { why: describeFault(error) }));
  }
}

/** Return the part of an address that holds a board, wherever it is opened. @param {string} name */
export const linkName = async (name) => `own=${await packBoard(await keptBoard(name))}`;

