// The page: which puzzle and which date, what is said of the position, and the tools.
import { keepOffline, openCounter, openLibrary, openPuzzle, revealOf } from "./engine.js";
import { Game, onItsSide } from "./game.js";
import { at, disable, element, field } from "./geometry.js";
import { Hands } from "./hands.js";
import { Hints, blamed } from "./hints.js";
import { leave, left, like, liked, watch } from "./keep.js";
import { More } from "./more.js";
import { Table } from "./table.js";
import { addressOf, covered, inWords, later, list, parts, today } from "./words.js";

/** @import { Answer, Counter, Puzzle } from "./engine.js" */
/** @typedef {{view: "play" | "more", name: string, when: string, code: string}} Route an address such as
 * #rhombus/2025-10-23, #rhombus/Thu,Oct,23/CODE or #more/rhombus; without a date it is today's
 * @typedef {{name: string, puzzle: Puzzle, counter: Counter, when: string, date: string | null,
 *   reveal: string[], address: string, game: Game, all: bigint | null}} Current
 * what is played; `all` tilings has the reveal */

const DATA = "data/";
const own = (/** @type {string} */ name) => name.startsWith("posted-"); // a board that somebody drew

let current = /** @type {Current} */ (/** @type {unknown} */ (null)); // until the first puzzle is there
let library = /** @type {Awaited<ReturnType<typeof openLibrary>> | null} */ (null);
let opening = 0;
let counting = 0;
let spoken = 0;
const table = new Table(at("table"));
const hands = new Hands(table, say);
const hints = new Hints(table, say, (want) => current.counter.ask({
  reveal: current.reveal, placed: current.game.placed, want, seed: crypto.getRandomValues(new Uint32Array(1))[0] }));
const more = new More(() => current, recount);

// -- what is said: shown at once, spoken when it has settled

/** @param {string} textContent @param {string} className @param {"said" | "count"} id */
function say(textContent, className = "", id = "said") {
  Object.assign(at(id), { textContent, className });
  clearTimeout(spoken);
  spoken = setTimeout(() => { at("live").textContent = at("status").textContent; }, 300);
}

async function recount() {
  const here = current;
  const mine = (counting += 1);
  try {
    const answer = await here.counter.ask({ reveal: here.reveal, placed: here.game.placed });
    if (mine !== counting || here !== current) return;
    at("status").dataset.tilings = String(answer.count);
    tell(here, answer);
  } catch (error) {
    if (mine === counting) say(/** @type {Error} */ (error).message, "bad", "count");
  }
}

/** @param {Current} here @param {Answer} answer */
function tell({ game, all }, answer) {
  const know = liked("know", "exact");
  const [lie, remain] = [game.spots.size, answer.count.toLocaleString("en")];
  const one = answer.count === 1n;
  if (game.solved && one) say("Solved!", "good", "count");
  else if (know === "nothing") say(`${lie} of ${game.tokens.length} pieces lie.`, "", "count");
  else if (answer.count === 0n) {
    say(lie ? "No tiling remains." : "It has no tiling.", "bad", "count");
    say(blamed(answer, know === "exact"));
  } else if (know === "solvable") say("It can still be solved.", "", "count");
  else if (all && lie) say(`${remain} of ${all.toLocaleString("en")} tilings remain${one ? "s" : ""}.`, "", "count");
  else say(`${remain} tiling${one ? "" : "s"}.`, "", "count");
}

// -- the position

function handChanged() {
  table.draw();
  for (const id of ["turn", "flip"]) disable(id, !current.game.hand);
}

function placedChanged() {
  const { game, address, reveal } = current;
  leave(address, game.history, game.now);
  table.draw();
  hints.reset();
  disable("undo", game.now === 0);
  disable("redo", game.now + 1 === game.history.length);
  disable("clear", game.spots.size === 0);
  const last = game.placed.at(-1);
  say(last ? `${last.piece} covers ${covered(game.puzzle, last.cells)}.`
    : `Cover all${reveal.length ? ` but ${list(reveal)}` : ""}. Drag; tap twice to turn.`);
  recount();
}

/** @type {[string, (game: Game) => void][]} */
const TOOLS = [["undo", (game) => game.step(-1)], ["redo", (game) => game.step(1)], ["clear", (game) => game.set([])],
  ["turn", (game) => game.hand && hands.turn(game.hand.token, "turn")],
  ["flip", (game) => game.hand && hands.turn(game.hand.token, "flip")]];
for (const [id, act] of TOOLS) {
  at(id).addEventListener("click", () => current && at(id).ariaDisabled !== "true" && act(current.game));
}

// -- which puzzle, which date

/** @returns {Route} */
function route() {
  const pieces = location.hash.slice(1).split("/").map(decodeURIComponent);
  const view = pieces[0] === "more" ? "more" : "play";
  const [name = "", when = "", code = ""] = view === "more" ? pieces.slice(1) : pieces;
  return { view, name: name || liked("puzzle", library?.first ?? ""), when, code };
}

/** What an address asks for, or an Error for people. @param {Puzzle} puzzle @param {string} when */
function resolve(puzzle, when) {
  const { categories, calendar, title } = puzzle;
  const dated = calendar && (!when || /^\d+-\d+-\d+$/.test(when)) ? when || today() : "";
  const day = parts(dated);
  const reveal = day && revealOf(puzzle, ...day);
  if (reveal) return { date: dated, reveal };
  if (when && dated) throw new Error(day ? `${title} has no ${inWords(when)}.` : `There is no day ${when}.`);
  const labels = when.split(",");
  const found = categories.flatMap((each) => each.labels.find((label) => !when || labels.includes(label)) ?? []);
  if (found.length === categories.length && (!when || found.length === labels.length)) return { date: null, reveal: found };
  const kinds = list(categories.map((each) => each.name)) ;
  throw new Error(`${title} can leave no ${list(labels)} uncovered${kinds && `: it takes one ${kinds}`}.`);
}

async function open() {
  const mine = (opening += 1);
  try {
    library ??= await openLibrary(DATA);
    const asked = route();
    const { name, when } = asked;
    if (!own(name) && !library.puzzles.some((each) => each.name === name)) throw new Error(`There is no puzzle “${name}” here.`);
    const puzzle = current?.name === name ? current.puzzle : await openPuzzle(DATA, name);
    if (mine !== opening) return;
    const found = resolve(puzzle, when);
    const address = [name, found.date ?? (when && found.reveal.join())].filter(Boolean).join("/");
    view(asked.view);
    if (current?.address === address && !asked.code) current.when = when;
    else begin(asked, { ...found, puzzle, address });
    if (asked.view === "more") more.open(library);
  } catch (error) {
    if (mine !== opening) return;
    at("sorry-text").textContent = error instanceof URIError ? "This address means nothing." : /** @type {Error} */ (error).message;
    view("sorry");
  }
}

/** @param {Route} asked @param {Pick<Current, "puzzle" | "date" | "reveal" | "address">} found */
function begin({ name, when, code }, found) {
  const { puzzle, reveal, address } = found;
  const known = current?.name === name;
  if (!known) current?.counter.close();
  const counter = known ? current.counter : openCounter(DATA, puzzle);
  const here = { ...found, name, when, counter, game: new Game(shaped(puzzle), reveal), all: /** @type {bigint | null} */ (null) };
  current = here;
  counter.ask({ reveal, placed: [] }).then(({ count }) => { here.all = count; if (!library?.served) keepOffline(); }, () => {});
  header();
  const { history, now } = left(address);
  play(history, now);
  if (code) {
    here.game.open(code);
    window.history.replaceState(null, "", addressOf(name, when));
  }
  if (!own(name)) like("puzzle", name);
  if (!liked("seen", "")) table.demonstrate();
  like("seen", "yes");
}

/** Lays the game of now on the table. @param {string[]} history @param {number} now */
function play(history, now) {
  const { game } = current;
  game.addEventListener("hand", handChanged);
  game.addEventListener("placed", placedChanged);
  table.open(game);
  game.resume(history, now);
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

/** @param {"play" | "more" | "sorry"} shown */
function view(shown) {
  const more = !at("more").hidden;
  for (const id of ["play", "more", "sorry"]) at(id).hidden = id !== shown;
  if (shown === "play") table.layout();
  if (shown === "play" && more) at("to-more").focus({ preventScroll: true });
  if (shown !== "play" && !(more && shown === "more")) at(`${shown}-title`).focus();
}

function header() {
  const { name, puzzle, date, reveal, when } = current;
  const titles = library?.puzzles.map((each) => [each.name, each.title]) ?? [];
  if (own(name)) titles.push([name, puzzle.title]);
  at("puzzle").replaceChildren(...titles.map(([value, textContent]) => element("option", { value, textContent, selected: value === name })));
  field("date").value = date ?? "";
  at("when").hidden = puzzle.categories.length === 0;
  for (const id of ["before", "date", "after", "today"]) at(id).hidden = !puzzle.calendar;
  const selects = (puzzle.calendar ? [] : puzzle.categories).map(({ name: category, labels }) => element(
    "select", { "aria-label": category, autocomplete: "off" },
    ...labels.map((label) => element("option", { textContent: label, selected: reveal.includes(label) }))));
  at("labels").replaceChildren(...selects);
  for (const select of selects) chosen(select, () => go(selects.map((each) => each.value).join()));
  const heading = date ? inWords(date) : list(reveal);
  at("title").textContent = [puzzle.title, heading].filter(Boolean).join(", ");
  document.title = [heading, puzzle.title, "satcal"].filter(Boolean).join(" · ");
  at("to-more").setAttribute("href", addressOf(name, when, "more"));
  at("to-play").setAttribute("href", addressOf(name, when));
  at("to-today").setAttribute("href", addressOf(name, ""));
}

/** @param {string} when @param {string} name */
const go = (when, name = current.name) => { location.hash = addressOf(name, when); };

// Calls back when a value was chosen: not while it is being typed or walked through by arrows.
/** @param {HTMLInputElement | HTMLSelectElement} control @param {() => void} act */
function chosen(control, act) {
  let typing = false;
  let before = control.value;
  const done = () => {
    typing = false;
    if (!current || control.value === before || !control.checkValidity()) return;
    before = control.value;
    act();
  };
  control.addEventListener("focus", () => { before = control.value; });
  control.addEventListener("pointerdown", () => { typing = false; });
  control.addEventListener("keydown", (event) => {
    typing = /** @type {KeyboardEvent} */ (event).key !== "Enter";
    if (!typing) done();
  });
  control.addEventListener("change", () => typing || done());
  control.addEventListener("blur", done);
}

chosen(field("puzzle"), () => {
  const { value } = field("puzzle");
  go(library?.puzzles.find((each) => each.name === value)?.dates ? current.when : "", value);
});
chosen(field("date"), () => go(field("date").value));
for (const [id, days] of Object.entries({ before: -1, after: 1 })) {
  at(id).addEventListener("click", () => go(later(current.date ?? today(), days)));
}
at("today").addEventListener("click", () => go(""));
watch((address, code) => current?.address === address && current.game.code() !== code && current.game.open(code));
addEventListener("hashchange", open);
addEventListener("visibilitychange", () => {
  if (!document.hidden && current?.date && !current.when && current.date !== today()) open(); // it is tomorrow
});
open();
