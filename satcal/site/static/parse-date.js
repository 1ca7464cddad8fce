// Dates in addresses, as the command line reads them (satcal/puzzle/when.py): Dec 25, 3. Oktober 2027, 12/25, 6-Oct, 10月6日, morgen.
import { FULL_NAMES } from "./calendar.js";

const LANGUAGES = "de es fr it ja ko nl pl pt zh-Hans zh-Hant".split(" "); // and English, whose names may be cut
const OTHER_MONTHS = { lut: 9, lip: 6, lis: 10, listopad: 10, listopada: 10, out: 8 }; // in languages that the page does not have
const FIRST_YEAR = 1583; // the first whole year of the Gregorian calendar
const FILLERS = ["de", "of", "the"];
const RELATIVE_DAYS = {
  "-1": "yesterday gestern ayer hier ieri 昨日 어제 gisteren wczoraj ontem 昨天",
  0: "today heute hoy aujourd’hui aujourd'hui oggi 今日 오늘 vandaag dzisiaj dziś hoje 今天",
  1: "tomorrow morgen mañana demain domani 明日 내일 jutro amanhã 明天",
};

/** @typedef {[number, number, number, number?]} Reading the year (0 for none), the month, the day, and the weekday from Monday, 1 */

/** @param {number} year @param {number} month from 1 @param {number} day */
const utc = (year, month, day) => new Date(new Date(0).setUTCFullYear(year, month - 1, day));

/** @param {string} word */
const fold = (word) => word.normalize("NFKC").toLowerCase().replace(/\.$/, "");

/** @type {Record<string, Map<string, Set<number>>> | undefined} */
let tables;

/** Return the numbers of the names of months and weekdays, but not in English. */
function namesOfOthers() {
  if (tables) return tables;
  const made = { month: new Map(), weekday: new Map() };
  const add = (/** @type {"month" | "weekday"} */ part, /** @type {string} */ name, /** @type {number} */ number) =>
    made[part].set(fold(name), (made[part].get(fold(name)) ?? new Set()).add(number));
  for (const language of LANGUAGES) {
    for (const width of /** @type {const} */ (["long", "short"])) {
      const format = (/** @type {Intl.DateTimeFormatOptions} */ how) => new Intl.DateTimeFormat(language, { timeZone: "UTC", ...how });
      const [alone, inDate, weekdays] = [format({ month: width }), format({ month: width, day: "numeric" }), format({ weekday: width })];
      for (let month = 1; month <= 12; month += 1) {
        const date = utc(2026, month, 1);
        add("month", alone.format(date), month);
        add("month", inDate.formatToParts(date).find(({ type }) => type === "month")?.value ?? "", month);
      }
      for (let day = 1; day <= 7; day += 1) add("weekday", weekdays.format(utc(2026, 6, day)), day);
    }
  }
  for (const [name, month] of Object.entries(OTHER_MONTHS)) add("month", name, month);
  tables = made;
  return made;
}

/** Return the numbers that a name can mean. @param {"month" | "weekday"} part @param {string} word @returns {number[]} */
function meanings(part, word) {
  const name = fold(word);
  const index = FULL_NAMES[part].findIndex((each) => name.length > 2 && each.startsWith(name));
  return index >= 0 ? [index + 1] : [...(namesOfOthers()[part].get(name) ?? [])];
}

/** Return the readings of a text in lower case. @param {string} text @returns {Reading[]} */
function readings(text) {
  let found = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[ t]00:00(?::00(?:\.0+)?)?z?)?$/.exec(text) ?? /^(\d{4})\. (\d\d?)\. (\d\d?)\.$/.exec(text)
    ?? /^(1[6-9]\d\d|2[0-4]\d\d)(\d\d)(\d\d)$/.exec(text);
  if (found) return [[+found[1], +found[2], +found[3]]];
  found = /^(\d\d?)\. ?(\d\d?)\.?(?: ?(\d{4}))?$/.exec(text);
  if (found) return [[+(found[3] ?? 0), +found[2], +found[1]]];
  found = /^(\d\d?)[-/](\d\d?)(?:[-/](\d{4}))?$/.exec(text);
  if (found) return [[+(found[3] ?? 0), +found[1], +found[2]], [+(found[3] ?? 0), +found[2], +found[1]]];
  found = /^(?:(\d{4})[年년] ?)?(\d\d?)[月월] ?(\d\d?)[日일] ?(\D*)$/.exec(text);
  if (!found) return readingsInWords(text);
  const [, year = 0, month, day, name] = found;
  const weekdays = name ? meanings("weekday", name) : [undefined];
  return weekdays.map((weekday) => [+year, +month, +day, weekday]);
}

/** Return the readings of a month's name with a day, a year and a weekday, in any order. @param {string} text @returns {Reading[]} */
function readingsInWords(text) {
  const [, first, , month, short] = /^(\d\d?)([-/_])([^\d\s]+)\2(\d\d)$/.exec(text) ?? [];
  const words = (short ? `${first} ${month} 20${short}` : text).split(/[\s,]+|(?<=\d)[-/_]|[-/_](?=\d)/).filter((word) => word && !FILLERS.includes(word));
  const days = words.flatMap((word) => /^(\d\d?)(?:\.|st|nd|rd|th|er|º|ª)?$/.exec(word)?.[1] ?? []);
  const years = words.filter((word) => /^\d{4}$/.test(word));
  const names = words.filter((word) => !/^(\d{4}|\d\d?(\.|st|nd|rd|th|er|º|ª)?)$/.test(word));
  // a weekday needs a year, else these are labels
  if (days.length !== 1 || years.length > 1 || !names.length || names.length > 2 || (names.length === 2 && !years.length)) return [];
  const [year, day] = [+(years[0] ?? 0), +days[0]];
  return names.flatMap((name, at) => meanings("month", name).flatMap((month) => {
    const others = names.filter((_, other) => other !== at);
    const weekdays = others.length ? meanings("weekday", others[0]) : [undefined];
    return weekdays.map((weekday) => /** @type {Reading} */ ([year, month, day, weekday]));
  }));
}

/** Return the only day that a text names, such as 2025-12-25, else "".
 * Without a year it is that of today; 29 February is that of the next leap year.
 * @param {string} text @param {string} today such as 2025-12-25 */
export function parseWrittenDate(text, today) {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const [days] = Object.entries(RELATIVE_DAYS).find(([, names]) => names.split(" ").includes(words)) ?? [];
  if (days !== undefined) return new Date(Date.parse(today) + Number(days) * 86_400_000).toISOString().slice(0, 10);
  const dates = readings(words).flatMap(([year, month, day, weekday]) => {
    const exists = (/** @type {number} */ any) => utc(any, month, day).getUTCMonth() === month - 1 && utc(any, month, day).getUTCDate() === day;
    if (!exists(year || 2024) || (year && year < FIRST_YEAR)) return [];
    let whole = year || Number(today.slice(0, 4));
    while (!year && !exists(whole)) whole += 1;
    const date = utc(whole, month, day);
    return weekday === undefined || (date.getUTCDay() || 7) === weekday ? date.toISOString().slice(0, 10) : [];
  });
  return new Set(dates).size === 1 ? dates[0] : "";
}

/** Split what follows a puzzle's name in an address: the date, which may contain slashes, and the pieces.
 * @param {string[]} rest such as ["12", "25", "CODE"] @param {string} today */
export function splitAddress(rest, today) {
  const text = rest.join("/");
  const [when] = /^(?:\d{4}\/\d\d?\/\d\d?|\d\d?\/\d\d?(?:\/\d{4})?)(?=\/|$)/.exec(text) ?? rest;
  return { when: parseWrittenDate(when, today) || when, code: text.slice(when.length + 1).split("/")[0] };
}
