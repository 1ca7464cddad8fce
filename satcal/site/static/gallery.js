// All tilings of the date, one at a time; those with one's own pieces, if one likes.
import { at, disable, field } from "./geometry.js";
import { drawTiling } from "./table.js";
import { covered } from "./words.js";

/** @import { Placement } from "./engine.js" */

const random = () => crypto.getRandomValues(new BigUint64Array(2)).reduce((sum, word) => (sum << 64n) | word, 0n); // below 2^128

export class Gallery {
  /** @param {() => import("./app.js").Current} current */
  constructor(current) {
    this.current = current;
    this.total = this.rank = 0n;
    this.tiling = /** @type {Placement[]} */ ([]);
    /** @type {[string, () => bigint][]} */
    const steps = [["first", () => 0n], ["previous", () => this.rank - 1n], ["next", () => this.rank + 1n],
      ["last", () => this.total - 1n], ["random", () => this.total && random() % this.total]];
    for (const [id, rank] of steps) at(id).addEventListener("click", () => this.go(rank()));
    at("rank").addEventListener("change", () => {
      const digits = field("rank").value.replace(/[\s,.]/g, "");
      this.go(/^\d+$/.test(digits) ? BigInt(digits) - 1n : this.rank);
    });
    at("mine").addEventListener("change", () => this.go(0n));
    at("lay").addEventListener("click", () => {
      if (!this.tiling.length) return;
      this.current().game.set(this.tiling);
      at("to-play").click();
    });
  }

  /** Shows the tiling of a rank, or the nearest there is. @param {bigint} rank */
  async go(rank) {
    const { counter, reveal, game } = this.current();
    const placed = field("mine").checked ? game.placed : [];
    try {
      this.total = (await counter.ask({ reveal, placed })).count;
      this.rank = rank < 0n || this.total === 0n ? 0n : rank >= this.total ? this.total - 1n : rank;
      const { tilings } = await counter.ask({ reveal, placed, want: "tilings", from: this.rank, limit: 1 });
      this.#show(tilings?.[0] ?? []);
    } catch (error) {
      at("of").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Placement[]} tiling */
  #show(tiling) {
    const { total, rank } = this;
    const { game: { puzzle, reveal } } = this.current();
    this.tiling = tiling;
    at("shown").replaceChildren(drawTiling(puzzle, reveal, tiling));
    const words = tiling.map(({ piece, cells }) => `${piece} covers ${covered(puzzle, cells)}`).join("; ");
    at("shown").setAttribute("aria-label", words ? `Tiling ${rank + 1n}: ${words}` : "No tiling");
    field("rank").value = String(total && rank + 1n);
    at("of").textContent = `of ${total.toLocaleString("en")}`;
    for (const id of ["first", "previous"]) disable(id, rank === 0n);
    for (const id of ["next", "last"]) disable(id, rank + 1n >= total);
    for (const id of ["random", "lay"]) disable(id, total === 0n);
  }
}
