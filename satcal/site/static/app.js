// The page: which puzzle and which date is played, and what is shown of the position.
import { monthDays, resolveReveal, parseRoute } from "./address.js";
import { announce, beSilent, clearCount, showCount, showStatus } from "./announcer.js";
import { difficultyOf, isOwn, openCounter, openLibrary, openPuzzle } from "./engine.js";
import { Game, rotateBoard } from "./game.js";
import { byId, setDisabled, createElement, inputById } from "./geometry.js";
import { InputHandler } from "./input.js";
import { loadDay, saveGame, loadGame, ownBoards, preference, updateDay, setPreference, shelf, onStorageChange, onStorageFailure } from "./storage.js";
import { BoardView } from "./board-view.js";
import { showThree } from "./three.js";
import { connectTools } from "./tools.js";
import { addressOf, capitalize, formatShortDate, formatLongDate, formatLabels, addDays, describeBlame, translate, translatePage, today, describeCells } from "./i18n.js";

/** @import { Answer, Library, Puzzle } from "./types.js" @import { Route } from "./address.js" @import { Page, Session } from "./types-page.js" */

let current = /** @type {Session} */ (/** @type {unknown} */ (null)); // until the first puzzle is loaded
let library = /** @type {Library | null} */ (null);
/** @type {Promise<typeof import("./views.js")> | undefined} */
let views;
let tableShown = false; // before the first view
let lastOpening = 0;
let lastCount = 0;
let onDate = /** @type {(() => void) | null} */ (null); // when the date that was chosen is open, which gets the focus
const table = new BoardView(byId("table"));
const input = new InputHandler(table);

const pickerModule = import("./picker.js"); // no count waits for it

/** @type {Page} */
const page = {
  current: () => current, library: () => /** @type {Library} */ (library), table, showStatus, announce, navigate, recount, recordHint,
  runTool: (tool) => runTool(tool), focusDate: (then = () => {}) => { onDate = then; },
  countFound: () => shelf(current.puzzle.digest, current.reveal).filter(({ by }) => by === "me").length,
};

const runTool = connectTools(page, input);

/** @param {string} text @param {string} [kind] */
const showCurrentCount = (text, kind) => showCount(text, kind, page.countFound());

async function recount() {
  const session = current;
  const ticket = (lastCount += 1);
  try {
    const answer = await session.counter.ask({ reveal: session.reveal, placed: session.game.placed });
    if (ticket !== lastCount || session !== current) return;
    byId("status").dataset.tilings = String(answer.count);
    showAnswer(session, answer);
  } catch (error) {
    if (ticket === lastCount) showCurrentCount(/** @type {Error} */ (error).message, "bad");
  }
}

/** @param {...string} parts */
const joinTitle = (...parts) => [...parts, "satcal"].filter(Boolean).join(" · ");

/** @param {Session} session @param {Answer} answer */
function showAnswer({ game, total }, answer) {
  const feedback = preference("know", "nothing");
  byId("check-now").hidden = feedback !== "nothing";
  const [placed, left] = [game.spots.size, answer.count];
  if (game.isSolved && left === 1n) {
    showCurrentCount(translate("solved"), "good");
    celebrate();
  } else if (feedback === "nothing" && (placed || left)) showCurrentCount(translate("pieces-placed", { placed, all: game.tokens.length }));
  else if (left === 0n) {
    const { blame = [] } = answer;
    table.showHint(0, [], "", blame.flatMap(({ pieces }) => pieces.map((each) => each.piece))); // the names may not be visible
    showCurrentCount(!placed ? translate("no-solution") : blame.length ? translate("none-left-blame", { pieces: describeBlame(game.puzzle, blame) }) : translate("none-left"), "bad");
    if (blame.length === 1 && feedback === "exact") showStatus(translate("none-left-count", { left: blame[0].count }));
  } else if (feedback === "solvable") showCurrentCount(translate("solvable"));
  else if (total && placed) showCurrentCount(translate("left", { left, all: total }));
  else showCurrentCount(translate("all-left", { all: left }));
}

/** Show the finish; it is celebrated if the position is new. */
async function celebrate() {
  const session = current;
  const { isFresh } = session.game;
  session.game.isFresh = false;
  const [{ showFinish }, { loadStyle }] = await Promise.all([import("./finish.js"), import("./views.js")]);
  await loadStyle("sheet");
  if (session === current && session.game.isSolved) showFinish(page, isFresh);
}

// -- the position

let heldToken = /** @type {number | undefined} */ (undefined);

function onHandChange() {
  const token = current.game.hand?.token;
  if (token !== undefined && token === heldToken) table.drawHand();
  else table.draw();
  heldToken = token;
  for (const id of ["turn", "flip"]) setDisabled(id, token === undefined);
}

function onPlacedChange() {
  const { game, reveal } = current;
  saveCurrent();
  if (!game.isSolved) hideFinish();
  table.showHint();
  for (const id of ["hint", "check-now"]) setDisabled(id, game.isSolved);
  setDisabled("undo", game.cursor === 0);
  const last = game.placed.at(-1);
  if (last && game.isFresh && ["buzz", "sound"].some((each) => preference(each, "no") === "yes")) import("./feedback.js").then(({ knock }) => knock());
  const named = last?.cells.some((cell) => game.puzzle.cells[cell].label !== null); // else only its name is short
  showStatus(last ? "" : reveal.length ? translate("start", { labels: formatLabels(game.puzzle, reveal) }) : translate("start-plain"));
  if (last) announce(translate(named ? "covers" : "placed", { piece: last.piece, cells: describeCells(game.puzzle, last.cells) })); // the others see it
  if (current.total !== null) describeFreeCells(current);
  recount();
}

/** @param {Session} session */
const describeFreeCells = (session) => import("./free-cells.js").then(({ listFreeCells }) => session === current && listFreeCells(session));

/** Save the game, and that the page has helped with it. */
function saveCurrent() {
  const { game, address, date } = current;
  saveGame(address, game.history, game.cursor);
  if (game.help && date && !loadDay(address).solved) updateDay(address, { helped: true });
}

/** Record a hint. @param {boolean} isPlacement it said where a piece goes */
function recordHint(isPlacement) {
  const { address, game } = current;
  if (!loadDay(address).solved) updateDay(address, { hints: (loadDay(address).hints ?? 0) + 1 });
  if (isPlacement) game.recordHelp("h");
  saveCurrent();
}

function hideFinish() {
  table.setStaged(null);
  byId("tools").classList.remove("covered");
  byId("finish").hidden = true;
}

/** Show notices: of a linked game, of another day, of a browser that saves nothing.
 * @param {(notices: typeof import("./notices.js")) => void} show */
const withNotices = (show) => import("./notices.js").then(show);
const updateNotices = () => withNotices((notices) => notices.updateNotices(page));

// -- which puzzle, which date

/** Return what the address asks for, and its puzzle. */
async function findRoute() {
  library ??= await openLibrary();
  const route = parseRoute(library);
  if (route.name.startsWith("own=")) { // a board in a link
    route.name = await import("./own-boards.js").then(({ openLink }) => openLink(route.name.slice(4), /** @type {Library} */ (library)));
    history.replaceState(null, "", addressOf(route.name, route.when) + (route.code ? `/${route.code}` : ""));
  }
  const { name } = route;
  if (!isOwn(name) && !library.puzzles.some((each) => each.name === name)) throw new Error(translate("no-puzzle", { name }));
  return { route, puzzle: current?.name === name ? current.puzzle : await (isOwn(name) ? (await import("./own-boards.js")).openOwn(name) : openPuzzle(name)) };
}

async function openRoute() {
  const ticket = (lastOpening += 1);
  try {
    const { route, puzzle } = await findRoute().catch(async (error) => {
      // the list in the browser's cache may be out of date
      library = await openLibrary("no-cache").catch(() => { throw error; });
      return findRoute();
    });
    if (puzzle.calendar && /^[^,]*[^\d,-][^,]*$|^\d\d?-\d|^\d+$/.test(route.when.replaceAll(", ", " "))) {
      const { splitAddress } = await import("./parse-date.js");
      Object.assign(route, splitAddress(route.rest, today()));
    }
    if (ticket !== lastOpening) return;
    const { name, when } = route;
    const target = resolveReveal(puzzle, when);
    const address = [name, target.date ?? (when && target.reveal.join())].filter(Boolean).join("/");
    byId("play").hidden = false;
    byId("sorry").hidden = true;
    if (current?.address === address && !route.code) current.dateParam = when;
    else startGame(route, { ...target, puzzle, address });
    await showView(route.view);
    if (onDate && route.view === "play") {
      byId("pick").focus({ preventScroll: true });
      onDate();
    }
    onDate = null;
  } catch (error) {
    if (ticket !== lastOpening) return;
    byId("sorry-text").textContent = error instanceof URIError ? translate("bad-address") : /** @type {Error} */ (error).message;
    await showView("play");
    document.title = joinTitle(translate("sorry-title"));
    byId("play").hidden = true;
    byId("sorry").hidden = false;
    beSilent();
    byId("sorry-title").focus();
  }
}

/** @param {Route} route @param {Pick<Session, "puzzle" | "date" | "reveal" | "address">} target */
function startGame({ name, when, code }, target) {
  const { puzzle, reveal, address, date } = target;
  const isSame = current?.name === name;
  if (!isSame) current?.counter.close();
  const counter = isSame ? current.counter : openCounter(puzzle);
  const heading = capitalize(date ? formatLongDate(date) : monthDays(puzzle) ? translate("day-of-month", { day: reveal[0] }) : formatLabels(puzzle, reveal));
  /** @type {Session} */
  const session = { ...target, name, dateParam: when, counter, heading, openedOn: today(), game: new Game(orient(puzzle), reveal), total: null };
  current = session;
  clearCount();
  hideFinish();
  counter.ask({ reveal, placed: [] }).then(({ count }) => {
    session.total = count;
    if (session === current) loadTheRest(session);
  }, () => {});
  drawHeader();
  const { history: steps, cursor } = loadGame(address);
  attachGame(steps, cursor);
  if (code) { // one with points is the result of a friend
    if (code.includes(".")) import("./friends.js").then(({ receiveResult }) => receiveResult(page, code));
    else withNotices(({ openLinkedGame }) => openLinkedGame(page, code, steps[cursor]));
    history.replaceState(null, "", addressOf(name, when));
  }
  setPreference("puzzle", name);
}

/** Load what the first count does not need. @param {Session} session */
function loadTheRest(session) {
  describeFreeCells(session);
  import("./clock.js").then(({ startClock }) => startClock(page));
  import("./habit.js").then(({ updateBadge }) => session.date && updateBadge(session.name));
  import("./week.js").then(({ showWeek }) => showWeek(page));
  updateNotices();
  if (library && !library.served) import("./cache.js").then(({ keepOffline }) => keepOffline(session.puzzle, page.library()));
  if (!navigator.onLine) disableMissing();
  if (!preference("seen", "")) import("./tutorial.js").then(({ startTutorial }) => session === current && startTutorial(page));
  setPreference("seen", "yes");
  import("./print.js").then(({ preparePrintSheet }) => session === current && preparePrintSheet(page)); // printing does not wait
}

/** Show the current game on the table. @param {string[]} history @param {number} cursor */
function attachGame(history, cursor) {
  const { game } = current;
  game.addEventListener("hand", onHandChange);
  game.addEventListener("placed", onPlacedChange);
  game.addEventListener("turned", saveCurrent);
  table.openGame(game);
  game.resume(history, cursor);
  game.isFresh = false;
}

/** Lay a long board along the longer side of the window. @param {Puzzle} puzzle */
const orient = (puzzle) => (puzzle.categories.length ? puzzle : table.preferred(puzzle, rotateBoard(puzzle)));

addEventListener("resize", () => {
  const puzzle = current && orient(current.puzzle);
  if (!current || puzzle.rows === current.game.puzzle.rows) return;
  const { history, cursor } = current.game;
  current.game = new Game(puzzle, current.reveal);
  attachGame(history, cursor);
});

let listedPuzzle = ""; // the select is rebuilt only for another puzzle: a player may be walking through it

function drawHeader() {
  const { name, puzzle, date, reveal, dateParam, heading } = current;
  const option = (/** @type {string} */ value, /** @type {string} */ textContent) => createElement("option", { value, textContent, selected: value === name });
  const [calendars, boxes] = [true, false].map((dates) => library?.puzzles.filter((each) => each.dates === dates)
    .map((each) => option(each.name, each.title)) ?? []);
  const group = (/** @type {string} */ label, /** @type {HTMLOptionElement[]} */ options) => createElement("optgroup", { label: translate(label) }, ...options);
  const own = ownBoards().map((each) => option(each.name, each.title));
  const groups = /** @type {[string, HTMLOptionElement[]][]} */ ([["calendars", calendars], ["boxes", boxes], ["own", own]]).filter(([, options]) => options.length);
  if (listedPuzzle !== name) byId("puzzle").replaceChildren(...(groups.length > 1 ? groups.map(([label, options]) => group(label, options)) : groups.flatMap(([, options]) => options)));
  listedPuzzle = name;
  byId("to-year").hidden = !puzzle.calendar;
  byId("when").hidden = !puzzle.calendar && !monthDays(puzzle);
  byId("today").hidden = date === today() || (monthDays(puzzle) !== null && reveal[0] === String(Number(today().slice(8))));
  byId("title").textContent = heading || puzzle.title;
  byId("title-short").textContent = date ? capitalize(formatShortDate(date)) : heading || puzzle.title;
  byId("difficulty").textContent = showThree(page) ? "" : difficultyOf(puzzle, reveal); // a chip has it
  /** @type {HTMLButtonElement} */ (byId("pick")).disabled = !puzzle.categories.length;
  document.title = joinTitle(heading, puzzle.title);
  pickerModule.then(({ fillPicker }) => {
    byId("play").inert = false; // now everything can answer
    if (current.puzzle === puzzle) fillPicker(puzzle, date, reveal, navigate);
  });
  for (const view of ["more", "year"]) byId(`to-${view}`).setAttribute("href", addressOf(name, dateParam, view));
}

/** Without a network, only boards in the cache can be chosen. */
const disableMissing = () => import("./cache.js").then(({ disableMissingBoards }) => disableMissingBoards());

/** @param {string} when @param {string} name */
function navigate(when, name = current.name) {
  const target = addressOf(name, when);
  if (location.hash === target) openRoute(); // without a date it may mean another day by now
  else location.hash = target;
}

pickerModule.then(({ onChoice }) => onChoice(inputById("puzzle"), () => {
  const { value } = inputById("puzzle");
  navigate(library?.puzzles.find((each) => each.name === value)?.dates ? current.dateParam : "", value);
}));
for (const [id, days] of Object.entries({ before: -1, after: 1 })) {
  byId(id).addEventListener("click", () => {
    const labels = monthDays(current.puzzle) ?? [];
    navigate(labels.length ? labels[(labels.indexOf(current.reveal[0]) + days + labels.length) % labels.length] : addDays(current.date ?? today(), days));
  });
}
byId("today").addEventListener("click", () => {
  page.focusDate();
  navigate("");
});

/** Show a view over the table, or the table alone. @param {string} name */
async function showView(name) {
  if (name === "play" && !views) tableShown = true;
  else await (views ??= import("./views.js")).then(({ openView }) => openView(page, name, tableShown));
}

onStorageChange((address, code) => {
  if (current?.address !== address) return;
  if (code !== null && current.game.history[current.game.cursor] !== code) current.game.openCode(code);
  updateNotices();
});
addEventListener("hashchange", openRoute);
for (const event of ["online", "offline"]) addEventListener(event, () => library && !library.served && disableMissing());
addEventListener("visibilitychange", () => document.hidden || updateNotices());
setInterval(updateNotices, 20_000);
translatePage();
document.documentElement.dataset.letters = preference("letters", "no");
onStorageFailure(() => withNotices(({ warnNotSaved }) => warnNotSaved()));
clearCount();
openRoute();
formatLongDate(today()); // the first use of Intl is slow: do it while the board is loading
