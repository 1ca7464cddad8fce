// Shows on the first visit how a piece moves: one turns, goes to the board and comes back.

/** @import { Table } from "./table.js" */

/** @param {Table} table */
export function demonstrate(table) {
  const { game, pieces: [piece], where } = table;
  if (!game || game.hand || game.now || !where.places.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const ratio = where.tray / where.unit;
  const [from, to] = [table.corner(game, 0, null), table.corner(game, 0, [2, 2])];
  const step = (/** @type {number[]} */ [x, y], /** @type {number} */ angle, /** @type {number} */ scale) => (
    `translate(${x}px, ${y}px) rotate(${angle}deg) scale(${scale})`);
  const shown = piece.animate({
    transform: [step(from, 0, ratio), step(from, 90, ratio), step(to, 90, 1), step(to, 90, 1), step(from, 0, ratio)], offset: [0, 0.2, 0.5, 0.7, 1] },
  { duration: 3200, delay: 4000, easing: "ease-in-out" });
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => shown.cancel(), { once: true });
}
