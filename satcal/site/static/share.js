// Sharing: a text, a picture of what the preview shows, a link.
import { formatTime } from "./clock.js";
import { byId, createElement, outline, UNIT } from "./geometry.js";
import { loadDay } from "./storage.js";
import { download } from "./more.js";
import { createButton } from "./views.js";
import { positionsOf } from "./board-view.js";
import { addressOf, formatLabel, translate, describeCells } from "./i18n.js";

/** @import { Page } from "./app.js" */

const CELL = 96; // pixels of a picture

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { counter, reveal, game } = page.current();
  byId("sheet-title").textContent = translate("share");
  const total = (await counter.ask({ reveal, placed: [] })).count;
  const { puzzle, heading, name, address, date } = page.current();
  const when = date ?? address.slice(name.length + 1);
  const code = game.encode(true);
  const link = (/** @type {string} */ position) => new URL(addressOf(name, when) + (position ? `/${position}` : ""), location.href).href;
  const record = loadDay(address);
  const facts = [record.seconds && record.solved ? formatTime(record.seconds) : "", game.isSolved && record.hints ? translate("finish-hints", { n: record.hints }) : "",
    game.isSolved && !record.hints ? translate("finish-no-hints") : "", translate("finish-found", { found: page.countFound(), all: total })];
  const text = (/** @type {string[]} */ more) => [[puzzle.title, heading].filter(Boolean).join(" · "), facts.filter(Boolean).join(" · "), ...more].join("\n");
  const placedInWords = () => game.placed.map(({ piece, cells }) => translate("covers", { piece, cells: describeCells(game.puzzle, cells) })); // for screen readers
  const message = createElement("p", { id: "shared", role: "status" });
  const preview = createElement("canvas", { id: "preview", className: "shown", role: "img" });
  const withPieces = createElement("input", { type: "checkbox", id: "share-whole", onchange: () => updatePreview() });
  const updatePreview = () => {
    paint(preview, page, withPieces.checked);
    preview.setAttribute("aria-label", translate(withPieces.checked ? "share-preview-whole" : "share-preview", { puzzle: puzzle.title, heading, n: game.spots.size }));
  };
  updatePreview();
  const copy = (/** @type {string} */ value) => (navigator.clipboard?.writeText(value) ?? Promise.reject())
    .then(() => { message.textContent = translate("share-copied"); }, () => { message.textContent = value; });
  const share = () => {
    const shared = { text: text(withPieces.checked ? emojiGrid(game) : []), url: link("") };
    return navigator.share ? navigator.share(shared).catch(() => {}) : copy(`${shared.text}\n${shared.url}`);
  };
  const save = () => preview.toBlob((blob) => {
    if (blob) download(blob, `${name}-${when || "satcal"}.png`);
    message.textContent = translate("share-saved");
  }, "image/png");
  body.replaceChildren(preview,
    ...(game.spots.size ? [createElement("p", {}, createElement("label", {}, withPieces, translate(game.isSolved ? "share-whole" : "share-pieces")))] : []),
    createElement("div", { className: "choices" }, createButton("share-now", share, "pill strong", translate("share")), createButton("share-picture", save),
      ...(code ? [createButton("share-link", () => copy(link(code))), createButton("share-words", () => copy(text([...placedInWords(), link("")])))] : [])), message);
}

const SQUARES = ["🟦", "🟫", "🟥", "🟧", "⬛", "🟩", "🟨", "🟪"];

/** Return the rows of the board as squares, a colour for each piece. @param {import("./game.js").Game} game */
function emojiGrid({ puzzle, placed }) {
  const names = puzzle.pieces.map(({ name }) => name);
  const squareOf = new Map(placed.flatMap(({ piece, cells }) => cells.map((cell) => [cell, SQUARES[names.indexOf(piece) % SQUARES.length]])));
  const rows = Array.from({ length: puzzle.rows }, () => Array(puzzle.columns).fill("\u3000"));
  puzzle.cells.forEach(({ row, column }, cell) => { rows[row][column] = squareOf.get(cell) ?? "⬜"; });
  return rows.map((row) => row.join("").trimEnd());
}

/** Paint the board, with or without its pieces.
 * @param {HTMLCanvasElement} canvas @param {Page} page @param {boolean} withPieces */
function paint(canvas, page, withPieces) {
  const { game, heading } = page.current();
  const { puzzle, reveal } = game;
  const [edge, head] = [0.6 * CELL, 1.3 * CELL];
  Object.assign(canvas, { width: puzzle.columns * CELL + 2 * edge, height: puzzle.rows * CELL + edge + head });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const path = (/** @type {[number, number][]} */ cells, /** @type {number} */ round, /** @type {number} */ inset) => new Path2D(outline(cells, round, inset));
  pen.fillStyle = "#f6ecda";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#33291f";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `600 ${0.5 * CELL}px ${getComputedStyle(document.documentElement).getPropertyValue("--serif")}`;
  pen.fillText(heading || puzzle.title, canvas.width / 2, head / 2, canvas.width - edge);
  pen.setTransform(CELL / UNIT, 0, 0, CELL / UNIT, edge, head);
  const all = positionsOf(puzzle, puzzle.cells.map((_, number) => number));
  const draw = (/** @type {Path2D} */ shape, /** @type {string} */ fillStyle, /** @type {string} */ stroke, /** @type {number} */ width) => {
    Object.assign(pen, { fillStyle: fillStyle, strokeStyle: stroke, lineWidth: width });
    pen.fill(shape);
    pen.stroke(shape);
  };
  draw(path(all, 0.26, -0.19), "#c79a62", "#a97c47", 0.45);
  draw(path(all, 0.1, 0), "#f1e6d4", "#a97c47", 0.35);
  puzzle.cells.forEach(({ label }, number) => label === null && draw(path(positionsOf(puzzle, [number]), 0.1, 0.03), "#f1e6d4", "#d5c09c", 0.16));
  for (const [label, cells] of Object.entries(puzzle.labels)) {
    const spots = positionsOf(puzzle, cells);
    const isOpen = reveal.includes(label);
    draw(path(spots, 0.1, 0.03), isOpen ? "#fff6dc" : "#f1e6d4", isOpen ? "#9c6a1b" : "#d5c09c", isOpen ? 0.42 : 0.16);
    const [row, column] = spots[Math.floor((spots.length - 1) / 2)];
    Object.assign(pen, { fillStyle: "#33291f", font: `${isOpen ? 700 : 400} 3.4px system-ui, sans-serif` });
    pen.fillText(formatLabel(puzzle, label), (column + 0.5) * UNIT, (row + 0.5) * UNIT, 9);
  }
  const colours = new Map(puzzle.pieces.map((piece) => [piece.name, piece.colour]));
  for (const { piece, cells } of withPieces ? game.placed : []) {
    draw(path(positionsOf(puzzle, cells), 0.14, 0.015), colours.get(piece) ?? "#888888", "rgb(0 0 0 / .45)", 0.3);
  }
}
