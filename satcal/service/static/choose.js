// Which puzzle and which date: the selects, and the links to the neighbouring days.
const iso = (date) => date.toISOString().slice(0, 10);

export function day(text, days) {
  const date = new Date(`${text}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return iso(date);
}

export function choose(puzzle) {
  const at = (id) => document.getElementById(id);
  const here = (name) => `/puzzles/${encodeURIComponent(name)}`;
  at("choose").addEventListener("submit", (event) => event.preventDefault());
  at("puzzle").addEventListener("change", () => {
    const date = puzzle.date ? `?date=${puzzle.date}` : "";
    location.assign(here(at("puzzle").value) + date);
  });
  for (const select of document.querySelectorAll("#choose .label")) {
    select.addEventListener("change", () => {
      const labels = [...document.querySelectorAll("#choose .label")].map((each) => each.value);
      location.assign(`${here(puzzle.id)}?reveal=${encodeURIComponent(labels.join(","))}`);
    });
  }
  if (!puzzle.date) return;
  at("previous").href = `${here(puzzle.id)}?date=${day(puzzle.date, -1)}`;
  at("next").href = `${here(puzzle.id)}?date=${day(puzzle.date, 1)}`;
  at("today").href = here(puzzle.id);
  at("date").addEventListener("change", () => {
    if (at("date").value) location.assign(`${here(puzzle.id)}?date=${at("date").value}`);
  });
}
