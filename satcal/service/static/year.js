// A year as twelve small calendars, each day coloured by its number of tilings.
import { count, get } from "./api.js";
import { element, wantsLight } from "./geometry.js";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function mix(colours, share) {
  const position = share * (colours.length - 1);
  const low = Math.min(Math.floor(position), colours.length - 2);
  const part = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
  const channels = [1, 3, 5].map((at) => Math.round(
    part(colours[low], at) + (part(colours[low + 1], at) - part(colours[low], at)) * (position - low)));
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

export function year(puzzle) {
  const at = (id) => document.getElementById(id);
  let shown = Number((puzzle.date ?? puzzle.today).slice(0, 4));

  async function show(wanted) {
    shown = Math.min(Math.max(wanted, 1), 9999);
    at("year-name").textContent = String(shown);
    let found;
    try {
      found = await get(`/puzzles/${puzzle.id}/counts`, [["year", String(shown)]]);
    } catch (error) {
      at("legend").textContent = error.message;
      return;
    }
    const known = new Map(found.rows.map((row) => [row.date, row.tilings]));
    const values = [...known.values()].map(Number).sort((a, b) => a - b);
    // by rank: a few rich dates would leave all others in one colour
    const share = (value) => values.findIndex((each) => each >= Number(value)) / Math.max(1, values.length - 1);
    at("months").replaceChildren(...MONTHS.map((name, month) => monthTable(name, month, known, share)));
    const scale = element("span", { className: "scale", "aria-hidden": "true" }, ...[0, 0.25, 0.5, 0.75, 1].map((part) => {
      const step = element("i");
      step.style.backgroundColor = mix(puzzle.heat, part);
      return step;
    }));
    at("legend").replaceChildren(
      element("span", { textContent: values[0].toLocaleString("en") }), scale,
      element("span", { textContent: `${values.at(-1).toLocaleString("en")} tilings; ${found.total.toLocaleString("en")} in the year` }));
  }

  function monthTable(name, month, known, share) {
    const table = element("table", {}, element("caption", { textContent: name }));
    const head = table.createTHead().insertRow();
    for (const each of DAYS) head.append(element("th", { scope: "col", textContent: each.slice(0, 2), abbr: each }));
    const body = table.createTBody();
    const first = new Date(0);
    first.setUTCFullYear(shown, month, 1);
    let row = body.insertRow();
    for (let skip = 0; skip < (first.getUTCDay() + 6) % 7; skip += 1) row.insertCell();
    for (const date = first; date.getUTCMonth() === month; date.setUTCDate(date.getUTCDate() + 1)) {
      if (row.cells.length === 7) row = body.insertRow();
      row.insertCell().append(dayLink(date, name, known, share));
    }
    while (row.cells.length < 7) row.insertCell();
    return table;
  }

  function dayLink(date, name, known, share) {
    const text = date.toISOString().slice(0, 10);
    const tilings = known.get(text);
    const number = date.getUTCDate();
    if (tilings === undefined) return element("span", { textContent: String(number) });
    const link = element("a", {
      textContent: String(number), href: `/puzzles/${puzzle.id}?date=${text}`,
      title: count(tilings, "tiling"), "aria-label": `${number} ${name}: ${count(tilings, "tiling")}` });
    if (text === puzzle.date) link.setAttribute("aria-current", "date");
    const colour = mix(puzzle.heat, share(tilings));
    link.style.backgroundColor = colour;
    link.style.color = wantsLight(colour) ? "#fff" : "#000";
    return link;
  }

  at("year-before").addEventListener("click", () => show(shown - 1));
  at("year-after").addEventListener("click", () => show(shown + 1));
  show(shown);
}
