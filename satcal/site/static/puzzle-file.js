// The text of a puzzle file, which may be hostile: bounds before it is parsed, and the line of a fault. See satcal/toml.py.
import { Fault, readDefinition } from "./puzzle-definition.js";
import { TomlError, parse } from "./smol-toml.js";

/** @import { Definition, Known } from "./puzzle-definition.js" */

export const MAX_FILE = 256 * 1024; // bytes
const MAX_DEPTH = 16, MAX_KEYS = 20_000; // parts of a key; keys and tables
// every alternative that begins to match does match, so no character is read twice
const OPAQUE = /"""(?:[^"\\]|\\[^]|"(?!""))*"{0,5}|'''(?:[^']|'(?!''))*'{0,5}|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?|#[^\n]*/g;
const DEEP = new RegExp(`(?<![\\w-])(?:[\\w-]+[ \\t]*\\.[ \\t]*){${MAX_DEPTH}}`);

/** Read a puzzle file; throw its first fault, with the line. @param {string} text @param {string} fileName
 * @param {(table: Record<string, any>) => Known | Promise<Known>} loadKnown @returns {Promise<Definition>} */
export async function readPuzzleFile(text, fileName, loadKnown) {
  const table = parseToml(text);
  const known = await loadKnown(table);
  try {
    return readDefinition(table, fileName, known);
  } catch (error) {
    if (error instanceof Fault) error.line = lineOf(text, error);
    throw error;
  }
}

/** @param {string} text @returns {Record<string, any>} */
function parseToml(text) {
  if (new TextEncoder().encode(text).length > MAX_FILE) throw new Fault("large", "file");
  const bare = text.replaceAll(OPAQUE, "s"); // in a key, a string is one part
  const keys = bare.split("=").length - 1 + (bare.match(/^[ \t]*\[/gm)?.length ?? 0);
  if (DEEP.test(bare) || keys > MAX_KEYS) throw new Fault("large", "keys");
  try {
    return parse(text, /** @type {any} */ ({ maxDepth: 100, integersAsBigInt: true }));
  } catch (error) {
    const fault = new Fault("toml", "not valid TOML");
    fault.line = error instanceof TomlError ? /** @type {any} */ (error).line : 0;
    throw fault;
  }
}

/** Return the line, from 1, on which the thing at fault begins; 0 if it is not found. @param {string} text @param {Fault} fault */
function lineOf(text, { place, kind, values }) {
  const escape = (/** @type {unknown} */ name) => String(name).replaceAll(/[^\p{L}\p{N}_ ]/gu, "\\$&");
  const find = (/** @type {unknown} */ name, from = 0) => {
    const [key, head] = [`["']?${escape(name)}["']?[ \t]*=`, `\\[${escape(name)}\\]`];
    const found = new RegExp(`^[ \\t]*(?:${key}|${head})`, "mu").exec(text.slice(from));
    return found ? from + found.index : -1;
  };
  const [, table, entry] = /^\[(\w+)\] ?(.*)$/.exec(place) ?? [];
  const [, row] = /^board: row (\d+)/.exec(place) ?? [];
  const [, piece] = /^piece (\w+)$/.exec(place) ?? [];
  const at = table ? find(entry || table, entry ? Math.max(find(table), 0) : 0) : find(piece ?? (row ? "board" : kind === "key" ? values.key : place));
  return at < 0 ? 0 : text.slice(0, at).split("\n").length + (row ? 1 + Number(row) : 0);
}
