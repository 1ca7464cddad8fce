// What the page knows of puzzles and their tilings: data files, and a worker that counts.

/**
 * A cell of a board is a number: its index in `Puzzle.cells`, which are in row-major order.
 *
 * @typedef {{row: number, column: number, label: string | null}} Cell
 * @typedef {{
 *   name: string, copies: number, colour: string,
 *   orientations: [number, number][][],  // distinct ones, each as [row, column] from its top left
 * }} Piece                               // corner, row by row; the drawing first
 * @typedef {{
 *   name: string, title: string, source: string, rows: number, columns: number,
 *   cells: Cell[],
 *   labels: Record<string, number[]>,               // label -> its cells
 *   categories: {name: string, labels: string[]}[], // a reveal has one label of each, in this order
 *   calendar: Record<string, string[]> | null,      // "month", "day", "weekday" (if the board has
 *   pieces: Piece[],                                // them) -> labels, January and Monday first,
 * }} Puzzle                                         // "" where the board has none
 *
 * @typedef {{piece: string, cells: number[]}} Placement
 * @typedef {Placement & {count: bigint}} Move       // and the tilings that contain it
 * @typedef {{
 *   reveal: string[],                // one label per category, in their order
 *   placed: Placement[],             // in the order in which they were placed
 *   want?: "count" | "hint" | "moves" | "tilings" | "random",   // "count" is the default
 *   from?: number | bigint, limit?: number,   // for "tilings": the rank of the first, and how many
 *   seed?: number,                            // for "random": the same seed, the same tiling
 * }} Question
 * @typedef {{
 *   count: bigint,                   // tilings that remain
 *   hint?: Move | null,              // "hint": one of the piece with the fewest places left; null
 *   places?: number,                 //   when there is none; and how many places that piece has
 *   moves?: Move[],                  // "moves": every placement that leads on
 *   tilings?: Placement[][],         // "tilings", "random" (one, or none): whole tilings, what is
 *                                    //   placed included, in the diagram's order
 *   blame?: {pieces: Placement[], count: bigint}[],  // when count is 0: take back these (one piece
 * }} Answer                          //   in each entry, if one suffices), and so many tilings remain
 *
 * @typedef {{
 *   ready(reveal: string[]): Promise<"slice" | "whole">,
 *   ask(question: Question): Promise<Answer>,
 *   year(placed: Placement[]): Promise<Map<string, bigint>>,
 *   close(): void,
 * }} Counter
 */

/** The library, or whatever `satcal site` was given: what the select shows.
 * @param {string} base the folder of the data, such as "data/"
 * @returns {Promise<{name: string, title: string, dates: boolean}[]>}
 */
export async function openLibrary(base) {
  return (await fetch(`${base}puzzles.json`)).json();
}

/** A puzzle, without its tilings.
 * @param {string} base
 * @param {string} name
 * @returns {Promise<Puzzle>}
 */
export async function openPuzzle(base, name) {
  return (await fetch(`${base}${name}.json`)).json();
}

/** The reveal of a date, null if the puzzle has none for it.
 * @param {Puzzle} puzzle
 * @param {number} year @param {number} month from 1 @param {number} day
 * @returns {string[] | null}
 */
export function revealOf(puzzle, year, month, day) {
  const calendar = puzzle.calendar;
  if (!calendar) return null;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  /** @type {Record<string, number>} */
  const position = { month: month - 1, day: day - 1, weekday: (date.getUTCDay() + 6) % 7 };
  const reveal = puzzle.categories.map(({ name }) => calendar[name][position[name]]);
  return reveal.every(Boolean) ? reveal : null;
}

/** Starts what counts the tilings of a puzzle. A question about one reveal needs only the puzzle:
 * its own tilings are found in some ten milliseconds ("slice"). `year` needs the data file with the
 * tilings of all reveals ("whole"), which is fetched when a first question has been answered;
 * with nothing placed it needs only the shipped table.
 *
 * A newer `ask` does not cancel an older one: answers come in the order of the questions.
 * A promise is rejected with an Error whose message is for people.
 * @param {string | null} base null for a puzzle without data files, which has no `year`
 * @param {Puzzle} puzzle
 * @returns {Counter}
 */
export function openCounter(base, puzzle) {
  void base; // a stub so far: it finds 42 tilings everywhere
  const answer = { count: 42n, hint: null, places: 0, moves: [], tilings: [] };
  return {
    ready: () => Promise.resolve("slice"),
    ask: () => Promise.resolve(answer),
    year: () => Promise.resolve(new Map([[puzzle.categories.map((c) => c.labels[0]).join(), 42n]])),
    close() {},
  };
}
