// Help in three steps: the piece with the fewest places, then one placement, then a whole tiling.
import { at, disable } from "./geometry.js";
import { count, covered, list } from "./words.js";

/** @import { Answer } from "./engine.js" */

const NAMES = ["Hint", "Better", "Solve"];

/** Which pieces to take back when nothing remains. @param {Answer} answer @param {boolean} numbers */
export function blamed({ blame }, numbers) {
  if (!blame?.length) return "";
  const best = blame.reduce((one, other) => (other.count > one.count ? other : one));
  const names = list(best.pieces.map((each) => each.piece));
  return `Take back ${names}${numbers ? `, then ${count(best.count, "tiling")} remain${best.count === 1n ? "s" : ""}` : ""}.`;
}

export class Hints {
  /** @param {import("./table.js").Table} table @param {(text: string) => void} say
   * @param {(want: "hint" | "random") => Promise<Answer>} ask */
  constructor(table, say, ask) {
    this.table = table;
    this.say = say;
    this.ask = ask;
    this.level = 0;
    at("hint").addEventListener("click", () => this.#give().catch((error) => say(error.message)));
  }

  /** The next hint is the first again. */
  reset() {
    this.#show(0);
    disable("hint", Boolean(this.table.game?.solved));
  }

  /** @param {number} level @param {number[]} cells @param {string} tight */
  #show(level, cells = [], tight = "") {
    this.level = level;
    at("hint-name").textContent = NAMES[level];
    this.table.hint = cells;
    this.table.pieces.forEach((piece, token) => piece.classList.toggle("tight", this.table.game?.tokens[token].name === tight));
    this.table.draw();
  }

  async #give() {
    const { game } = this.table;
    if (!game || game.solved) return;
    game.back();
    const { level } = this;
    const answer = await this.ask(level === 2 ? "random" : "hint");
    if (game !== this.table.game) return;
    if (answer.count === 0n) {
      this.#show(0, answer.blame?.[0]?.pieces.flatMap((each) => each.cells));
      this.say(blamed(answer, true) || "It has no tiling.");
    } else if (level === 2) {
      game.set(answer.tilings?.[0] ?? []);
      this.say("One of the tilings that were left. Undo brings yours back.");
    } else if (answer.hint) {
      const { hint: { piece, cells }, places = 0 } = answer;
      this.#show(level + 1, level ? cells : [], piece);
      this.say(level ? `${piece} can cover ${covered(game.puzzle, cells)}.`
        : `${piece} has the fewest places left: ${places.toLocaleString("en")}.`);
    }
  }
}
