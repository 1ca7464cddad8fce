// What is wrong with the words of the page: bare of the marks ⟦ ⟧ if others have them, cut off, or broken; or it scrolls sideways.
() => {
  const shown = (each) => each.getClientRects().length && !each.closest('.away, [aria-hidden="true"]');
  const nameOf = (each) => each.id || each.textContent;
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const bare = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const { parentElement: parent } = node;
    let part = node.textContent;
    for (let left = ""; left !== part;) [left, part] = [part, part.replaceAll(/⟦[^⟦⟧]*⟧/g, "")];
    const isSentence = /\p{L}{2}/u.test(part) && !parent.closest(".count, .found, #of, option, caption, th, svg, code, .date, #months, #shelf, #preview");
    if (isSentence && shown(parent)) bare.push(part);
  }
  const over = [...document.querySelectorAll("button, .pill, .tool, .chip, .words, select, h2, label")]
    .filter((each) => shown(each) && each.scrollWidth > each.clientWidth + 1).map(nameOf);
  const { scrollHeight, scrollWidth } = document.documentElement;
  const cut = [...document.querySelectorAll("#status, #message, #title, #today, #undo")].filter((each) => {
    const { height, left, right, bottom } = each.getBoundingClientRect();
    return !height || left < 0 || right > innerWidth + 1 || bottom > scrollHeight + 1 || (each.scrollHeight > each.clientHeight + 2 && each.clientHeight);
  }).map(nameOf);
  const broken = [...document.querySelectorAll("#title, #message")].flatMap(({ firstChild }) => {
    const range = document.createRange();
    return [...firstChild.data.matchAll(/\S+/g)].filter((word) => {
      range.setStart(firstChild, word.index);
      range.setEnd(firstChild, word.index + word[0].length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    });
  });
  const sheet = document.querySelector("#sheet");
  const wide = [scrollWidth - innerWidth, sheet.scrollWidth - sheet.clientWidth].filter((each) => each > 0);
  const isMarked = document.querySelector("#undo").textContent.startsWith("⟦");
  return [...(isMarked ? bare : []), ...over, ...cut, ...broken, ...wide];
}
