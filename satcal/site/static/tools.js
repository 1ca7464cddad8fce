// The buttons under the table.
import { showBriefly, showStatus } from "./announcer.js";
import { byId } from "./geometry.js";
import { translate } from "./i18n.js";

/** @import { Page } from "./types-page.js" @import { InputHandler } from "./input.js" @import { Game } from "./game.js" */

/** Connect the buttons; return a function that does the same as one of them. @param {Page} page @param {InputHandler} input */
export function connectTools(page, input) {
  /** @type {Record<string, (game: Game) => unknown>} */
  const tools = {
    undo: (game) => game.step(-1), redo: (game) => game.step(1), clear: clearBoard,
    turn: (game) => game.hand && input.turn(game.hand.token, "turn"),
    flip: (game) => game.hand && input.turn(game.hand.token, "flip"),
  };
  const runTool = (/** @type {string} */ tool) => tools[tool](page.current().game);
  for (const id of ["undo", "turn", "flip"]) {
    byId(id).addEventListener("click", () => {
      if (byId(id).ariaDisabled !== "true") runTool(id);
      else showBriefly(translate(id === "undo" ? "nothing-to-undo" : "take-first"));
    });
  }
  for (const id of ["hint", "check-now"]) {
    byId(id).addEventListener("click", async () => {
      const { giveHint, checkPosition } = await import("./hints.js");
      (id === "hint" ? giveHint : checkPosition)(page).catch((error) => showStatus(error.message, "bad"));
    });
  }
  return runTool;
}

/** Take all pieces off the board. @param {Game} game */
function clearBoard(game) {
  if (!game.spots.size) return;
  game.setPlacements([]);
  showStatus(translate("undo-brings-back"));
}
