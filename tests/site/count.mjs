// Counts as the page does: a board's reveals by its file, and every n-th by itself.
import { readFileSync } from "node:fs";
import "./sentences.mjs";
import { sliceOf, unpack } from "../../satcal/site/static/diagram.js";
import { allReveals } from "../../satcal/site/static/engine.js";
import { countReveals } from "../../satcal/site/static/questions.js";
import { Tilings, openOptions, trim } from "../../satcal/site/static/tilings.js";

const [data, name, every] = process.argv.slice(2);
const puzzle = JSON.parse(readFileSync(`${data}/${name}.json`, "utf8"));
const whole = unpack(puzzle, new Uint8Array(readFileSync(`${data}/${name}.bin`)));
const count = (diagram) => new Tilings(trim(diagram, openOptions(diagram, [])), []).count;
const alone = allReveals(puzzle).filter((_, number) => number % every === 0)
  .map((reveal) => count(reveal.length ? sliceOf(puzzle, reveal) : whole));
const all = puzzle.categories.length ? countReveals(puzzle, whole, []) : [count(whole)];
console.log(JSON.stringify({ alone: alone.map(String), all: all.map(String) }));
