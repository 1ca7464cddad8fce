// The page: which puzzle and which date, what is said of the position, and the tools.
import { difficultyOf, openCounter, openLibrary, openPuzzle, revealOf } from "./engine.js";
import { Game, onItsSide } from "./game.js";
import { at, disable, element, field } from "./geometry.js";
import { Hands } from "./hands.js";
import { day, leave, left, like, liked, mine, setDay, setMine, shelf, watch, whenNothingIsKept } from "./keep.js";
import { Table } from "./table.js";
import { VIEWS, addressOf, inWords, later, list, parts, pieceInWords, say, spell, today, where } from "./words.js";

/** @import { Answer, Counter, Library, Puzzle } from "./types.js" */
/** @typedef {{view: string, name: string, when: string, code: string, rest: string[]}} Route an address such as
 * #rhombus/2025-10-23, #rhombus/Thu,Oct,23/CODE or #year/rhombus; without a date it is today's; the rest follows the name
 * @typedef {{name: string, puzzle: Puzzle, counter: Counter, when: string, date: string | null, opened: string,
 *   reveal: string[], address: string, heading: string, game: Game, all: bigint | null}} Current
 * what is played, since the day `opened`; `all` solutions has the reveal
 * @typedef {{current: () => Current, library: () => Library, table: Table, tell: typeof tell,
 *   hear: typeof hear, go: typeof go, recount: typeof recount, worst: typeof worst, found: () => number,
 *   hinted: typeof hinted, act: (tool: string) => void}} Page what views may ask and do */

const DATA = "data/";
const own = (/** @type {string} */ name) => name.startsWith("posted-"); // a board that somebody drew

let current = /** @type {Current} */ (/** @type {unknown} */ (null)); // until the first puzzle is there
let library = /** @type {Library | null} */ (null);
let shown = ""; // the view
let depth = 0; // of its address above that of the table: so far back leads what closes it
let opening = 0;
let counting = 0;
let spoken = 0;
let awaiting = 0;
let heard = ""; // what is spoken after the count
let standing = { textContent: say("start-soon"), className: "said" };
const table = new Table(at("table"));
const hands = new Hands(table, remark, hear);

const choosing = import("./choosing.js"); // no count waits for it

/** @type {Page} */
const page = {
  current: () => current, library: () => /** @type {Library} */ (library), table, tell, hear, go, recount, worst, hinted, act,
  found: () => shelf(current.puzzle.digest, current.reveal).filter(({ by }) => by === "me").length,
};

/** @type {Record<string, () => Promise<{open: (body: HTMLElement, page: Page) => unknown}>>} */
const LOADERS = {
  more: () => import("./more.js"), year: () => import("./year.js"), solutions: () => import("./solutions.js"),
  share: () => import("./share.js"), believe: () => import("./believe.js"),
};

// -- what is said: shown at once, spoken when it has settled

/** @param {string} textContent @param {string} [className] */
function tell(textContent, className = "") {
  standing = { textContent, className: `said ${className}` };
  remark();
}

/** Says something for a moment: until the next move what stood there is back. @param {string} [textContent] */
function remark(textContent = standing.textContent) {
  Object.assign(at("said"), standing, { textContent });
  heard = textContent;
  speak();
}

/** Says what everyone else sees. @param {string} text */
function hear(text) {
  remark();
  heard = text;
}

function speak() {
  clearTimeout(spoken);
  const ended = (/** @type {string | null} */ text) => (text && !/[.!?…]$/.test(text) ? `${text}.` : text);
  spoken = setTimeout(() => { at("live").textContent = [at("count").textContent, heard].map(ended).filter(Boolean).join(" "); }, 300);
}

/** What was said of another position is gone at once; a count that takes its time is announced. */
function awaitCount() {
  delete at("status").dataset.tilings;
  for (const id of ["count", "found"]) at(id).textContent = "";
  clearTimeout(awaiting);
  awaiting = setTimeout(() => { Object.assign(at("count"), { textContent: say("counting"), className: "count" }); }, 150);
}

/** @param {string} text @param {string} [className] */
function sayCount(text, className = "") {
  const bold = text.match(/^[\d.,\u00a0\u202f]+/)?.[0] ?? "";
  Object.assign(at("count"), { className: `count ${className}` });
  at("count").replaceChildren(...(bold ? [element("b", { textContent: bold })] : []), text.slice(bold.length));
  clearTimeout(awaiting);
  const number = page.found();
  at("found").textContent = number ? say("found", { found: number }) : "";
  speak();
}

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

/** @param {Current} here @param {Answer} answer */
function judge({ game, all }, answer) {
  const know = liked("know", "nothing");
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
    if (bad && know === "exact") tell(say("none-left-count", { left: bad.count }));
  } else if (know === "solvable") sayCount(say("solvable"));
  else if (all && placed) sayCount(say("left", { left: number, all }));
  else sayCount(say("all-left", { all: number }));
}

/** The last piece lies; what was not there before is celebrated. */
async function finished() {
  const here = current;
  const fresh = here.game.fresh;
  here.game.fresh = false;
  const [{ finish }] = await Promise.all([import("./finish.js"), import("./sentences-en-more.js"), (dressed ??= dress())]);
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
  tell(last ? "" : reveal.length ? say("start", { labels: list(reveal) }) : say("start-plain"));
  if (last) hear(say(named ? "covers" : "placed", { piece: last.piece, cells: where(game.puzzle, last.cells) })); // the others see it
  if (current.all !== null) readOut(current);
  recount();
}

/** @param {Current} here */
const readOut = (here) => Promise.all([import("./reading.js"), import("./sentences-en-more.js")]).then(([{ listFree }]) => here === current && listFree(here));

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

/** @type {Record<string, (game: Game) => unknown>} */
const TOOLS = {
  undo: (game) => game.step(-1), redo: (game) => game.step(1), clear,
  turn: (game) => game.hand && hands.turn(game.hand.token, "turn"),
  flip: (game) => game.hand && hands.turn(game.hand.token, "flip"),
};

/** @param {string} tool */
function act(tool) {
  if (current) TOOLS[tool](current.game);
}

/** Takes all pieces off the board. @param {Game} game */
function clear(game) {
  if (!game.spots.size) return;
  game.set([]);
  tell(say("undo-brings-back"));
}

for (const id of ["hint", "check-now"]) {
  at(id).addEventListener("click", async () => {
    const [{ give, check }] = await Promise.all([import("./hints.js"), import("./sentences-en-more.js")]);
    (id === "hint" ? give : check)(page).catch((error) => tell(error.message, "bad"));
  });
}
for (const id of ["undo", "turn", "flip"]) {
  at(id).addEventListener("click", () => {
    if (at(id).ariaDisabled !== "true") act(id);
    else remark(say(id === "undo" ? "nothing-to-undo" : "take-first"));
  });
}

// -- what is said of a linked game, of another day, and of a browser that keeps nothing

/** @param {(notices: typeof import("./notices.js")) => void} act */
const notice = (act) => Promise.all([import("./notices.js"), import("./sentences-en-more.js")]).then(([notices]) => act(notices));

// -- which puzzle, which date

/** @returns {Route} */
function route() {
  const pieces = location.hash.slice(1).split("/").map(decodeURIComponent);
  const view = VIEWS.includes(pieces[0]) ? pieces[0] : "play";
  const [name = "", ...rest] = view === "play" ? pieces : pieces.slice(1);
  const [when = "", code = ""] = rest;
  return { view, name: name || usual(), when, code, rest };
}

/** The puzzle that was played last, if it is still there. */
function usual() {
  const name = liked("puzzle", "");
  return library?.puzzles.some((each) => each.name === name) ? name : library?.first ?? "";
}

/** What an address asks for, or an Error for people. @param {Puzzle} puzzle @param {string} when */
function resolve(puzzle, when) {
  const { categories, calendar, title } = puzzle;
  const dated = calendar && (!when || /^\d+-\d+-\d+$/.test(when)) ? when || today() : "";
  const date = parts(dated);
  const reveal = date && revealOf(puzzle, ...date);
  if (reveal) return { date: dated, reveal };
  if (when && dated) throw new Error(date ? say("no-such-date", { puzzle: title, date: inWords(when, true) }) : say("no-such-day", { date: when }));
  const labels = when.split(",");
  const found = categories.flatMap((each) => each.labels.find((label) => !when || labels.includes(label)) ?? []);
  if (found.length === categories.length && (!when || found.length === labels.length)) return { date: null, reveal: found };
  const kinds = list(categories.map((each) => each.name));
  throw new Error(say(kinds ? "no-such-reveal" : "no-such-reveal-plain", { puzzle: title, labels: list(labels), categories: kinds }));
}

/** What the address asks for, and its puzzle. */
async function askedFor() {
  library ??= await openLibrary(DATA);
  const asked = route();
  const { name } = asked;
  if (!own(name) && !library.puzzles.some((each) => each.name === name)) throw new Error(say("no-puzzle", { name }));
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
    await view(asked.view);
  } catch (error) {
    if (mine !== opening) return;
    at("sorry-text").textContent = error instanceof URIError ? say("bad-address") : /** @type {Error} */ (error).message;
    shown = "play";
    document.title = say("page-title-plain", { puzzle: say("sorry-title") });
    dialog.close();
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
  const heading = date ? inWords(date) : list(reveal);
  const here = { ...found, name, when, counter, heading, opened: today(), game: new Game(shaped(puzzle), reveal), all: /** @type {bigint | null} */ (null) };
  current = here;
  awaitCount();
  unfinish();
  counter.ask({ reveal, placed: [] }).then(({ count }) => {
    here.all = count;
    if (here !== current) return;
    readOut(here); // from here on nothing is waited for
    import("./clock.js").then(({ run }) => run(page));
    notice(({ look }) => look(page));
    if (library && !library.served) import("./keeping.js").then(({ keepOffline }) => keepOffline(DATA, puzzle, /** @type {Library} */ (library)));
    if (!navigator.onLine) greyOut();
    if (!liked("seen", "")) Promise.all([import("./lesson.js"), import("./sentences-en-more.js")]).then(([{ teach }]) => here === current && teach(page));
    like("seen", "yes");
    import("./paper.js").then(({ fill }) => here === current && fill(page)); // to be printed without waiting
  }, () => {});
  header();
  const { history: steps, now } = left(address);
  play(steps, now);
  if (code) {
    visit(code, steps[now]);
    history.replaceState(null, "", addressOf(name, when));
  }
  if (!own(name)) like("puzzle", name);
}

/** A linked game: one's own is kept beside it. @param {string} code @param {string} before */
function visit(code, before) {
  const { game, address } = current;
  const board = new Game(game.puzzle, current.reveal);
  board.resume(["", before], 1);
  const mineNow = board.tiling;
  board.resume(["", code], 1);
  if (board.tiling === mineNow) return;
  if (mineNow && mine(address) === null) setMine(address, before);
  game.fresh = false;
  game.open(code, "l");
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
  if (own(name)) dated.push(option(name, puzzle.title));
  const group = (/** @type {string} */ label, /** @type {HTMLOptionElement[]} */ options) => element("optgroup", { label: say(label) }, ...options);
  if (known !== name) field("puzzle").replaceChildren(...(dated.length && boxes.length ? [group("calendars", dated), group("boxes", boxes)] : [...dated, ...boxes]));
  known = name;
  at("when").hidden = !puzzle.calendar;
  at("today").hidden = date === today();
  at("title").textContent = heading || puzzle.title;
  at("difficulty").textContent = difficultyOf(puzzle, reveal);
  /** @type {HTMLButtonElement} */ (at("pick")).disabled = !puzzle.categories.length;
  document.title = heading ? say("page-title", { heading, puzzle: puzzle.title }) : say("page-title-plain", { puzzle: puzzle.title });
  choosing.then(({ picker }) => current.puzzle === puzzle && picker(puzzle, date, reveal, go));
  for (const view of ["more", "year"]) at(`to-${view}`).setAttribute("href", addressOf(name, when, view));
  at("to-year").hidden = !puzzle.calendar;
}

/** Without a network, boards that were not kept cannot be chosen. */
async function greyOut() {
  const options = /** @type {HTMLOptionElement[]} */ ([...at("puzzle").querySelectorAll("option")]);
  const names = options.map(({ value }) => value);
  const { keptBoards } = await import("./keeping.js");
  const kept = navigator.onLine ? names : await keptBoards(DATA, names);
  for (const each of options) each.disabled = !kept.includes(each.value);
}

/** @param {string} when @param {string} name */
function go(when, name = current.name) {
  const there = addressOf(name, when);
  if (location.hash === there) open(); // without a date it may be another day by now
  else location.hash = there;
}

choosing.then(({ chosen }) => chosen(field("puzzle"), () => {
  const { value } = field("puzzle");
  if (current) go(library?.puzzles.find((each) => each.name === value)?.dates ? current.when : "", value);
}));
for (const [id, days] of Object.entries({ before: -1, after: 1 })) {
  at(id).addEventListener("click", () => current && go(later(current.date ?? today(), days)));
}
at("today").addEventListener("click", () => current && go(""));

// -- views: a sheet over the table; its address can be shared, and the way back closes it

const dialog = /** @type {HTMLDialogElement} */ (at("sheet"));

/** The style of sheets comes with the first of them. @type {Promise<unknown> | undefined} */
let dressed;

function dress() {
  if (document.querySelector("[data-sheets]")) return undefined; // an edition of one file has it
  const link = element("link", { rel: "stylesheet", href: "sheet.css" });
  document.head.append(link);
  return new Promise((resolve) => { link.onload = link.onerror = resolve; });
}

/** @param {string} wanted */
async function view(wanted) {
  const before = shown;
  shown = wanted;
  if (wanted === "play") {
    if (dialog.open) dialog.close();
    return;
  }
  depth = history.state?.depth ?? (before === "play" ? 1 : before ? depth + 1 : 0);
  history.replaceState({ depth }, "");
  const body = at("sheet-body");
  body.replaceChildren();
  dressed ??= dress();
  await Promise.all([dressed, import("./sentences-en-more.js")]);
  if (shown !== wanted) return;
  dialog.dataset.view = wanted;
  at("sheet-title").textContent = "";
  if (!dialog.open) dialog.showModal();
  at("sheet-title").focus();
  const { open: fill } = await LOADERS[wanted]();
  if (shown === wanted) await fill(body, page);
}

/** Goes back to the table, so that the way back does not open again what was closed. */
function shut() {
  if (depth) return history.go(-depth);
  history.replaceState(null, "", addressOf(current.name, current.when)); // the address of a sheet was the first
  view("play");
}

at("close").addEventListener("click", shut);
dialog.addEventListener("click", (event) => event.target === dialog && shut()); // beside it
dialog.addEventListener("cancel", (event) => { event.preventDefault(); shut(); });
dialog.addEventListener("close", () => shown !== "play" && current && shut()); // a browser may insist

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
document.documentElement.dataset.letters = liked("letters", "no");
whenNothingIsKept(() => notice(({ nothingKept }) => nothingKept()));
awaitCount();
open();
inWords(today()); // while the board is on its way: the first date in words takes its time
