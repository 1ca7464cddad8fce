// All tilings of the date, a page each; those with one's own pieces, if one likes.
import { get } from "./api.js";
import { Board } from "./board.js";
import { read } from "./geometry.js";

export function gallery(puzzle, game, asked) {
  const at = (id) => document.getElementById(id);
  const board = new Board(at("shown"), puzzle);
  let total = null;
  let tiling = null;

  const question = () => (at("mine").checked ? asked() : [["reveal", puzzle.reveal.join(",")]]);

  function show(found, rank) {
    total = found.tilings;
    tiling = found.items[0]?.placements.map(read) ?? [];
    board.show(tiling, false);
    at("shown").setAttribute("aria-label", tiling.length ? `Tiling ${rank + 1}: ${found.items[0].placements.join(" ")}` : "No tiling");
    at("rank").value = total == 0 ? 0 : rank + 1;
    at("rank").max = String(total);
    at("of").textContent = `of ${total.toLocaleString("en")}`;
    for (const id of ["first", "before"]) at(id).disabled = total == 0 || rank <= 0;
    for (const id of ["after", "last"]) at(id).disabled = total == 0 || rank + 1 >= total;
    for (const id of ["take", "random"]) at(id).disabled = total == 0;
  }

  async function go(rank) {
    const wanted = Math.max(0, Number.isFinite(rank) ? Math.trunc(rank) : 0);
    const bounded = total ? Math.min(wanted, Number(total) - 1) : wanted;
    const found = await get(`/puzzles/${puzzle.id}/tilings`, [...question(), ["offset", String(bounded)], ["limit", "1"]]);
    if (found.tilings > 0 && !found.items.length) {
      total = found.tilings;
      await go(Number(total) - 1);
    } else show(found, bounded);
  }

  const rank = () => Number(at("rank").value) - 1;
  const step = (id, where) => at(id).addEventListener("click", () => go(where()).catch(failed));
  const failed = (error) => { at("of").textContent = error.message; };
  step("first", () => 0);
  step("before", () => rank() - 1);
  step("after", () => rank() + 1);
  step("last", () => Number(total) - 1);
  at("rank").addEventListener("change", () => go(rank()).catch(failed));
  at("mine").addEventListener("change", () => restart());
  at("take").addEventListener("click", () => game.set(tiling));
  at("random").addEventListener("click", async () => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const found = await get(`/puzzles/${puzzle.id}/tilings/random`, [...question(), ["seed", String(seed)]]);
    show(found, found.items[0].rank);
  });

  function restart() {
    total = null;
    if (at("gallery").open) go(0).catch(failed);
  }
  at("gallery").addEventListener("toggle", () => total === null && restart());
  game.addEventListener("placed", () => { if (at("mine").checked) restart(); });
}
