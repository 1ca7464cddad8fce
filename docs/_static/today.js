// The boards of the home page: how many solutions each has today, from the counts on the page.
const data = document.getElementById("counts-by-date");
if (data) {
  const counts = JSON.parse(data.textContent);
  const today = new Date();
  const day = (Date.UTC(2024, today.getMonth(), today.getDate()) - Date.UTC(2024, 0, 1)) / 864e5; // of a leap year
  for (const place of document.querySelectorAll("[data-board]")) {
    const rows = counts[place.dataset.board];
    const number = rows[(today.getDay() + 6) % 7 % rows.length][day]; // a row for each weekday, or one
    place.textContent = `${number.toLocaleString("en")} solution${number === 1 ? "" : "s"}`;
  }
  const date = today.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  document.querySelector(".today-date").textContent = `Solutions on ${date}`;
}
