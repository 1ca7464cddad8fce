// Views: a sheet over the table, with an address of its own; going back closes it. It loads the sentences of all views.
import { byId, createElement } from "./geometry.js";
import { addSentences, addressOf, translate } from "./i18n.js";

await addSentences("more");

/** @import { Page } from "./types-page.js" */

/** @type {Record<string, () => Promise<{open: (body: HTMLElement, page: Page) => unknown}>>} */
const LOADERS = {
  more: () => import("./more.js"), year: () => import("./year.js"), solutions: () => import("./solutions.js"),
  share: () => import("./share.js"), friends: () => import("./friends.js"), evidence: () => import("./evidence.js"),
  make: () => import("./make.js"),
};
const dialog = /** @type {HTMLDialogElement} */ (byId("sheet"));
let shown = ""; // the view
let depth = 0; // steps of the browser's history from the table to the view
let page = /** @type {Page} */ (/** @type {unknown} */ (null));

/** @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Load a style sheet that the table does not need; an edition of one file has it. @param {string} name */
export function loadStyle(name) {
  if (!styles.has(name)) {
    styles.set(name, document.querySelector("[data-sheets]") ? Promise.resolve() : new Promise((resolve) => {
      const link = createElement("link", { rel: "stylesheet", href: `${document.documentElement.dataset.files ?? ""}${name}.css` });
      link.onload = link.onerror = resolve;
      document.head.append(link);
    }));
  }
  return styles.get(name);
}

/** Return a button with the text of its id, or another. @param {string} id @param {() => unknown} onclick @param {string} [className] @param {string} [textContent] */
export const createButton = (id, onclick, className = "pill", textContent = translate(id)) => createElement("button", { type: "button", id, className, textContent, onclick });

/** Show a view, or the table alone. @param {Page} asking @param {string} view @param {boolean} [tableShown] before the first one */
export async function openView(asking, view, tableShown = false) {
  page = asking;
  const previous = shown || (tableShown ? "play" : "");
  shown = view;
  if (view === "play") {
    if (dialog.open) dialog.close();
    return;
  }
  depth = history.state?.depth ?? (previous === "play" ? 1 : previous ? depth + 1 : 0);
  history.replaceState({ depth }, "");
  const body = createElement("div", { id: "sheet-body", className: "sheet-body" });
  byId("sheet-body").replaceWith(body); // what comes late for another view fills its own
  await loadStyle("sheet");
  if (shown !== view) return;
  dialog.dataset.view = view;
  byId("sheet-title").textContent = "";
  if (!dialog.open) dialog.showModal();
  byId("sheet-title").focus();
  const { open } = await LOADERS[view]();
  if (shown === view) await open(body, page);
}

/** Go back to the table, so that going back again does not open the view. */
function closeView() {
  if (depth) return history.go(-depth);
  const { name, dateParam } = page.current();
  history.replaceState(null, "", addressOf(name, dateParam)); // the address of a sheet was the first
  openView(page, "play");
}

byId("close").addEventListener("click", closeView);
dialog.addEventListener("click", (event) => event.target === dialog && closeView()); // beside it
dialog.addEventListener("cancel", (event) => { event.preventDefault(); closeView(); });
dialog.addEventListener("close", () => shown !== "play" && !dialog.open && page.current() && closeView()); // a browser may insist; the event may come after the next view
