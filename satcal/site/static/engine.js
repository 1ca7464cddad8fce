// Puzzles and their tilings: data files, and workers that count.
import { SENTENCES, translate } from "./i18n.js";

/** @import { Counter, Library, Puzzle } from "./types.js" */

export const DATA = "data/"; // the folder of data files

/** @param {RequestCache} [cache] @returns {Promise<Library>} */
export const openLibrary = (cache) => fetchJson(`${DATA}puzzles.json`, cache);

/** @param {string} name @returns {Promise<Puzzle>} */
export const openPuzzle = (name) => fetchJson(`${DATA}${name}.json`);

/** Return whether a board is one of the player's own. @param {string} name */
export const isOwn = (name) => name.startsWith("own-");

/** Fetch a file of the edition; in an edition of one file it is in the page.
 * @param {string} address @param {RequestCache} [cache] @returns {Promise<Response>} */
export async function fetchFile(address, cache = "default") {
  const embedded = /** @type {any} */ (globalThis).satcal?.files?.[address];
  if (embedded !== undefined) {
    return new Response(typeof embedded === "string" ? Uint8Array.from(atob(embedded), (letter) => letter.charCodeAt(0)) : JSON.stringify(embedded));
  }
  const response = await fetch(address, { cache }).catch(() => null);
  if (!response) throw new Error(translate("no-connection"));
  if (!response.ok) throw new Error(translate("not-loaded", { file: address, status: String(response.status) }));
  return response;
}

/** @param {string} address @param {RequestCache} [cache] @returns {Promise<any>} */
export const fetchJson = async (address, cache) => (await fetchFile(address, cache)).json();

/** Return the reveal of a date, null if the puzzle has none for it.
 * @param {Pick<Puzzle, "categories" | "calendar">} puzzle
 * @param {number} year @param {number} month from 1 @param {number} day
 * @returns {string[] | null} */
export function revealOf(puzzle, year, month, day) {
  const calendar = puzzle.calendar;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (!calendar || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const weekday = (date.getUTCDay() + 6) % 7;
  /** @type {Record<string, number>} */
  const position = { month: month - 1, day: day - 1, weekday, year };
  const reveal = puzzle.categories.map(({ name }) => calendar[name][position[name]]);
  return reveal.every(Boolean) ? reveal : null;
}

/** Start the counting of a puzzle's tilings. A question about one reveal needs only the puzzle: its diagram takes 5 to
 * 400 ms, later answers about one. `year` without pieces reads the shipped table, with pieces the diagram of all reveals;
 * its keys are labels joined by commas. Answers come in the order of the questions; errors have messages for players.
 * @param {Puzzle} puzzle @returns {Counter} */
export function openCounter(puzzle) {
  const file = `${DATA}${puzzle.name}.bin`;
  const dayWorker = new WorkerClient(puzzle);
  /** @type {WorkerClient | undefined} a second one: unpacking takes a second, in which the day must not wait */
  let yearWorker;
  return {
    async ask(question) {
      if (!puzzle.categories.length) await dayWorker.loadWhole(file); // its only reveal
      return dayWorker.call("ask", question);
    },
    async year(placed) {
      const counted = placed.length > 0 || isOwn(puzzle.name);
      if (counted) await (yearWorker ??= new WorkerClient(puzzle)).loadWhole(file);
      const counts = await (counted ? yearWorker?.call("year", placed) : fetchJson(`${DATA}${puzzle.name}.year.json`));
      return new Map(allReveals(puzzle).map((reveal, index) => [reveal.join(), BigInt(counts[index])]));
    },
    close() {
      dayWorker.worker.terminate();
      yearWorker?.worker.terminate();
    },
  };
}

/** Return all reveals of a puzzle, the last category varying fastest. @param {Pick<Puzzle, "categories">} puzzle */
export function allReveals({ categories }) {
  return categories.reduce((/** @type {string[][]} */ found, { labels }) =>
    found.flatMap((reveal) => labels.map((label) => [...reveal, label])), [[]]);
}

/** Return the letter of a reveal's rating; "" for none. @param {Pick<Puzzle, "categories" | "difficulty">} puzzle @param {string[]} reveal */
export function letterOf(puzzle, reveal) {
  let number = allReveals(puzzle).findIndex((each) => each.join() === reveal.join());
  for (const [, length, letter] of number < 0 ? [] : puzzle.difficulty.matchAll(/(\d+)(.)/g)) {
    number -= Number(length);
    if (number < 0) return letter === "-" ? "" : letter;
  }
  return "";
}

/** Return Easy, Fair or Hard; "" for a board that is not satcal's. @param {Puzzle} puzzle @param {string[]} reveal */
export function difficultyOf(puzzle, reveal) {
  const letter = letterOf(puzzle, reveal);
  return letter && translate(`difficulty-${letter}`);
}

/** A worker and its pending questions. */
export class WorkerClient {
  /** @param {Puzzle} puzzle */
  constructor(puzzle) {
    /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
    this.pending = new Map();
    this.lastId = 0;
    this.name = puzzle.name;
    /** @type {(news: any) => void} */
    this.onProgress = () => {};
    this.unpacked = /** @type {Promise<unknown> | undefined} */ (undefined);
    this.hasFailed = false;
    this.worker = startWorker();
    this.worker.onmessage = ({ data: { id, result, error, progress } }) => {
      if (progress !== undefined) return this.onProgress(progress);
      const { resolve, reject } = /** @type {any} */ (this.pending.get(id));
      this.pending.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error in SENTENCES ? translate(error, { name: puzzle.title }) : error));
    };
    this.worker.onerror = () => {
      this.hasFailed = true; // its script did not load, or broke
      for (const { reject } of this.pending.values()) reject(new Error(translate("counting-failed")));
      this.pending.clear();
    };
    this.call("open", puzzle).catch(() => {}); // the first question fails with the same error
  }

  /** Load the diagram of all reveals, or build that of an own board; after a failure the next question tries again.
   * @param {string} file */
  async loadWhole(file) {
    this.unpacked ??= isOwn(this.name) ? this.call("build") : fetchFile(file).then((response) => response.arrayBuffer()).then((bytes) => this.call("unpack", new Uint8Array(bytes)));
    return this.unpacked.catch((error) => {
      this.unpacked = undefined;
      throw error;
    });
  }

  /** @param {string} task @param {unknown} [value] @returns {Promise<any>} */
  call(task, value) {
    if (this.hasFailed) return Promise.reject(new Error(translate("counting-failed")));
    this.lastId += 1;
    const id = this.lastId;
    this.worker.postMessage({ id, task, value });
    return new Promise((resolve, reject) => { this.pending.set(id, { resolve, reject }); });
  }
}

/** @type {any} */
let scriptPolicy; // a site may demand "Trusted Types" of scripts

/** Start a worker; in an edition of one file its text is in the page. */
function startWorker() {
  const embedded = /** @type {any} */ (globalThis).satcal?.worker;
  const address = embedded
    ? URL.createObjectURL(new Blob([embedded], { type: "text/javascript" }))
    : new URL("./worker.js", document.documentElement.dataset?.files || document.baseURI).href;
  scriptPolicy ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy("satcal", { createScriptURL: (/** @type {string} */ url) => url });
  return new Worker(scriptPolicy?.createScriptURL(address) ?? address, embedded ? {} : { type: "module" });
}
