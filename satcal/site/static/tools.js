// The tools: buttons under the table, and what the list of more tools asks for.
import { remark, status } from "./announcer.js";
import { at } from "./geometry.js";
import { say } from "./words.js";

/** @import { Page } from "./app.js" @import { Hands } from "./hands.js" @import { Game } from "./game.js" */

/** Connects the buttons; returns what does the same as one of them. @param {Page} page @param {Hands} hands */
export function connectTools(page, hands) {
  /** @type {Record<string, (game: Game) => unknown>} */
  const tools = {
    undo: (game) => game.step(-1), redo: (game) => game.step(1), clear,
    turn: (game) => game.hand && hands.turn(game.hand.token, "turn"),
    flip: (game) => game.hand && hands.turn(game.hand.token, "flip"),
  };
  const act = (/** @type {string} */ tool) => tools[tool](page.current().game);
  for (const id of ["undo", "turn", "flip"]) {
    at(id).addEventListener("click", () => {
      if (at(id).ariaDisabled !== "true") act(id);
      else remark(say(id === "undo" ? "nothing-to-undo" : "take-first"));
    });
  }
  for (const id of ["hint", "check-now"]) {
    at(id).addEventListener("click", async () => {
      const { give, check } = await import("./hints.js");
      (id === "hint" ? give : check)(page).catch((error) => status(error.message, "bad"));
    });
  }
  return act;
}

/** Takes all pieces off the board. @param {Game} game */
function clear(game) {
  if (!game.spots.size) return;
  game.set([]);
  status(say("undo-brings-back"));
}
