// The page: which puzzle and which date is played, and what is said of the position.
import { isPosted, resolve, route } from "./address.js";
import { announce, awaitCount, remark, showCount, status } from "./announcer.js";
import { difficultyOf, openCounter, openLibrary, openPuzzle } from "./engine.js";
import { Game, onItsSide } from "./game.js";
import { at, disable, element, field } from "./geometry.js";
import { Hands } from "./hands.js";
import { day, leave, left, preference, setDay, setPreference, shelf, watch, whenNothingIsKept } from "./keep.js";
import { Table } from "./table.js";
import { connectTools } from "./tools.js";
import { addressOf, capital, inFewWords, inWords, labelsInWords, later, list, pieceInWords, say, spell, today, where } from "./words.js";

/** @import { Answer, Counter, Library, Puzzle } from "./types.js" @import { Route } from "./address.js" */
/** @typedef {{name: string, puzzle: Puzzle, counter: Counter, when: string, date: string | null, opened: string,
 *   reveal: string[], address: string, heading: string, game: Game, all: bigint | null}} Current
 * what is played, since the day `opened`; `all` solutions has the reveal
 * @typedef {{current: () => Current, library: () => Library, table: Table, status: typeof status,
 *   announce: typeof announce, go: typeof go, recount: typeof recount, worst: typeof worst, found: () => number,
 *   hinted: typeof hinted, act: (tool: string) => void}} Page what views may ask and do */

const DATA = "data/";

let current = /** @type {Current} */ (/** @type {unknown} */ (null)); // until the first puzzle is there
let library = /** @type {Library | null} */ (null);
/** @type {Promise<typeof import("./views.js")> | undefined} once one was asked for */
let views;
let tableShown = false; // before the first view
let opening = 0;
let counting = 0;
const table = new Table(at("table"));
const hands = new Hands(table, remark, announce);

const choosing = import("./choosing.js"); // no count waits for it

/** @type {Page} */
const page = {
  current: () => current, library: () => /** @type {Library} */ (library), table, status, announce, go, recount, worst, hinted, act: (tool) => act(tool),
  found: () => shelf(current.puzzle.digest, current.reveal).filter(({ by }) => by === "me").length,
};

const act = connectTools(page, hands);

/** @param {string} text @param {string} [kind] */
const sayCount = (text, kind) => showCount(text, kind, page.found());

async function recount() {
  const here = current;
  const mine = (counting += 1);
  try {
    const answer = await here.counter.ask({ reveal: here.reveal, placed: here.game.placed });
    if (mine !== counting || here !== current) return;
    at("status").dataset.tilings = String(answer.count);
    judge(here, answer);
  } catch (error) {
    if (mine === counting) sayCount(/** @type {Error} */ (error).message, "bad");
  }
}

/** The pieces to take back when nothing is left: the single one with which most was lost, or as few as
 * possible. @param {Answer} answer */
function worst({ blame }) {
  return blame?.length ? blame.reduce((one, other) => (other.count > one.count ? other : one)) : null;
}

/** @param {...string} parts */
const titleOf = (...parts) => [...parts, "satcal"].filter(Boolean).join(" · ");

/** @param {Current} here @param {Answer} answer */
function judge({ game, all }, answer) {
  const know = preference("know", "nothing");
  at("check-now").hidden = know !== "nothing";
  const [placed, number] = [game.spots.size, answer.count];
  if (game.solved && number === 1n) {
    sayCount(say("solved"), "good");
    finished();
  } else if (know === "nothing" && (placed || number)) sayCount(say("pieces-placed", { placed, all: game.tokens.length }));
  else if (number === 0n) {
    const bad = placed ? worst(answer) : null;
    const names = bad?.pieces.map((each) => each.piece) ?? [];
    const pieces = list(names.map((name) => pieceInWords(game.puzzle, name)));
    table.showHint(0, [], "", names); // by its name nobody would find it
    sayCount(!placed ? say("no-solution") : pieces ? say("none-left-blame", { pieces }) : say("none-left"), "bad");
    if (bad && know === "exact") status(say("none-left-count", { left: bad.count }));
  } else if (know === "solvable") sayCount(say("solvable"));
  else if (all && placed) sayCount(say("left", { left: number, all }));
  else sayCount(say("all-left", { all: number }));
}

/** The last piece lies; what was not there before is celebrated. */
async function finished() {
  const here = current;
  const fresh = here.game.fresh;
  here.game.fresh = false;
  const [{ finish }, { dress }] = await Promise.all([import("./finish.js"), import("./views.js")]);
  await dress();
  if (here === current && here.game.solved) finish(page, fresh);
}

// -- the position

let held = /** @type {number | undefined} */ (undefined);

function handChanged() {
  const token = current.game.hand?.token;
  if (token !== undefined && token === held) table.drawHand();
  else table.draw();
  held = token;
  for (const id of ["turn", "flip"]) disable(id, token === undefined);
}

function placedChanged() {
  const { game, reveal } = current;
  keep();
  if (!game.solved) unfinish();
  table.showHint();
  for (const id of ["hint", "check-now"]) disable(id, game.solved);
  disable("undo", game.now === 0);
  const last = game.placed.at(-1);
  const named = last?.cells.some((cell) => game.puzzle.cells[cell].label !== null); // else only its name is short
  status(last ? "" : reveal.length ? say("start", { labels: labelsInWords(reveal) }) : say("start-plain"));
  if (last) announce(say(named ? "covers" : "placed", { piece: last.piece, cells: where(game.puzzle, last.cells) })); // the others see it
  if (current.all !== null) readOut(current);
  recount();
}

/** @param {Current} here */
const readOut = (here) => import("./reading.js").then(({ listFree }) => here === current && listFree(here));

/** Keeps the game, and that the page has helped with it. */
function keep() {
  const { game, address, date } = current;
  leave(address, game.history, game.now);
  if (game.help && date && !day(address).solved) setDay(address, { helped: true });
}

/** Notes a hint. @param {boolean} told it said where a piece goes */
function hinted(told) {
  const { address, game } = current;
  if (!day(address).solved) setDay(address, { hints: (day(address).hints ?? 0) + 1 });
  if (told) game.helped("h");
  keep();
}

function unfinish() {
  table.stage(false);
  table.root.classList.remove("staged");
  at("finish").hidden = true;
}

// -- what is said of a linked game, of another day, and of a browser that keeps nothing

/** @param {(notices: typeof import("./notices.js")) => void} act */
const notice = (act) => import("./notices.js").then(act);

// -- which puzzle, which date

/** What the address asks for, and its puzzle. */
async function askedFor() {
  library ??= await openLibrary(DATA);
  const asked = route(library);
  const { name } = asked;
  if (!isPosted(name) && !library.puzzles.some((each) => each.name === name)) throw new Error(say("no-puzzle", { name }));
  return { asked, puzzle: current?.name === name ? current.puzzle : await openPuzzle(DATA, name) };
}

async function open() {
  const mine = (opening += 1);
  try {
    const { asked, puzzle } = await askedFor().catch(async (error) => {
      // the list that the browser kept may name boards that are gone, and lack those that came
      library = await openLibrary(DATA, "no-cache").catch(() => { throw error; });
      return askedFor();
    });
    const { name } = asked;
    if (puzzle.calendar && /^[^,]*[^\d,-][^,]*$|^\d\d?-\d|^\d+$/.test(asked.when)) {
      const { dateAndPieces } = await import("./written.js");
      Object.assign(asked, dateAndPieces(asked.rest, today()));
    }
    if (mine !== opening) return;
    const { when } = asked;
    const found = resolve(puzzle, when);
    const address = [name, found.date ?? (when && found.reveal.join())].filter(Boolean).join("/");
    at("play").hidden = false;
    at("sorry").hidden = true;
    if (current?.address === address && !asked.code) current.when = when;
    else begin(asked, { ...found, puzzle, address });
    await showView(asked.view);
  } catch (error) {
    if (mine !== opening) return;
    at("sorry-text").textContent = error instanceof URIError ? say("bad-address") : /** @type {Error} */ (error).message;
    await showView("play");
    document.title = titleOf(say("sorry-title"));
    at("play").hidden = true;
    at("sorry").hidden = false;
    at("sorry-title").focus();
  }
}

/** @param {Route} asked @param {Pick<Current, "puzzle" | "date" | "reveal" | "address">} found */
function begin({ name, when, code }, found) {
  const { puzzle, reveal, address, date } = found;
  const known = current?.name === name;
  if (!known) current?.counter.close();
  const counter = known ? current.counter : openCounter(DATA, puzzle);
  const heading = capital(date ? inWords(date) : labelsInWords(reveal));
  const here = { ...found, name, when, counter, heading, opened: today(), game: new Game(shaped(puzzle), reveal), all: /** @type {bigint | null} */ (null) };
  current = here;
  awaitCount();
  unfinish();
  counter.ask({ reveal, placed: [] }).then(({ count }) => {
    here.all = count;
    if (here !== current) return;
    readOut(here); // from here on nothing is waited for
    import("./clock.js").then(({ run }) => run(page));
    import("./week.js").then(({ showWeek }) => showWeek(page));
    notice(({ look }) => look(page));
    if (library && !library.served) import("./keeping.js").then(({ keepOffline }) => keepOffline(DATA, puzzle, /** @type {Library} */ (library)));
    if (!navigator.onLine) greyOut();
    if (!preference("seen", "")) import("./lesson.js").then(({ teach }) => here === current && teach(page));
    setPreference("seen", "yes");
    import("./paper.js").then(({ fill }) => here === current && fill(page)); // to be printed without waiting
  }, () => {});
  header();
  const { history: steps, now } = left(address);
  play(steps, now);
  if (code) {
    notice(({ visit }) => visit(page, code, steps[now]));
    history.replaceState(null, "", addressOf(name, when));
  }
  if (!isPosted(name)) setPreference("puzzle", name);
}

/** Lays the game of now on the table. @param {string[]} history @param {number} now */
function play(history, now) {
  const { game } = current;
  game.addEventListener("hand", handChanged);
  game.addEventListener("placed", placedChanged);
  game.addEventListener("turned", keep);
  table.open(game);
  game.resume(history, now);
  game.fresh = false;
}

/** A long board lies along the longer side of the window. @param {Puzzle} puzzle */
const shaped = (puzzle) => (puzzle.categories.length ? puzzle : table.prefers(puzzle, onItsSide(puzzle)));

addEventListener("resize", () => {
  const puzzle = current && shaped(current.puzzle);
  if (!current || puzzle.rows === current.game.puzzle.rows) return;
  const { history, now } = current.game;
  current.game = new Game(puzzle, current.reveal);
  play(history, now);
});

let known = ""; // the puzzle that the list shows: it is walked through while a date opens

function header() {
  const { name, puzzle, date, reveal, when, heading } = current;
  const option = (/** @type {string} */ value, /** @type {string} */ textContent) => element("option", { value, textContent, selected: value === name });
  const [dated, boxes] = [true, false].map((dates) => library?.puzzles.filter((each) => each.dates === dates)
    .map((each) => option(each.name, each.title)) ?? []);
  if (isPosted(name)) dated.push(option(name, puzzle.title));
  const group = (/** @type {string} */ label, /** @type {HTMLOptionElement[]} */ options) => element("optgroup", { label: say(label) }, ...options);
  if (known !== name) field("puzzle").replaceChildren(...(dated.length && boxes.length ? [group("calendars", dated), group("boxes", boxes)] : [...dated, ...boxes]));
  known = name;
  at("when").hidden = !puzzle.calendar;
  at("today").hidden = date === today();
  at("title").textContent = heading || puzzle.title;
  at("title-short").textContent = date ? capital(inFewWords(date)) : heading || puzzle.title;
  at("difficulty").textContent = difficultyOf(puzzle, reveal);
  /** @type {HTMLButtonElement} */ (at("pick")).disabled = !puzzle.categories.length;
  document.title = titleOf(heading, puzzle.title);
  choosing.then(({ picker }) => {
    at("play").inert = false; // before, not everything could have answered
    if (current.puzzle === puzzle) picker(puzzle, date, reveal, go);
  });
  for (const view of ["more", "year"]) at(`to-${view}`).setAttribute("href", addressOf(name, when, view));
  at("to-year").hidden = !puzzle.calendar;
}

/** Without a network, boards that were not kept cannot be chosen. */
const greyOut = () => import("./keeping.js").then((keeping) => keeping.greyOut(DATA));

/** @param {string} when @param {string} name */
function go(when, name = current.name) {
  const there = addressOf(name, when);
  if (location.hash === there) open(); // without a date it may be another day by now
  else location.hash = there;
}

choosing.then(({ chosen }) => chosen(field("puzzle"), () => {
  const { value } = field("puzzle");
  go(library?.puzzles.find((each) => each.name === value)?.dates ? current.when : "", value);
}));
for (const [id, days] of Object.entries({ before: -1, after: 1 })) {
  at(id).addEventListener("click", () => go(later(current.date ?? today(), days)));
}
at("today").addEventListener("click", () => go(""));

/** Shows a view over the table, or the table alone. @param {string} wanted */
async function showView(wanted) {
  if (wanted === "play" && !views) tableShown = true;
  else await (views ??= import("./views.js")).then(({ view }) => view(page, wanted, tableShown));
}

watch((address, code) => {
  if (current?.address !== address) return;
  if (code !== null && current.game.history[current.game.now] !== code) current.game.open(code);
  notice(({ look }) => look(page));
});
addEventListener("hashchange", open);
for (const event of ["online", "offline"]) addEventListener(event, () => library && !library.served && greyOut());
addEventListener("visibilitychange", () => document.hidden || notice(({ look }) => look(page)));
setInterval(() => notice(({ look }) => look(page)), 20_000);
spell();
document.documentElement.dataset.letters = preference("letters", "no");
whenNothingIsKept(() => notice(({ nothingKept }) => nothingKept()));
awaitCount();
open();
inWords(today()); // while the board is on its way: the first date in words takes its time
