// Views: a sheet over the table; its address can be shared, and the way back closes it.
import { at, element } from "./geometry.js";
import { addressOf } from "./words.js";

/** @import { Page } from "./app.js" */

/** @type {Record<string, () => Promise<{open: (body: HTMLElement, page: Page) => unknown}>>} */
const LOADERS = {
  more: () => import("./more.js"), year: () => import("./year.js"), solutions: () => import("./solutions.js"),
  share: () => import("./share.js"), believe: () => import("./believe.js"),
};
const dialog = /** @type {HTMLDialogElement} */ (at("sheet"));
let shown = ""; // the view
let depth = 0; // of its address above that of the table: so far back leads what closes it
let page = /** @type {Page} */ (/** @type {unknown} */ (null));

/** The style of sheets comes with the first of them; an edition of one file has it. @type {Promise<unknown> | undefined} */
let dressed;

export const dress = () => (dressed ??= document.querySelector("[data-sheets]") ? Promise.resolve() : new Promise((resolve) => {
  const link = element("link", { rel: "stylesheet", href: "sheet.css" });
  link.onload = link.onerror = resolve;
  document.head.append(link);
}));

/** Shows a view, or the table alone. @param {Page} asking @param {string} wanted @param {boolean} [tableShown] before the first one */
export async function view(asking, wanted, tableShown = false) {
  page = asking;
  const before = shown || (tableShown ? "play" : "");
  shown = wanted;
  if (wanted === "play") {
    if (dialog.open) dialog.close();
    return;
  }
  depth = history.state?.depth ?? (before === "play" ? 1 : before ? depth + 1 : 0);
  history.replaceState({ depth }, "");
  const body = element("div", { id: "sheet-body", className: "sheet-body" });
  at("sheet-body").replaceWith(body); // what comes late for another view fills its own
  await dress();
  if (shown !== wanted) return;
  dialog.dataset.view = wanted;
  at("sheet-title").textContent = "";
  if (!dialog.open) dialog.showModal();
  at("sheet-title").focus();
  const { open } = await LOADERS[wanted]();
  if (shown === wanted) await open(body, page);
}

/** Goes back to the table, so that the way back does not open again what was closed. */
function shut() {
  if (depth) return history.go(-depth);
  const { name, when } = page.current();
  history.replaceState(null, "", addressOf(name, when)); // the address of a sheet was the first
  view(page, "play");
}

at("close").addEventListener("click", shut);
dialog.addEventListener("click", (event) => event.target === dialog && shut()); // beside it
dialog.addEventListener("cancel", (event) => { event.preventDefault(); shut(); });
dialog.addEventListener("close", () => shown !== "play" && page.current() && shut()); // a browser may insist
