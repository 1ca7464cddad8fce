// The puzzle that the page plays, of a definition: what satcal/site/edition.py writes for a board of the library.
import { placements } from "./diagram.js";
import { fillingOrder } from "./filling-order.js";
import { boardRows, outsideOf, pieceEntry } from "./puzzle-definition.js";
import { sha256 } from "./sha256.js";
import { orientationsOf } from "./shapes.js";

/** @import { Definition, Drawn } from "./puzzle-definition.js" @import { Puzzle } from "./types.js" @import { Spot } from "./geometry.js" */

/** Return the text of a puzzle in a certificate: its name, and only what a proof needs. @param {Definition} definition @param {string} ranges */
export function normalForm(definition, ranges) {
  const quote = (/** @type {string} */ text) => `"${text.replaceAll(/["\\]/g, "?")}"`;
  const outside = new RegExp(outsideOf(ranges).source, "gu");
  const lists = Object.entries(definition.categories).map(([name, labels]) => `${quote(name)} = [${labels.map(quote).join(", ")}]`);
  return [`name = ${quote([...definition.name].slice(0, 200).join("").replaceAll(outside, "?"))}`, 'board = """', ...boardRows(definition), '"""', "", "[categories]",
    ...lists, "", "[pieces]", ...definition.pieces.map((piece) => `${piece.name} = ${pieceEntry(piece)}`), ""].join("\n");
}

/** Return the digest of a puzzle: the SHA-256 of its normal form without the name. @param {Definition} definition @param {string} ranges */
export function digestOf(definition, ranges) {
  const text = normalForm(definition, ranges);
  return sha256(new TextEncoder().encode(text.slice(text.indexOf("\n") + 1)));
}

/** Return the pieces; those with equal orientations are copies of the first. @param {Drawn[]} pieces */
function mergePieces(pieces) {
  /** @type {Map<string, {name: string, copies: number, orientations: Spot[][]}>} */
  const merged = new Map();
  for (const piece of pieces) {
    const orientations = orientationsOf(piece.cells, piece.flip);
    const shape = orientations.map((each) => each.join(" ")).sort().join("|");
    const known = merged.get(shape);
    if (known) known.copies += piece.copies;
    else merged.set(shape, { name: piece.name, copies: piece.copies, orientations });
  }
  return [...merged.values()];
}

/** Return the puzzle of a definition, and an estimate of the states that its count takes.
 * @param {Definition} definition @param {string} name in addresses @param {{ranges: string, colours: [string, string][]}} known
 * @returns {{puzzle: Puzzle, estimate: number}} */
export function puzzleOf(definition, name, { ranges, colours }) {
  const { title, designer, source, rows, columns, cells, labels, categories, calendar } = definition;
  const pieces = mergePieces(definition.pieces).map((piece, number) => {
    const [tint, colour] = colours[number] ?? colours[colours.length - 1 - (number % 14)];
    return { ...piece, tint, colour };
  });
  const puzzle = { name, digest: digestOf(definition, ranges), title: title || definition.name, designer, source, rows, columns, cells, labels, calendar,
    categories: Object.entries(categories).map(([each, list]) => ({ name: each, labels: list })), difficulty: "", pieces, order: /** @type {number[]} */ ([]) };
  const { order, estimate } = fillingOrder(cells, [...placements(puzzle).map((each) => each.cells), ...Object.values(labels)]);
  return { puzzle: { ...puzzle, order }, estimate };
}
