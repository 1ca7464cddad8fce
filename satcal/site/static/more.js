// The second view: all tilings, the year, the proof, how one likes it, and what one takes away.
import { Gallery } from "./gallery.js";
import { at, element } from "./geometry.js";
import { everything, left, like, liked, take } from "./keep.js";
import { Prove } from "./prove.js";
import { applyTheme } from "./theme.js";
import { addressOf, count, today } from "./words.js";
import { Year } from "./year.js";

/** @typedef {import("./app.js").Current} Current */

export class More {
  /** @param {() => Current} current @param {() => void} redo after a choice */
  constructor(current, redo) {
    this.current = current;
    this.gallery = new Gallery(current);
    this.year = new Year(current, (when) => addressOf(current().name, when));
    this.prove = new Prove(current);
    this.address = "";
    this.#choice("know", "exact", redo);
    this.#choice("theme", "auto", applyTheme);
    at("copy").addEventListener("click", () => this.#copy());
    at("save").addEventListener("click", () => this.#save());
    const input = /** @type {HTMLInputElement} */ (at("load"));
    input.addEventListener("change", async () => {
      try {
        if (input.files?.[0]) this.#load(await input.files[0].text());
      } catch (error) {
        this.#say(/** @type {Error} */ (error).message);
      }
      input.value = "";
    });
  }

  /** @param {string} name @param {string} otherwise @param {() => void} act */
  #choice(name, otherwise, act) {
    for (const each of document.querySelectorAll(`[name=${name}]`)) {
      const radio = /** @type {HTMLInputElement} */ (each);
      radio.checked = radio.value === liked(name, otherwise);
      radio.addEventListener("change", () => {
        like(name, radio.value);
        act();
      });
    }
  }

  /** @param {{served: boolean, version: string, heat: string[]}} library */
  open({ served, version, heat }) {
    const { puzzle, address } = this.current();
    at("more-title").textContent = at("title").textContent;
    at("version").textContent = version;
    at("source").textContent = puzzle.source ? `Source of the puzzle: ${puzzle.source}` : "";
    for (const id of ["prove", "pages", "exports"]) at(id).hidden = !served;
    if (served) this.#exports();
    if (address !== this.address) this.prove.open();
    this.address = address;
    this.#say("");
    this.gallery.go(0n);
    this.year.open(heat);
  }

  #exports() {
    const { name, reveal } = this.current();
    const api = `api/v1/puzzles/${encodeURIComponent(name)}`;
    const asked = new URLSearchParams(reveal.length ? { reveal: reveal.join(",") } : {});
    const links = [["The board as a picture", "board.svg"], ["The pieces as a picture", "pieces.svg"],
      ["All counts as CSV", "counts?all_reveals=true&format=csv"], ["The clauses as DIMACS", `export?${asked}`],
      ["The definition of this puzzle", "definition"]];
    at("exports").replaceChildren(...links.map(([textContent, path]) => element("li", {},
      element("a", { textContent, href: `${api}/${path}`, ...(path.includes("csv") ? { download: "counts.csv" } : {}) }))));
  }

  /** @param {string} text */
  #say(text) {
    at("taken").textContent = text;
  }

  async #copy() {
    const { name, address, date, game } = this.current();
    const when = date ?? address.slice(name.length + 1);
    const code = game.code(true);
    const link = new URL(addressOf(name, when) + (code ? `/${code}` : ""), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.#say("The link is copied.");
    } catch {
      this.#say(link);
    }
  }

  /** @param {string} text */
  #load(text) {
    const number = take(text);
    const { game, address } = this.current();
    const { history, now } = left(address);
    game.open(history[now]);
    this.#say(`${count(number, "game")} loaded.`);
  }

  #save() {
    const games = everything();
    const text = JSON.stringify({ satcal: 1, games }, null, 1);
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `satcal-${today()}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.#say(`${count(Object.keys(games).length, "game")} saved.`);
  }
}
