// A board that is made as a link, a file and a sheet of paper; and out of a file or a text.
import { drawBoard } from "./board-view.js";
import { MAX_LINK, packBoard, unpackBoard } from "./board-link.js";
import { drawingOf } from "./drawing.js";
import { UNIT, byId, createElement, createSvg, outline, sizeOf } from "./geometry.js";
import { addressOf, translate } from "./i18n.js";
import { download } from "./more.js";
import { describeFault, loadDrawing, loadKnown } from "./own-boards.js";
import { puzzleOf } from "./own-puzzle.js";
import { writePuzzleFile } from "./puzzle-definition.js";
import { MAX_FILE, readPuzzleFile } from "./puzzle-file.js";
import { createButton } from "./views.js";

/** @import { Editor } from "./types-page.js" @import { Definition } from "./puzzle-definition.js" */

const [WIDE, HIGH] = [186, 250]; // millimetres that A4 and Letter have
const LARGEST_CELL = 25; // millimetres

/** Share a link to the board, or copy it. @param {Editor} editor @param {HTMLElement} status */
export async function shareBoard(editor, status) {
  const definition = editor.definition();
  if (!definition) return;
  const packed = await packBoard(definition);
  if (packed.length > MAX_LINK) {
    status.textContent = translate("make-link-long");
    return;
  }
  const url = new URL(addressOf(`own=${packed}`, ""), location.href).href;
  const { share } = /** @type {{share?: Navigator["share"]}} */ (navigator);
  const shared = share ? share.call(navigator, { title: definition.title, url }) : navigator.clipboard?.writeText(url) ?? Promise.reject();
  await shared.then(() => { status.textContent = share ? "" : translate("share-copied"); }, () => { status.textContent = url; });
}

/** Return the section that reads and writes files. @param {Editor} editor */
export function createFiles(editor) {
  const status = createElement("p", { id: "make-file-status", role: "status" });
  const read = async (/** @type {() => Promise<Definition>} */ load) => {
    try {
      editor.replace(drawingOf(await load()));
      status.textContent = "";
    } catch (error) {
      status.textContent = describeFault(error);
      status.className = "bad";
    }
  };
  const file = createElement("input", { type: "file", id: "make-open", accept: ".toml,text/plain", onchange: () => {
    const chosen = file.files?.[0];
    if (chosen) read(async () => readPuzzleFile(await chosen.slice(0, MAX_FILE + 1).text(), chosen.name, loadKnown));
    file.value = "";
  } });
  const text = createElement("textarea", { id: "make-text", rows: 5, spellcheck: false, maxLength: MAX_FILE, "aria-label": translate("make-paste") });
  const take = createButton("make-take", () => read(() => {
    const [, packed] = /#own=([\w-]+)/.exec(text.value) ?? [];
    return packed ? unpackBoard(packed, loadKnown) : readPuzzleFile(text.value, "board", loadKnown);
  }));
  const whenDrawn = (/** @type {(definition: Definition) => void} */ act) => () => {
    const definition = editor.definition();
    if (definition) act(definition);
    else status.textContent = translate("make-not-yet");
  };
  const save = createButton("make-save", whenDrawn((definition) => download(new Blob([writePuzzleFile(definition)], { type: "application/toml" }), "my-board.toml")));
  const paper = createButton("make-print", whenDrawn(printToScale), "pill", translate("print"));
  return createElement("details", { className: "make-files" }, createElement("summary", { textContent: translate("make-files") }),
    createElement("div", { className: "row" }, save, createElement("label", { className: "pill" }, translate("make-open"), file), paper),
    createElement("label", { textContent: translate("make-paste"), htmlFor: "make-text" }), text, createElement("div", { className: "row" }, take), status);
}

/** Print board and pieces, true to scale: as many whole millimetres a cell as the paper has room for. @param {Definition} definition */
async function printToScale(definition) {
  const { puzzle } = puzzleOf(definition, "own-draft", await loadDrawing());
  const cell = Math.max(1, Math.floor(Math.min(LARGEST_CELL, WIDE / (puzzle.columns + 0.6), HIGH / (puzzle.rows + 0.6))));
  const size = (/** @type {SVGElement} */ drawn, /** @type {number} */ wide, /** @type {number} */ high) => {
    drawn.style.cssText = `position:static;width:${wide * cell}mm;height:${high * cell}mm;max-height:none;margin:0 auto;display:inline-block;break-inside:avoid`;
    return drawn;
  };
  const pieces = puzzle.pieces.flatMap(({ orientations: [shape], copies, name }) => Array.from({ length: copies }, () => {
    const [high, wide] = sizeOf(shape), [row, column] = shape[0];
    return size(createSvg("svg", { viewBox: `-1 -1 ${wide * UNIT + 2} ${high * UNIT + 2}` }, createSvg("path", { d: outline(shape), fill: "none", stroke: "#000", "stroke-width": 0.2 }),
      createSvg("text", { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT, "font-size": 3 }, document.createTextNode(name))), wide + 0.2, high + 0.2);
  }));
  const before = window.onbeforeprint;
  window.onbeforeprint = null; // what prints the game
  byId("paper").replaceChildren(createElement("h1", { textContent: puzzle.title }), createElement("p", { textContent: translate("make-scale", { n: cell }) }),
    createElement("p", {}, size(drawBoard(puzzle, []), puzzle.columns + 0.6, puzzle.rows + 0.6)), createElement("p", {}, ...pieces.flatMap((piece) => [piece, " "])));
  addEventListener("afterprint", () => { window.onbeforeprint = before; }, { once: true });
  print();
}
