// A board that is made as a link, a file and a sheet of paper; and out of a file or a text.
import { MAX_LINK, packBoard, unpackBoard } from "./board-link.js";
import { drawingOf } from "./drawing.js";
import { createElement } from "./geometry.js";
import { addressOf, translate } from "./i18n.js";
import { copy, download } from "./more.js";
import { describeFault, loadDrawing, loadKnown } from "./own-boards.js";
import { puzzleOf } from "./own-puzzle.js";
import { writePuzzleFile } from "./puzzle-definition.js";
import { MAX_FILE, readPuzzleFile } from "./puzzle-file.js";
import { fillPaper } from "./print.js";
import { createButton } from "./views.js";

/** @import { Editor } from "./types-page.js" @import { Definition } from "./puzzle-definition.js" */

/** Share a link to the board, or copy it. @param {Editor} editor @param {HTMLElement} status */
export async function shareBoard(editor, status) {
  const { definition } = editor;
  if (!definition) return;
  const packed = await packBoard(definition);
  if (packed.length > MAX_LINK) {
    status.textContent = translate("make-link-long");
    return;
  }
  const url = new URL(addressOf(`own=${packed}`, ""), location.href).href;
  if (navigator.share) await navigator.share({ title: definition.title, url }).catch(() => { status.textContent = url; });
  else await copy(url, status);
}

/** Return the section that reads and writes files. @param {Editor} editor */
export function createFiles(editor) {
  const status = createElement("p", { id: "make-file-status", role: "status" });
  const read = async (/** @type {() => Promise<Definition>} */ load) => {
    try {
      editor.change(drawingOf(await load()));
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
    const { definition } = editor;
    if (definition) act(definition);
    else status.textContent = translate("make-not-yet");
  };
  const save = createButton("make-save", whenDrawn((definition) => download(new Blob([writePuzzleFile(definition)], { type: "application/toml" }), "my-board.toml")));
  const paper = createButton("make-print", whenDrawn(printToScale), "pill", translate("print"));
  return createElement("details", { className: "make-files" }, createElement("summary", { textContent: translate("make-files") }),
    createElement("div", { className: "row" }, save, createElement("label", { className: "pill" }, translate("make-open"), file), paper),
    createElement("label", { textContent: translate("make-paste"), htmlFor: "make-text" }), text, createElement("div", { className: "row" }, take), status);
}

/** Print board and pieces on one sheet, true to scale. @param {Definition} definition */
async function printToScale(definition) {
  const { puzzle } = puzzleOf(definition, "own-draft", await loadDrawing());
  const before = window.onbeforeprint;
  window.onbeforeprint = null; // what prints the game
  fillPaper(puzzle, [], [], puzzle.title, (scale) => translate("make-scale", { n: scale }));
  addEventListener("afterprint", () => { window.onbeforeprint = before; }, { once: true });
  print();
}
