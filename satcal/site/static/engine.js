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
 *   name: string, title: string, designer: string, source: string, rows: number, columns: number,
 *   cells: Cell[],
 *   labels: Record<string, number[]>,               // label -> its cells
 *   categories: {name: string, labels: string[]}[], // a reveal has one label of each, in this order
 *   calendar: Record<string, string[]> | null,      // "month", "day", "weekday" (if the board has
 *   pieces: Piece[],                                // them) -> labels, January and Monday first,
 *   order: number[],                                // "" where the board has none; the cells in
 * }} Puzzle                                         // the order of filling
 *
 * @typedef {{piece: string, cells: number[]}} Placement
 * @typedef {Placement & {count: bigint}} Move       // and the tilings that contain it
 * @typedef {{
 *   reveal: string[],                // one label per category, in their order
 *   placed: Placement[],             // in the order in which they were placed
 *   want?: "count" | "hint" | "tilings" | "random",   // "count" is the default
 *   from?: number | bigint, limit?: number,   // for "tilings": the rank of the first, and how many
 *   seed?: number,                            // for "random": the same seed, the same tiling
 * }} Question
 * @typedef {{
 *   count: bigint,                   // tilings that remain
 *   hint?: Move | null,              // "hint": one of the piece with the fewest places left, null
 *   places?: number,                 //   where none is left; and how many places that piece has
 *   tilings?: Placement[][],         // "tilings", "random" (one, or none): whole, in the diagram's
 *   blame?: {pieces: Placement[], count: bigint}[],   // order; blame, when count is 0: take these
 * }} Answer                          // back (one, if that suffices), and so many tilings remain
 *
 * @typedef {{
 *   ask(question: Question): Promise<Answer>,
 *   year(placed: Placement[]): Promise<Map<string, bigint>>,
 *   close(): void,
 * }} Counter */

/** What `satcal site` or `satcal serve` offers.
 * @param {string} base the folder of the data, such as "data/"
 * @returns {Promise<{
 *   served: boolean,          // by `satcal serve`, whose API does what a browser cannot
 *   version: string, first: string,             // the puzzle that is shown first
 *   heat: string[],                             // colours from few tilings to many
 *   puzzles: {name: string, title: string, dates: boolean}[],
 * }>} */
export const openLibrary = (base) => load(`${base}puzzles.json`);

/** A puzzle, without its tilings. @param {string} base @param {string} name @returns {Promise<Puzzle>} */
export const openPuzzle = (base, name) => load(`${base}${name}.json`);

/** @param {string} address @returns {Promise<any>} */
async function load(address) {
  const response = await fetch(address).catch(() => null);
  if (!response) throw new Error("There is no connection, and this has not been kept.");
  if (!response.ok) throw new Error(`${address} could not be loaded: ${response.status}`);
  return response.json();
}

/** The reveal of a date, null if the puzzle has none for it.
 * @param {Puzzle} puzzle
 * @param {number} year @param {number} month from 1 @param {number} day
 * @returns {string[] | null} */
export function revealOf(puzzle, year, month, day) {
  const calendar = puzzle.calendar;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (!calendar || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  /** @type {Record<string, number>} */
  const position = { month: month - 1, day: day - 1, weekday: (date.getUTCDay() + 6) % 7 };
  const reveal = puzzle.categories.map(({ name }) => calendar[name][position[name]]);
  return reveal.every(Boolean) ? reveal : null;
}

/** Starts what counts the tilings of a puzzle. A question about one reveal needs only the puzzle:
 * its own tilings are found in 5 to 400 ms of computing, and after that it is answered in about one.
 * `year` needs the file with the tilings of all reveals, which is fetched when a first question has
 * been answered; with nothing placed it needs only the shipped table. Its keys are reveals, their
 * labels joined by commas.
 *
 * A newer `ask` does not cancel an older one: answers come in the order of the questions. A promise
 * is rejected with an Error whose message is for people.
 * @param {string} base @param {Puzzle} puzzle @returns {Counter} */
export function openCounter(base, puzzle) {
  const source = { puzzle, base: new URL(base, document.baseURI).href };
  const day = new Peer(source);
  /** @type {Peer | undefined} */
  let whole; // another one: unpacking takes a second, in which the day must not wait
  const all = () => (whole ??= new Peer(source));
  /** @type {(question: Question) => Promise<Answer>} */
  const ask = async (question) => {
    const answer = await day.call("ask", question);
    if (puzzle.calendar && !whole) all().call("load").catch(() => {}); // `year` tries again
    return answer;
  };
  return {
    ask,
    async year(placed) {
      const counts = placed.length ? await all().call("year", placed)
        : await load(`${source.base}${puzzle.name}.year.json`);
      return new Map(reveals(puzzle).map((reveal, at) => [reveal.join(), BigInt(counts[at])]));
    },
    close() {
      day.worker.terminate();
      whole?.worker.terminate();
    },
  };
}

/** All reveals of a puzzle, the last category varying fastest. @param {Puzzle} puzzle */
export function reveals({ categories }) {
  return categories.reduce((/** @type {string[][]} */ found, { labels }) =>
    found.flatMap((reveal) => labels.map((label) => [...reveal, label])), [[]]);
}

/** Keeps everything for a visit without a network; to be called when the board can be played. Where
 * that is not possible, such as in a private window, nothing is lost but that. */
export function keepOffline() {
  navigator.serviceWorker?.register("offline.js").catch(() => {});
}

/** A worker, and the promises of what it was asked. */
class Peer {
  /** @param {import("./worker.js").Source} source */
  constructor(source) {
    /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
    this.waiting = new Map();
    this.asked = 0;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = /** @type {any} */ (this.waiting.get(id));
      this.waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    };
    this.worker.onerror = () => {
      for (const { reject } of this.waiting.values()) reject(new Error("Counting has failed here."));
      this.waiting.clear();
    };
    this.call("open", source).catch(() => {}); // the first question says so, too
  }

  /** @param {string} task @param {unknown} [value] @returns {Promise<any>} */
  call(task, value) {
    this.asked += 1;
    const id = this.asked;
    this.worker.postMessage({ id, task, value });
    return new Promise((resolve, reject) => { this.waiting.set(id, { resolve, reject }); });
  }
}
