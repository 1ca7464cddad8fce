// Sharing: a picture of what the preview shows, or the same as text; a link.
import { isOwn as isOwnBoard } from "./engine.js";
import { byId, createElement } from "./geometry.js";
import { listFacts } from "./finish.js";
import { cleanName, formatResult } from "./results.js";
import { loadDay, preference, setPreference } from "./storage.js";
import { copy, download } from "./more.js";
import { paint } from "./picture.js";
import { squareGrid } from "./squares.js";
import { createButton } from "./views.js";
import { addressOf, translate, describeCells } from "./i18n.js";

/** @import { Page } from "./types-page.js" */

/** @param {HTMLElement} body @param {Page} page */
export async function open(body, page) {
  const { counter, reveal, game } = page.current();
  byId("sheet-title").textContent = translate("share");
  const { count: total, rank = 0n } = await counter.ask({ reveal, placed: [], ...(game.isSolved ? { want: "rank", whole: game.placed } : {}) });
  const { puzzle, heading, name, address, date } = page.current();
  const when = date ?? address.slice(name.length + 1);
  const code = game.encode(true);
  const linkedName = isOwnBoard(name) ? await (await import("./own-boards.js")).linkName(name) : name; // a board that only this browser has
  const link = (/** @type {string} */ position) => new URL(addressOf(linkedName, when) + (position ? `/${position}` : ""), location.href).href;
  const isOwn = game.isSolved && game.help !== "s" && game.help !== "l";
  const nameInput = createElement("input", { id: "share-name", maxLength: 20, autocomplete: "nickname", value: preference("name", ""), onchange: () => setPreference("name", cleanName(nameInput.value)) });
  const result = () => { // for friends to compare with
    const { seconds = 0, hints = 0 } = loadDay(address);
    return isOwn && date ? encodeURIComponent(formatResult({ seconds, hints, rank, digest: puzzle.digest, name: nameInput.value })) : "";
  };
  const facts = isOwn ? listFacts(address).map(([value, words], number) => (number === 0 && loadDay(address).seconds ? value : `${value} ${words}`))
    : [translate("finish-found", { found: page.countFound(), all: total })];
  const text = (/** @type {string[]} */ more) => [[puzzle.title, heading].filter(Boolean).join(" · "), facts.join(" · "), ...more].join("\n");
  const placedInWords = () => game.placed.map(({ piece, cells }) => translate("covers", { piece, cells: describeCells(game.puzzle, cells) })); // for screen readers
  const message = createElement("p", { id: "shared", role: "status" });
  const preview = createElement("canvas", { id: "preview", className: "shown", role: "img" });
  const without = createElement("input", { type: "checkbox", id: "share-without", onchange: () => updatePreview() });
  const host = location.protocol.startsWith("http") ? (location.host + location.pathname.replace(/(index\.html)?$/, "")).replace(/\/$/, "") : "";
  const updatePreview = () => {
    const n = without.checked ? 0 : game.spots.size;
    paint(preview, page, n > 0, facts, host);
    preview.setAttribute("aria-label", translate(n ? "share-preview-whole" : "share-preview", { puzzle: puzzle.title, heading, n }));
  };
  await document.fonts.ready;
  updatePreview();
  const fileName = `${name}-${when || "satcal"}.png`;
  const share = async () => {
    const shared = { text: text(without.checked ? [] : squareGrid(game)), url: link(result()) };
    if (!navigator.share) return copy(`${shared.text}\n${shared.url}`, message);
    const blob = /** @type {Blob} */ (await new Promise((resolve) => { preview.toBlob((made) => resolve(/** @type {Blob} */ (made)), "image/png"); }));
    const picture = { ...shared, files: [new File([blob], fileName, { type: "image/png" })] };
    return navigator.share(navigator.canShare?.(picture) ? picture : shared).catch(() => {});
  };
  const save = () => preview.toBlob((blob) => {
    if (blob) download(blob, fileName);
    message.textContent = translate("share-saved");
  }, "image/png");
  body.replaceChildren(preview,
    ...(game.spots.size ? [createElement("p", {}, createElement("label", {}, without, translate(game.isSolved ? "share-without" : "share-without-pieces")))] : []),
    ...(isOwn && date ? [createElement("p", {}, createElement("label", {}, translate("share-name-label"), nameInput))] : []),
    createElement("div", { className: "choices" }, createButton("share-now", share, "pill strong", translate("share")), createButton("share-picture", save),
      ...(code ? [createButton("share-link", () => copy(link(code), message)), createButton("share-words", () => copy(text([...placedInWords(), link(result())]), message))] : [])), message);
}
