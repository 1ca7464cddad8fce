// Help in three steps: the piece with the fewest places, then one placement, then a whole tiling.
import { count, get } from "./api.js";
import { read, write } from "./geometry.js";

const NAMES = ["Hint", "A better hint", "The solution"];

export class Hints {
  constructor(game, board, tray, { ask, say, button }) {
    Object.assign(this, { game, board, tray, ask, say, button, level: 0 });
    button.addEventListener("click", () => this.#give().catch((error) => say(error.message)));
  }

  reset() {
    this.level = 0;
    this.button.textContent = NAMES[0];
    this.button.disabled = this.game.solved;
    this.tray.mark(null);
  }

  async #give() {
    this.game.drop();
    const path = `/puzzles/${this.game.puzzle.id}`;
    if (this.level === 2) {
      const found = await get(`${path}/tilings`, [...this.ask(), ["limit", "1"]]);
      this.game.set(found.items[0].placements.map(read));
      this.say("One of the tilings that were left.");
      return;
    }
    const found = await get(`${path}/hint`, this.ask());
    if (found.tilings == 0) {
      await this.#stuck(path);
      return;
    }
    this.level += 1;
    this.button.textContent = NAMES[this.level];
    if (this.level === 1) {
      this.tray.mark(found.tightest);
      this.say(`${found.tightest} has the fewest places left: ${found.places[found.tightest]}.`);
    } else {
      const next = read(found.next);
      this.board.hint(next.cells);
      this.say(`${next.piece} can go where the dashed line is.`);
    }
  }

  // Nothing remains: which piece is in the way?
  async #stuck(path) {
    const { placed, puzzle } = this.game;
    let best = null;
    for (const out of placed) {
      const rest = placed.filter((each) => each !== out).map((each) => ["place", write(each)]);
      const { tilings } = await get(`${path}/remaining`, [["reveal", puzzle.reveal.join(",")], ...rest]);
      if (tilings > (best?.tilings ?? 0)) best = { out, tilings };
    }
    if (best) {
      this.board.hint(best.out.cells);
      this.say(`Take back ${best.out.piece}: then ${count(best.tilings, "tiling")} remain${best.tilings == 1 ? "s" : ""}.`);
    } else this.say(placed.length ? "More than one piece is in the way: take back the last ones." : "It has no tiling.");
  }
}
