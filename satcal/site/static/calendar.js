// The calendar of a board: which labels a date leaves uncovered, in the language of the board. See satcal/puzzle/calendar.py.

/** @typedef {Record<string, string[]>} Labels of each category, or of each part of a calendar in its order
 * @typedef {(part: string) => Map<string, number>[]} Names of the months or weekdays, by language: the folded name and its number */

const MONTHS = "january february march april may june july august september october november december".split(" ");
const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
export const DAYS = Array.from({ length: 31 }, (_, day) => String(day + 1));
/** @type {Record<string, string[]>} */
export const FULL_NAMES = { month: MONTHS, weekday: WEEKDAYS, day: DAYS };
/** @type {Record<string, number>} */
const SIZES = { month: 12, day: 31, weekday: 7, year: 10_000 };
const PREVAILING_RATIO = 10; // from it on, a name has only its most frequent meaning

/** Return the index in a part that an English text names, or -1. @param {string} part @param {string} text */
export function indexIn(part, text) {
  if (!FULL_NAMES[part]) return Number(/[0-9]{4}$/.exec(text)?.[0] ?? -1);
  if (part === "day") return text.length < 3 ? DAYS.indexOf(text.replace(/^0+/, "")) : -1;
  const name = text.toLowerCase().replace(/\.+$/, ""), names = FULL_NAMES[part];
  const whole = names.indexOf(name);
  return whole >= 0 || name.length < 3 ? whole : names.findIndex((full) => full.startsWith(name));
}

/** Return the labels of a range of numbers or English names, in its spelling; none if it is not a range. @param {string} text */
export function expandRange(text) {
  const [first, last] = text.includes("-") ? [text.slice(0, text.indexOf("-")), text.slice(text.indexOf("-") + 1)].map((each) => each.trim()) : [text, ""];
  if (/^[0-9]{1,3}-[0-9]{1,3}$/.test(`${first}-${last}`)) {
    return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, number) => String(Number(first) + number));
  }
  for (const part of ["month", "weekday"]) {
    const names = FULL_NAMES[part], [begin, end] = [indexIn(part, first), indexIn(part, last)];
    if (begin < 0 || end < 0) continue;
    const isShort = first.length === 3 && last.length === 3;
    const spell = (/** @type {string} */ name) => {
      const short = isShort ? name.slice(0, 3) : name;
      if (first === first.toUpperCase()) return short.toUpperCase();
      return first === first.toLowerCase() ? short : short[0].toUpperCase() + short.slice(1);
    };
    const length = ((end - begin + names.length) % names.length) + 1; // a range may wrap around, as Sun-Sat does
    return Array.from({ length }, (_, number) => spell(names[(begin + number) % names.length]));
  }
  return [];
}

/** Return a word in one case, without its final dot and Turkish dots on an i. @param {string} word */
const fold = (word) => word.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ").replaceAll(/\u0307/g, "").replaceAll("ı", "i").replace(/\.+$/, "");

/** Return the names out of the lines of a file: language, part, and the spellings of each number. @param {string[]} lines @returns {Names} */
export function namesOf(lines) {
  return (part) => lines.map((line) => line.split(" ")).filter((words) => words[1] === part)
    .map((words) => new Map(words.slice(2).flatMap((names, number) => names.split("|").map((name) => [name, number]))));
}

/** Return whether labels need the names of other languages than English. @param {Labels} categories */
export const needNames = (categories) => ["month", "weekday"].some((part) => Object.hasOwn(categories, part) && Array.isArray(categories[part])
  && !order(part, categories[part].map((label) => indexIn(part, String(label))), categories[part]));

/** Return the parts of the calendar of a puzzle, in the order of its categories; null if it has no dates. A declared order that
 * does not fit is an error, whose message is the part at fault, or "".
 * @param {Labels} categories @param {Labels} declared @param {Names} names @returns {Labels | null} */
export function connect(categories, declared, names) {
  const own = Object.keys(categories);
  if (!categories.month || !categories.day || own.some((name) => !Object.hasOwn(SIZES, name))) {
    if (Object.keys(declared).length) throw new Error("");
    return null;
  }
  if (Object.keys(declared).some((name) => !categories[name])) throw new Error("");
  /** @type {Labels} */
  const parts = {};
  for (const name of own) {
    const orders = findOrders(name, categories[name], names);
    const given = declared[name];
    if (given && orders.length && !orders.some((each) => each.join() === given.join())) throw new Error(name);
    if (!given && orders.length !== 1) return null;
    parts[name] = given ?? orders[0];
    const known = parts[name].filter(Boolean);
    if (parts[name].length !== SIZES[name] || known.length !== categories[name].length || !known.every((label) => categories[name].includes(label))) throw new Error(name);
  }
  return parts;
}

/** Return the calendar orders of labels: the English one, or those of the languages that have all of them.
 * @param {string} part @param {string[]} labels @param {Names} names */
function findOrders(part, labels, names) {
  const english = order(part, labels.map((label) => indexIn(part, label)), labels);
  if (english || (part !== "month" && part !== "weekday")) return english ? [english] : [];
  /** @type {Map<string, {votes: number, found: string[]}>} */
  const votes = new Map();
  for (const known of names(part)) {
    const found = order(part, labels.map((label) => known.get(fold(label)) ?? -1), labels);
    if (found) votes.set(found.join(), { votes: (votes.get(found.join())?.votes ?? 0) + 1, found });
  }
  const [first, second] = [...votes.values()].sort((one, other) => other.votes - one.votes);
  if (second && first.votes < PREVAILING_RATIO * second.votes) return [...votes.values()].map(({ found }) => found);
  return first ? [first.found] : [];
}

/** Return labels in the order of their indices, "" where there is none; null if one has none, or two have the same.
 * @param {string} part @param {number[]} indices @param {string[]} labels */
function order(part, indices, labels) {
  if (indices.includes(-1) || new Set(indices).size < indices.length) return null;
  const found = Array(SIZES[part]).fill("");
  indices.forEach((index, at) => { found[index] = labels[at]; });
  return found;
}
