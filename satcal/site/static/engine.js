// What the page knows of puzzles and their tilings: data files, and a worker that counts.
import { SENTENCES, say } from "./words.js";

/** @import { Counter, Library, Puzzle } from "./types.js" */

/** @param {string} base the folder of the data, such as "data/"
 * @param {RequestCache} [cache] @returns {Promise<Library>} */
export const openLibrary = (base, cache) => load(`${base}puzzles.json`, cache);

/** A puzzle, without its tilings. @param {string} base @param {string} name @returns {Promise<Puzzle>} */
export const openPuzzle = (base, name) => load(`${base}${name}.json`);

/** A file of the edition: in an edition of one file it is in the page.
 * @param {string} address @param {RequestCache} [cache] @returns {Promise<Response>} */
export async function fetched(address, cache = "default") {
  const inside = /** @type {any} */ (globalThis).satcal?.files?.[address];
  if (inside !== undefined) {
    return new Response(typeof inside === "string" ? Uint8Array.from(atob(inside), (letter) => letter.charCodeAt(0)) : JSON.stringify(inside));
  }
  const response = await fetch(address, { cache }).catch(() => null);
  if (!response) throw new Error(say("no-connection"));
  if (!response.ok) throw new Error(say("not-loaded", { file: address, status: String(response.status) }));
  return response;
}

/** @param {string} address @param {RequestCache} [cache] @returns {Promise<any>} */
export const load = async (address, cache) => (await fetched(address, cache)).json();

/** The reveal of a date, null if the puzzle has none for it.
 * @param {Puzzle} puzzle
 * @param {number} year @param {number} month from 1 @param {number} day
 * @returns {string[] | null} */
export function revealOf(puzzle, year, month, day) {
  const calendar = puzzle.calendar;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (!calendar || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const [thousands, hundreds, tens, units] = [1000, 100, 10, 1].map((power) => Math.floor(year / power) % 10);
  const weekday = (date.getUTCDay() + 6) % 7;
  /** @type {Record<string, number>} */
  const position = { month: month - 1, day: day - 1, weekday, year, thousands, hundreds, tens, units };
  const reveal = puzzle.categories.map(({ name }) => calendar[name][position[name]]);
  return reveal.every(Boolean) ? reveal : null;
}

/** Starts what counts the tilings of a puzzle. A question about one reveal needs only the puzzle:
 * its own tilings are found in 5 to 400 ms of computing, and after that it is answered in about one.
 * `year` with pieces needs the file with the tilings of all reveals, which is fetched when it is
 * asked; with nothing placed it needs only the shipped table. Its keys are reveals, their labels
 * joined by commas.
 *
 * A newer `ask` does not cancel an older one: answers come in the order of the questions. A promise
 * is rejected with an Error whose message is for people.
 * @param {string} base @param {Puzzle} puzzle @returns {Counter} */
export function openCounter(base, puzzle) {
  const day = new Peer(puzzle);
  /** @type {Peer | undefined} */
  let whole; // another one: unpacking takes a second, in which the day must not wait
  /** @type {Promise<unknown> | undefined} */
  let unpacked, /** @type {Promise<unknown> | undefined} */ loaded;
  const file = async (/** @type {Peer} */ peer) => {
    const bytes = await (await fetched(`${base}${puzzle.name}.bin`)).arrayBuffer();
    await peer.call("unpack", new Uint8Array(bytes));
  };
  const all = async () => {
    whole ??= new Peer(puzzle);
    await (unpacked ??= file(whole).catch((error) => {
      unpacked = undefined; // the next question tries again
      throw error;
    }));
    return whole;
  };
  return {
    async ask(question) {
      if (!puzzle.categories.length) await (loaded ??= file(day).catch((error) => { // it holds the one reveal that there is
        loaded = undefined;
        throw error;
      }));
      return day.call("ask", question);
    },
    async year(placed) {
      const counts = placed.length ? await (await all()).call("year", placed) : await load(`${base}${puzzle.name}.year.json`);
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

/** Easy, Fair or Hard; "" for a board of the player's own. @param {Puzzle} puzzle @param {string[]} reveal */
export function difficultyOf(puzzle, reveal) {
  let number = reveals(puzzle).findIndex((each) => each.join() === reveal.join());
  for (const [, length, letter] of number < 0 ? [] : puzzle.difficulty.matchAll(/(\d+)(.)/g)) {
    number -= Number(length);
    if (number < 0) return letter === "-" ? "" : say(`difficulty-${letter}`);
  }
  return "";
}

/** What a worker says of a failure, in words. @param {string} error @param {string} name of the puzzle */
const inWords = (error, name) => (error in SENTENCES ? say(error, { name }) : error);

/** A worker, and the promises of what it was asked. */
class Peer {
  /** @param {Puzzle} puzzle */
  constructor(puzzle) {
    /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
    this.waiting = new Map();
    this.asked = 0;
    this.dead = false;
    this.worker = newWorker();
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = /** @type {any} */ (this.waiting.get(id));
      this.waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(inWords(error, puzzle.title)));
    };
    this.worker.onerror = () => {
      this.dead = true; // its script did not come, or broke: who asks waits for nothing
      for (const { reject } of this.waiting.values()) reject(new Error(say("counting-failed")));
      this.waiting.clear();
    };
    this.call("open", puzzle).catch(() => {}); // the first question says so, too
  }

  /** @param {string} task @param {unknown} [value] @returns {Promise<any>} */
  call(task, value) {
    if (this.dead) return Promise.reject(new Error(say("counting-failed")));
    this.asked += 1;
    const id = this.asked;
    this.worker.postMessage({ id, task, value });
    return new Promise((resolve, reject) => { this.waiting.set(id, { resolve, reject }); });
  }
}

/** In an edition of one file the worker's text is in the page. */
function newWorker() {
  const inside = /** @type {any} */ (globalThis).satcal?.worker;
  if (inside) return new Worker(URL.createObjectURL(new Blob([inside], { type: "text/javascript" })));
  return new Worker(new URL("./worker.js", document.baseURI), { type: "module" });
}
