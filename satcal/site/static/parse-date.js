// Dates in addresses: Dec 25, 25 December 2025, 12-25, 12/25, 25.12., tomorrow.

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** @param {number} year @param {number} month from 1 @param {number} day */
function exists(year, month, day) {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Return year (0 for none), month and day of a text; several where it is ambiguous.
 * @param {string} text @returns {[number, number, number][]} */
function readings(text) {
  let found = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)$/.exec(text);
  if (found) return [[+found[1], +found[2], +found[3]]];
  found = /^(\d\d?)\. ?(\d\d?)\.?(?: ?(\d{4}))?$/.exec(text);
  if (found) return [[+(found[3] ?? 0), +found[2], +found[1]]];
  found = /^(\d\d?)[-/](\d\d?)(?:[-/](\d{4}))?$/.exec(text);
  if (found) return [[+(found[3] ?? 0), +found[1], +found[2]], [+(found[3] ?? 0), +found[2], +found[1]]];
  const words = text.match(/[\p{L}\d]+/gu) ?? [];
  const months = words.flatMap((word) => (word.length > 2 ? MONTHS.findIndex((name) => name.startsWith(word)) + 1 : 0) || []);
  const days = words.flatMap((word) => /^(\d\d?)(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? []);
  const years = words.filter((word) => /^\d{4}$/.test(word));
  if (months.length !== 1 || days.length !== 1 || years.length > 1 || words.length !== 2 + years.length) return [];
  return [[+(years[0] ?? 0), months[0], +days[0]]];
}

/** Return the only day that a text names, such as 2025-12-25, else "".
 * Without a year it is that of today; 29 February is that of the next leap year.
 * @param {string} text @param {string} today such as 2025-12-25 */
export function parseWrittenDate(text, today) {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (words === "today") return today;
  if (words === "tomorrow") return new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const found = readings(words).filter(([year, month, day]) => exists(year || 2024, month, day));
  const [[year, month, day] = [0, 0, 0], other] = found;
  if (!month || (other && `${other}` !== `${found[0]}`)) return "";
  let fullYear = year || Number(today.slice(0, 4));
  while (!year && !exists(fullYear, month, day)) fullYear += 1;
  return [String(fullYear).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}

/** Split what follows a puzzle's name in an address: the date, which may contain slashes, and the pieces.
 * @param {string[]} rest such as ["12", "25", "CODE"] @param {string} today */
export function splitAddress(rest, today) {
  const text = rest.join("/");
  const [when] = /^(?:\d{4}\/\d\d?\/\d\d?|\d\d?\/\d\d?(?:\/\d{4})?)(?=\/|$)/.exec(text) ?? rest;
  return { when: parseWrittenDate(when, today) || when, code: text.slice(when.length + 1).split("/")[0] };
}
