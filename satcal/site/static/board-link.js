// A board in a link: its definition in a short text, compressed. What comes out of a link is checked as a file is.
import { expandRange } from "./calendar.js";
import { Fault, readDefinition, shapeRows } from "./puzzle-definition.js";

/** @import { Definition, Known, Drawn } from "./puzzle-definition.js" @import { Labels } from "./calendar.js" */

export const MAX_LINK = 2000; // characters
const MAX_TEXT = 64 * 1024; // characters of what it is unpacked to
const SEPARATOR = "\n"; // of the parts
const RUN = "~"; // between the ends of a range of labels
const [DATES, USUAL] = ["month,Jan~Dec;day,1~31", "@"]; // the categories of most boards
const escape = (/** @type {string} */ text) => text.replaceAll(/[%,;/@~.* ]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
const unescape = (/** @type {string} */ text) => text.replaceAll(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

/** Return labels escaped, with ranges of days and of English names made short. @param {string[]} labels @returns {string[]} */
function shorten(labels) {
  const short = [];
  for (let at = 0; at < labels.length;) {
    let end = at + 1;
    while (end < labels.length && isRange(labels.slice(at, end + 1))) end += 1;
    short.push(end > at + 1 ? labels[at] + RUN + labels[end - 1] : escape(labels[at]));
    at += end > at + 1 ? end - at : 1;
  }
  return short;
}

/** @param {string[]} labels */
const isRange = (labels) => [labels[0], labels[labels.length - 1]].every((label) => /^[0-9A-Za-z]+$/.test(label)) && expandRange(`${labels[0]}-${labels[labels.length - 1]}`).join() === labels.join();

/** @param {string} word @returns {string[]} */
const lengthen = (word) => (word.includes(RUN) ? expandRange(word.replace(RUN, "-")) : [unescape(word)]);

/** @param {Labels} lists */
const writeLists = (lists) => Object.entries(lists).map(([name, labels]) => [escape(name), ...shorten(labels)].join(",")).join(";").replace(DATES, USUAL);
/** @param {string} text @returns {Labels} */
const readLists = (text) => Object.fromEntries((text ? text.replace(USUAL, DATES).split(";") : []).map((each) => each.split(",")).map(([name, ...labels]) => [unescape(name), labels.flatMap(lengthen)]));

/** @param {Drawn} piece */
const writePiece = ({ name, cells, copies, flip }) => `${name}${flip ? ":" : "!"}${shapeRows(cells).map((row) => BigInt(`0b${row.replaceAll("#", "1").replaceAll(".", "0").split("").reverse().join("")}`).toString(36)).join(".")}${copies > 1 ? `x${copies}` : ""}`;

/** @param {string} text @returns {[string, object]} */
function readPiece(text) {
  const [, name, face, rows, copies = "1"] = /^([^:!]*)([:!])([0-9a-z.]{1,999}?)(?:x([0-9]{1,4}))?$/.exec(text) ?? [];
  if (rows === undefined) throw new Fault("link", "link");
  const drawn = rows.split(".").map((row) => [...row].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n).toString(2).split("").reverse().map((bit) => (bit === "1" ? "#" : ".")).join(""));
  return [name, { shape: drawn.join("\n"), copies: BigInt(copies), flip: face === ":" }];
}

/** Return a board as the part of an address. @param {Definition} definition @returns {Promise<string>} */
export async function packBoard({ title, name, designer, source, rows, columns, cells, categories, declared, pieces }) {
  const board = Array.from({ length: rows }, () => Array(columns).fill("."));
  for (const { row, column, label } of cells) board[row][column] = label ?? "*";
  const drawn = board.map((row) => row.reduce((/** @type {string[][]} */ runs, entry) => { // marks and labels in turn
    const isMark = entry === "." || entry === "*";
    if (!runs.length || isMark !== /^[.*]$/.test(runs[runs.length - 1][0])) runs.push([]);
    runs[runs.length - 1].push(entry);
    return runs;
  }, []).map((run) => (/^[.*]$/.test(run[0]) ? run.join("") : shorten(run).join(" "))).join(" ")).join("/");
  const parts = [title || name, designer, source, drawn, writeLists(categories), writeLists(declared), pieces.map(writePiece).join(" ")];
  const stream = new Blob([parts.join(SEPARATOR)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the definition in a link; throw its first fault. @param {string} packed
 * @param {(table: Record<string, any>) => Known | Promise<Known>} loadKnown @param {number} [most] characters @returns {Promise<Definition>} */
export async function unpackBoard(packed, loadKnown, most = MAX_LINK) {
  if (!/^[\w-]+$/.test(packed) || packed.length > most) throw new Fault("link", "link");
  const [title, designer, source, board, categories, declared, pieces = ""] = (await inflate(packed)).split(SEPARATOR);
  if (!board) throw new Fault("link", "link");
  const rows = board.split("/").map((row) => row.split(" ").flatMap((word) => (/^[.*]+$/.test(word) ? [...word] : lengthen(word))).join(" "));
  const table = { name: "own", title, ...(designer && { designer }), ...(source && { source }), board: rows.join("\n"), categories: readLists(categories),
    ...(declared && { calendar: readLists(declared) }), pieces: Object.fromEntries(pieces.split(" ").map(readPiece)) };
  return readDefinition(table, "own", await loadKnown(table));
}

/** @param {string} packed @returns {Promise<string>} */
async function inflate(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > MAX_TEXT) throw new Error("too long");
    }
    return text;
  } catch {
    throw new Fault("link", "link");
  }
}
