// The second view: all tilings, the year, the proof, how one likes it, and what one takes away.
import { Gallery } from "./gallery.js";
import { at, element, field } from "./geometry.js";
import { everything, left, like, liked, take } from "./keep.js";
import { Prove } from "./prove.js";
import { applyTheme } from "./theme.js";
import { addressOf, count, today } from "./words.js";
import { Year } from "./year.js";

/** @import { Current } from "./app.js" */

/** @param {string} text */
const say = (text) => { at("taken").textContent = text; };

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
    at("load").addEventListener("change", () => this.#load(field("load").files?.[0]));
  }

  /** @param {string} name @param {string} otherwise @param {() => void} act */
  #choice(name, otherwise, act) {
    field(name).value = liked(name, otherwise);
    at(name).addEventListener("change", () => { like(name, field(name).value); act(); });
  }

  /** @param {{served: boolean, version: string, heat: string[]}} library */
  open({ served, version, heat }) {
    const { puzzle, address } = this.current();
    at("more-title").textContent = at("title").textContent;
    at("version").textContent = version;
    const { designer, source } = puzzle;
    at("source").textContent = [designer && `Designer of the puzzle: ${designer}.`, source && `Source: ${source}.`].filter(Boolean).join(" ");
    for (const id of ["prove", "pages", "exports"]) at(id).hidden = !served;
    if (served) this.#exports();
    if (address !== this.address) this.prove.open();
    this.address = address;
    say("");
    this.gallery.go(0n);
    this.year.open(heat);
  }

  #exports() {
    const { name, reveal } = this.current();
    const asked = new URLSearchParams(reveal.length ? { reveal: reveal.join() } : {});
    const links = [["The board as a picture", "board.svg"], ["The pieces as a picture", "pieces.svg"],
      ["All counts as CSV", "counts?all_reveals=true&format=csv"], ["The clauses as DIMACS", `export?${asked}`],
      ["The definition of this puzzle", "definition"]];
    at("exports").replaceChildren(...links.map(([textContent, path]) => element("li", {},
      element("a", { textContent, href: `api/v1/puzzles/${encodeURIComponent(name)}/${path}` }))));
  }

  async #copy() {
    const { name, address, date, game } = this.current();
    const when = date ?? address.slice(name.length + 1);
    const code = game.code(true);
    const link = new URL(addressOf(name, when) + (code ? `/${code}` : ""), location.href).href;
    say(await (navigator.clipboard?.writeText(link) ?? Promise.reject()).then(() => "The link is copied.", () => link));
  }

  /** @param {File} [file] */
  async #load(file) {
    if (!file) return;
    const number = take(await file.text());
    const { game, address } = this.current();
    const { history, now } = left(address);
    if (number) game.open(history[now]);
    say(number ? `${count(number, "game")} loaded.` : "This is no file of kept games.");
    field("load").value = "";
  }

  #save() {
    const games = everything();
    const text = JSON.stringify({ satcal: 1, games }, null, 1);
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `satcal-${today()}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(`${count(Object.keys(games).length, "game")} saved.`);
  }
}
