// The page of a puzzle: puts board, tray, hands and panels together.
import { count, get } from "./api.js";
import { Board } from "./board.js";
import { Game } from "./game.js";
import { element, key, read, write } from "./geometry.js";
import { Hands } from "./hands.js";
import { Hints } from "./hints.js";
import { gallery } from "./gallery.js";
import { choose } from "./choose.js";
import { prove } from "./prove.js";
import { Tray } from "./tray.js";
import { year } from "./year.js";

const root = document.getElementById("solve");
const puzzle = JSON.parse(root.dataset.puzzle);
const at = (id) => document.getElementById(id);
const reveal = puzzle.reveal.join(",");
const asked = () => [["reveal", reveal], ...game.placed.map((placement) => ["place", write(placement)])];

const game = new Game(puzzle, new URLSearchParams(location.search).getAll("place").map(read));
const board = new Board(at("board"), puzzle);
const tray = new Tray(at("tray"), game);
new Hands(game, board, tray, at("tray"));

let trail = [];
let pending = null;

async function recount() {
  pending?.abort();
  pending = new AbortController();
  const line = at("remaining");
  const pieces = game.placed.length;
  try {
    const { tilings } = await get(`/puzzles/${puzzle.id}/remaining`, asked(), pending.signal);
    trail = [...trail.filter((each) => each.pieces < pieces), { pieces, tilings }];
    const solved = game.solved && tilings == 1;
    const words = solved ? "Solved!" : tilings == 0 ? "no tiling remains: take a piece back"
      : `tiling${tilings == 1 ? "" : "s"}${pieces ? ` remain${tilings == 1 ? "s" : ""}` : ""}`;
    line.className = `remaining${solved ? " good" : tilings == 0 ? " bad" : ""}`;
    line.querySelector(".number").textContent = solved ? "✓" : tilings.toLocaleString("en");
    line.querySelector(".words").textContent = words;
    line.querySelector(".trail")?.remove();
    if (trail.length > 1 && !solved) {
      const before = trail.map((each) => each.tilings.toLocaleString("en")).join(" → ");
      line.append(element("span", { className: "trail", textContent: `(${before})` }));
    }
    line.dataset.tilings = String(tilings);
  } catch (error) {
    if (error.name === "AbortError") return;
    line.className = "remaining bad";
    line.querySelector(".number").textContent = "?";
    line.querySelector(".words").textContent = error.message;
  }
}

function link() {
  const parameters = puzzle.date ? [["date", puzzle.date]] : reveal ? [["reveal", reveal]] : [];
  for (const placement of game.placed) parameters.push(["place", write(placement)]);
  const query = parameters.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const readable = query.replaceAll("%3A", ":").replaceAll("%2C", ",");
  return `/puzzles/${puzzle.id}${readable ? `?${readable}` : ""}`;
}

function hand() {
  const full = Boolean(game.hand);
  board.ghost(game.hand?.piece, game.hovering, game.handFits);
  board.element.classList.toggle("holding", full);
  for (const id of ["rotate", "flip", "back"]) at(id).disabled = !full;
  if (full) {
    at("flip").disabled = !game.pieces.get(game.hand.piece).flip;
    const cells = game.hovering;
    at("said").textContent = cells
      ? `${game.hand.piece} over ${cells.map(key).join(", ")}${game.handFits ? "" : ": does not fit"}`
      : `${game.hand.piece} in your hand`;
  } else at("said").textContent = "";
}

function placed() {
  board.show(game.placed, true);
  at("clear").disabled = !game.placed.length;
  history.replaceState(null, "", link());
  hints.reset();
  recount();
}

at("rotate").addEventListener("click", () => game.turn("rotate"));
at("flip").addEventListener("click", () => game.turn("flip"));
at("back").addEventListener("click", () => game.drop());
at("clear").addEventListener("click", () => game.set([]));
at("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    at("said").textContent = "The link is copied: it holds puzzle, date and pieces.";
  } catch {
    at("said").textContent = `The link: ${location.href}`;
  }
});

const hints = new Hints(game, board, tray, { ask: asked, say: (text) => { at("said").textContent = text; }, button: at("hint") });
game.addEventListener("hand", hand);
game.addEventListener("placed", placed);
placed();
choose(puzzle);
gallery(puzzle, game, asked);
if (at("year")) year(puzzle);
prove(puzzle, count);
