// How the table lies in the window: what is outside of it, covered, or cut off, and the boxes and scales of board and pieces.
() => {
  const boxOf = (each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const find = (selectors) => [...document.querySelectorAll(selectors)].filter((each) => each.getClientRects().length);
  const namesOf = (found) => found.map((each) => each.id || each.className);
  const hit = ([left, top, right, bottom]) => document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isOutside = ([left, top, right, bottom]) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
  const scaleOf = (each) => (each.getBoundingClientRect().width / each.viewBox.baseVal.width * 10).toFixed(1);
  const scalesOf = (found) => [...new Set(found.map(scaleOf))].map(Number);
  const { scrollWidth, scrollHeight } = document.documentElement;
  const all = find("#play :is(select, input, button, .tool, .chip), .piece, .words");
  const [board, ...pieces] = find("#table svg.board, .piece").filter((each) => !each.matches(".under, .over"));
  return {
    window: [scrollWidth, scrollHeight],
    apart: [board, ...pieces].map(boxOf),
    outside: namesOf(all.filter((each) => isOutside(boxOf(each)))),
    covered: namesOf(all.filter((each) => !each.matches(".piece, .words") && !each.contains(hit(boxOf(each))))),
    cut: namesOf(find(".words, .chip, .tools > *, .when button").filter(
      (each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)),
    scales: [scalesOf([board]), scalesOf(find(".piece svg"))],
  };
}
