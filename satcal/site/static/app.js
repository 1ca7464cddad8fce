// The page: which puzzle and which date, what is said of the position, and the tools.
import { keepOffline, openCounter, openLibrary, openPuzzle, revealOf } from "./engine.js";
import { Game, onItsSide } from "./game.js";
import { at, element } from "./geometry.js";
import { Hands } from "./hands.js";
import { Hints, blamed } from "./hints.js";
import { leave, left, like, liked, watch } from "./keep.js";
import { More } from "./more.js";
import { Table } from "./table.js";
import { addressOf, covered, inWords, later, list, parts, today } from "./words.js";

/** @typedef {import("./engine.js").Puzzle} Puzzle */
/** @typedef {{view: "play" | "more", name: string, when: string, code: string}} Route
 * an address: #rhombus/2025-10-23, #rhombus/Thu,Oct,23/CODE, #more/rhombus; without a date it is today */
/** @typedef {{
 *   name: string, puzzle: Puzzle, counter: import("./engine.js").Counter, when: string,
 *   date: string | null, reveal: string[], address: string, game: Game,
 *   all: bigint | null, remaining: bigint | null,     // tilings of the reveal, and with what is placed
 * }} Current */

const DATA = "data/";
/** @type {Current | null} */
let current = null;
/** @type {Awaited<ReturnType<typeof openLibrary>> | null} */
let library = null;
let opening = 0;
let counting = 0;
let spoken = 0;

const table = new Table(at("table"));
const hands = new Hands(table, say);
const hints = new Hints(table, say, (want) => {
  const { counter, reveal, game } = /** @type {Current} */ (current);
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  return counter.ask({ reveal, placed: game.placed, want, seed });
});
const more = new More(() => /** @type {Current} */ (current), recount);

// -- what is said: shown at once, spoken when it has settled

/** @param {string} text @param {string} [className] */
function say(text, className = "") {
  Object.assign(at("said"), { textContent: text, className });
  speak();
}

function speak() {
  clearTimeout(spoken);
  spoken = setTimeout(() => { at("live").textContent = at("status").textContent; }, 300);
}

/** @param {string} text @param {string} [className] */
function tell(text, className = "") {
  Object.assign(at("count"), { textContent: text, className });
  speak();
}

async function recount() {
  const here = /** @type {Current} */ (current);
  const { game, counter, reveal } = here;
  const mine = (counting += 1);
  here.remaining = null;
  try {
    const answer = await counter.ask({ reveal, placed: game.placed });
    if (mine !== counting || here !== current) return;
    here.remaining = answer.count;
    if (!game.placed.length) here.all = answer.count;
    show(here, answer);
  } catch (error) {
    if (mine === counting) tell(/** @type {Error} */ (error).message, "bad");
  }
}

/** @param {Current} here @param {import("./engine.js").Answer} answer */
function show({ game, all }, answer) {
  const know = liked("know", "exact");
  const solved = game.solved && answer.count === 1n;
  at("table").classList.toggle("solved", solved);
  at("status").dataset.tilings = String(answer.count);
  if (solved) tell("Solved!", "good");
  else if (know === "nothing") tell(`${game.spots.size} of ${game.tokens.length} pieces lie.`);
  else if (answer.count === 0n) {
    tell(game.spots.size ? "No tiling remains." : "It has no tiling.", "bad");
    say(blamed(answer, know === "exact"));
  } else if (know === "solvable") tell("It can still be solved.");
  else {
    const of = all && game.spots.size ? ` of ${all.toLocaleString("en")}` : "";
    const noun = answer.count === 1n && !of ? "tiling" : "tilings";
    tell(`${answer.count.toLocaleString("en")}${of} ${noun}${of ? (answer.count === 1n ? " remains." : " remain.") : "."}`);
  }
}

// -- the position

function handChanged() {
  const { game } = /** @type {Current} */ (current);
  table.draw();
  for (const id of ["turn", "flip"]) at(id).setAttribute("aria-disabled", String(!game.hand));
}

function placedChanged() {
  const here = /** @type {Current} */ (current);
  const { game, address } = here;
  leave(address, game.history, game.now);
  table.draw();
  hints.reset();
  at("undo").setAttribute("aria-disabled", String(game.now === 0));
  at("redo").setAttribute("aria-disabled", String(game.now + 1 === game.history.length));
  at("clear").setAttribute("aria-disabled", String(game.spots.size === 0));
  const last = game.placed.at(-1);
  say(last ? `${last.piece} covers ${covered(game.puzzle, last.cells)}.` : rules(here));
  recount();
}

/** @param {Current} here */
const rules = ({ reveal }) => `Cover all${reveal.length ? ` but ${list(reveal)}` : ""}. Drag; tap twice to turn.`;

/** @param {string} id @param {(game: Game) => void} act */
function tool(id, act) {
  at(id).addEventListener("click", () => {
    if (current && at(id).getAttribute("aria-disabled") !== "true") act(current.game);
  });
}

/** @param {"turn" | "flip"} how @returns {(game: Game) => void} */
const turning = (how) => (game) => game.hand && hands.turn(game.hand.token, how);
tool("undo", (game) => game.step(-1));
tool("redo", (game) => game.step(1));
tool("clear", (game) => game.set([]));
tool("turn", turning("turn"));
tool("flip", turning("flip"));

// -- which puzzle, which date

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // then it is no name of ours
  }
}

/** @returns {Route} */
function route() {
  const pieces = location.hash.slice(1).split("/").map(decoded);
  const view = pieces[0] === "more" ? "more" : "play";
  if (view === "more") pieces.shift();
  const [name = "", when = "", code = ""] = pieces;
  return { view, name: name || liked("puzzle", library?.first ?? ""), when, code };
}

/** What an address asks for; throws an Error for people.
 * @param {Puzzle} puzzle @param {string} when
 * @returns {{date: string | null, reveal: string[]}} */
function resolve(puzzle, when) {
  const { categories, calendar, title } = puzzle;
  if (!when && calendar) {
    const reveal = revealOf(puzzle, .../** @type {[number, number, number]} */ (parts(today())));
    if (reveal) return { date: today(), reveal };
  }
  if (/^\d+-\d+-\d+$/.test(when)) {
    const date = parts(when);
    const reveal = date && revealOf(puzzle, ...date);
    if (!reveal) throw new Error(date ? `${title} has no ${inWords(when)}.` : `There is no day ${when}.`);
    return { date: when, reveal };
  }
  const labels = when.split(",");
  const reveal = categories.map((each) => each.labels.find((label) => !when || labels.includes(label)));
  const known = reveal.filter((label) => label !== undefined);
  if (known.length < categories.length || (when && known.length < labels.length)) {
    throw new Error(`${title} can leave no ${list(labels)} uncovered: it takes one ${list(categories.map((each) => each.name))}.`);
  }
  return { date: null, reveal: known };
}

async function open() {
  const mine = (opening += 1);
  try {
    library ??= await openLibrary(DATA);
    const asked = route();
    const name = asked.name;
    if (!library.puzzles.some((each) => each.name === name) && !name.startsWith("posted-")) {
      throw new Error(`There is no puzzle “${name}” here.`);
    }
    const known = current?.name === name ? current : null;
    const puzzle = known ? known.puzzle : await openPuzzle(DATA, name);
    if (mine !== opening) return;
    const { date, reveal } = resolve(puzzle, asked.when);
    const address = [name, date ?? (asked.when ? reveal.join(",") : "")].filter(Boolean).join("/");
    view(asked.view);
    if (known?.address === address && !asked.code) {
      known.when = asked.when;
    } else begin(asked, puzzle, date, reveal, address);
    if (asked.view === "more") more.open(library);
  } catch (error) {
    if (mine !== opening) return;
    at("sorry-text").textContent = /** @type {Error} */ (error).message;
    view("sorry");
  }
}

/** @param {Route} asked @param {Puzzle} puzzle @param {string | null} date
 * @param {string[]} reveal @param {string} address */
function begin(asked, puzzle, date, reveal, address) {
  const { name, when, code } = asked;
  const same = current?.name === name;
  if (!same) current?.counter.close();
  const counter = same && current ? current.counter : openCounter(name.startsWith("posted-") ? null : DATA, puzzle);
  const game = new Game(shaped(puzzle), reveal);
  current = { name, puzzle, counter, when, date, reveal, address, game, all: null, remaining: null };
  counter.ask({ reveal, placed: [] }).then(({ count }) => { if (current?.game === game) current.all = count; }, () => {});
  game.addEventListener("hand", handChanged);
  game.addEventListener("placed", placedChanged);
  table.open(game);
  header();
  const { history, now } = left(address);
  game.resume(history, now);
  if (code) {
    game.open(code);
    window.history.replaceState(null, "", addressOf(name, when));
  }
  if (!name.startsWith("posted-")) like("puzzle", name);
  if (!liked("seen", "")) table.demonstrate();
  like("seen", "yes");
  counter.ready(reveal).then(keepOffline, () => {});
}

/** A long board lies along the longer side of the window. @param {Puzzle} puzzle */
const shaped = (puzzle) => (Object.keys(puzzle.labels).length ? puzzle : table.prefers(puzzle, onItsSide(puzzle)));

addEventListener("resize", () => {
  if (!current || current.puzzle.rows === current.puzzle.columns) return;
  const puzzle = shaped(current.puzzle);
  if (puzzle.rows === current.game.puzzle.rows) return;
  const game = new Game(puzzle, current.reveal);
  const { history, now } = current.game;
  current.game = game;
  game.addEventListener("hand", handChanged);
  game.addEventListener("placed", placedChanged);
  table.open(game);
  game.resume(history, now);
});

/** @param {"play" | "more" | "sorry"} shown */
function view(shown) {
  const before = at("more").hidden ? "play" : "more";
  for (const id of ["play", "more", "sorry"]) at(id).hidden = id !== shown;
  if (shown === "more" && before !== shown) at("more-title").focus();
  if (shown === "play" && before !== shown) at("to-more").focus({ preventScroll: true });
  if (shown === "sorry") at("sorry-title").focus();
  if (shown === "play") table.layout();
}

function header() {
  const { name, puzzle, date, reveal, when } = /** @type {Current} */ (current);
  const titles = (library?.puzzles ?? []).map((each) => [each.name, each.title]);
  if (!titles.some(([each]) => each === name)) titles.push([name, puzzle.title]);
  const options = titles.map(([value, text]) => element("option", { value, textContent: text, selected: value === name }));
  at("puzzle").replaceChildren(...options);
  /** @type {HTMLInputElement} */ (at("date")).value = date ?? "";
  at("when").hidden = puzzle.categories.length === 0;
  for (const id of ["before", "date", "after", "today"]) at(id).hidden = !puzzle.calendar;
  at("labels").hidden = Boolean(puzzle.calendar);
  at("labels").replaceChildren(...(puzzle.calendar ? [] : puzzle.categories.map(({ name: category, labels }) =>
    element("select", { "aria-label": category, autocomplete: "off" }, ...labels.map((label) => element(
      "option", { textContent: label, selected: reveal.includes(label) }))))));
  for (const select of at("labels").children) {
    chosen(/** @type {HTMLSelectElement} */ (select), () => go(name, [...at("labels").children].map((each) => /** @type {HTMLSelectElement} */ (each).value).join(",")));
  }
  const heading = date ? inWords(date) : list(reveal);
  at("title").textContent = [puzzle.title, heading].filter(Boolean).join(", ");
  document.title = [heading, puzzle.title, "satcal"].filter(Boolean).join(" · ");
  at("to-more").setAttribute("href", addressOf(name, when, "more"));
  at("to-play").setAttribute("href", addressOf(name, when));
}

/** @param {string} name @param {string} when */
function go(name, when) {
  location.hash = addressOf(name, when);
}

/** Calls back when a value was chosen: not while it is being typed or walked through by arrows.
 * @param {HTMLInputElement | HTMLSelectElement} control @param {() => void} act */
function chosen(control, act) {
  let typing = false;
  let before = control.value;
  const done = () => {
    typing = false;
    if (control.value === before || !control.checkValidity()) return;
    before = control.value;
    act();
  };
  control.addEventListener("focus", () => { before = control.value; });
  control.addEventListener("keydown", (event) => {
    typing = /** @type {KeyboardEvent} */ (event).key !== "Enter";
    if (!typing) done();
  });
  control.addEventListener("pointerdown", () => { typing = false; });
  control.addEventListener("change", () => { if (!typing) done(); });
  control.addEventListener("blur", done);
}

chosen(at("puzzle"), () => {
  const { value } = /** @type {HTMLSelectElement} */ (at("puzzle"));
  go(value, library?.puzzles.find((each) => each.name === value)?.dates ? current?.when ?? "" : "");
});
chosen(at("date"), () => go(current?.name ?? "", /** @type {HTMLInputElement} */ (at("date")).value));
at("when").addEventListener("submit", (event) => event.preventDefault());
at("before").addEventListener("click", () => go(current?.name ?? "", later(current?.date ?? today(), -1)));
at("after").addEventListener("click", () => go(current?.name ?? "", later(current?.date ?? today(), 1)));
at("today").addEventListener("click", () => go(current?.name ?? "", ""));

watch((address, code) => {
  if (current?.address === address && current.game.code() !== code) current.game.open(code);
});
addEventListener("hashchange", open);
addEventListener("visibilitychange", () => {
  if (!document.hidden && current?.date && !current.when && current.date !== today()) open();
});
open();
