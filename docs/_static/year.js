// The maps of a year: a tap says below the map what a mouse that rests on a number is shown.
for (const map of document.querySelectorAll(".year-map")) {
  map.addEventListener("click", (event) => {
    const cell = event.target.closest("td[title]");
    if (!cell) return;
    map.querySelector("td.chosen")?.classList.remove("chosen");
    cell.classList.add("chosen");
    map.querySelector(".told").textContent = cell.title;
  });
}
