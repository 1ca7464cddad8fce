// The order in which the cells of a board are filled, and an estimate of the states: see satcal/puzzle/placements.py.

/** @typedef {{row: number, column: number}} Place */

/** Return the order that gives the fewest states by the estimate, and the estimate; of several the first.
 * @param {Place[]} cells @param {number[][]} options the cells that each option covers */
export function fillingOrder(cells, options) {
  const orders = enumerateOrders(cells).map((order) => ({ order, estimate: estimateStates(order, options) }));
  return orders.reduce((best, each) => (each.estimate < best.estimate ? each : best));
}

/** Return the orders by rows, columns and diagonals from each of the four corners. @param {Place[]} cells */
function enumerateOrders(cells) {
  const axes = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];
  return axes.flatMap(([a, b]) => [1, -1].map((along) => {
    const keys = cells.map(({ row, column }) => [a * row + b * column, along * (a ? column : row)]);
    return cells.map((_, number) => number).sort((one, other) => keys[one][0] - keys[other][0] || keys[one][1] - keys[other][1]);
  }));
}

/** Estimate the number of states: a later cell is covered with a probability of the share of its options that begin earlier.
 * @param {number[]} order @param {number[][]} options */
function estimateStates(order, options) {
  const rank = new Int32Array(order.length);
  order.forEach((cell, place) => { rank[cell] = place; });
  /** @type {number[][]} */
  const starts = order.map(() => []); // by cell: the first cells of its options
  for (const cells of options) {
    const ranks = cells.map((cell) => rank[cell]);
    const first = Math.min(...ranks);
    for (const covered of ranks) starts[covered].push(first);
  }
  const entropy = new Float64Array(order.length);
  for (const firsts of starts) {
    firsts.sort((one, other) => one - other);
    for (let layer = firsts[0] + 1, passed = 0; layer <= (firsts.at(-1) ?? 0); layer += 1) {
      while (firsts[passed] < layer) passed += 1;
      const share = passed / firsts.length;
      entropy[layer] -= share * Math.log2(share) + (1 - share) * Math.log2(1 - share);
    }
  }
  return entropy.reduce((sum, bits) => sum + 2 ** bits, 0);
}
