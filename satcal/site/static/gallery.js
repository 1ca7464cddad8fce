// All tilings of the date, one at a time; those with one's own pieces, if one likes.
import { at } from "./geometry.js";
import { drawTiling } from "./table.js";
import { count, covered } from "./words.js";

/** @typedef {import("./engine.js").Placement} Placement */

export class Gallery {
  /** @param {() => import("./more.js").Current} current */
  constructor(current) {
    this.current = current;
    this.total = 0n;
    this.rank = 0n;
    /** @type {Placement[]} */
    this.tiling = [];
    this.input = /** @type {HTMLInputElement} */ (at("rank"));
    /** @type {[string, () => bigint][]} */
    const steps = [["first", () => 0n], ["previous", () => this.rank - 1n], ["next", () => this.rank + 1n],
      ["last", () => this.total - 1n], ["random", () => this.#any()]];
    for (const [id, rank] of steps) at(id).addEventListener("click", () => this.go(rank()));
    this.input.addEventListener("change", () => this.go(this.#typed()));
    at("mine").addEventListener("change", () => this.go(0n));
    at("lay").addEventListener("click", () => {
      if (!this.tiling.length) return;
      this.current().game.set(this.tiling);
      at("to-play").click();
    });
  }

  #typed() {
    const digits = this.input.value.replace(/[\s,.]/g, "");
    return /^\d+$/.test(digits) ? BigInt(digits) - 1n : this.rank;
  }

  #any() {
    const words = crypto.getRandomValues(new BigUint64Array(2)); // far more than there are tilings
    return this.total ? ((words[0] << 64n) | words[1]) % this.total : 0n;
  }

  /** Shows the tiling of a rank, or the nearest there is. @param {bigint} rank */
  async go(rank) {
    const { counter, reveal, game } = this.current();
    const placed = /** @type {HTMLInputElement} */ (at("mine")).checked ? game.placed : [];
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
    const { game: { puzzle, reveal } } = this.current();
    this.tiling = tiling;
    at("shown").replaceChildren(drawTiling(puzzle, reveal, tiling));
    const words = tiling.map(({ piece, cells }) => `${piece} covers ${covered(puzzle, cells)}`).join("; ");
    at("shown").setAttribute("aria-label", tiling.length ? `Tiling ${this.rank + 1n}: ${words}` : "No tiling");
    this.input.value = String(this.total ? this.rank + 1n : 0n);
    at("of").textContent = this.total ? `of ${this.total.toLocaleString("en")}` : `of ${count(0, "tiling")}`;
    const set = (/** @type {string} */ id, /** @type {boolean} */ off) => at(id).setAttribute("aria-disabled", String(off));
    for (const id of ["first", "previous"]) set(id, this.rank === 0n);
    for (const id of ["next", "last"]) set(id, this.rank + 1n >= this.total);
    for (const id of ["random", "lay"]) set(id, this.total === 0n);
  }
}
