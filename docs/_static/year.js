// The maps of a year: a tap says below the map what a mouse that rests on a number is shown. Today is marked.
const now = new Date();
for (const map of document.querySelectorAll(".year-map")) {
  if (now.getFullYear() === Number(map.dataset.year)) {
    const today = map.querySelector("table").rows[now.getDate()].cells[now.getMonth() + 1];
    today.setAttribute("aria-current", "date");
    map.querySelector(".told").textContent = `Today, ${today.title}`;
  }
  map.addEventListener("click", (event) => {
    const cell = event.target.closest("td[title]");
    if (!cell) return;
    map.querySelector("td.chosen")?.classList.remove("chosen");
    cell.classList.add("chosen");
    map.querySelector(".told").textContent = cell.title;
  });
}
