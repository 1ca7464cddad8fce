// Results of friends, which come by links: their codes, and what of them this browser keeps.
import { parseJson, read, write } from "./storage.js";
import { placementKey } from "./tilings.js";

/** @import { Placement } from "./types.js" */
/** @typedef {{seconds: number, hints: number, rank: bigint, digest: string, name: string}} Result
 * of a solved day: the rank of the solution among all, from 0, and the first digits of the puzzle's digest */

const STORED = "friends"; // [address, code] of each result, the latest first
const MOST = 200; // results that are kept: others cannot fill the storage
const MOST_SHOWN = 24; // of one day
const LONGEST_NAME = 20; // characters
const DIGITS = 4; // of the digest
const CODE = /^([0-9a-z]{1,4})\.([0-9a-z]{1,2})\.([0-9a-z]{1,24})\.([0-9a-f]{4})(?:\.(.{0,200}))?$/su;

/** Return a name of at most 20 characters, without what could disorder a line. @param {string} text */
export const cleanName = (text) => [...text.normalize("NFC").replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim()].slice(0, LONGEST_NAME).join("").trim();

/** Return the code of a result, for a link. @param {Result} result */
export const formatResult = ({ seconds, hints, rank, digest, name }) => [
  Math.min(seconds, 36 ** 4 - 1).toString(36), Math.min(hints, 36 ** 2 - 1).toString(36), rank.toString(36), digest.slice(0, DIGITS), ...(cleanName(name) ? [cleanName(name)] : [])].join(".");

/** Return the result of a code; null if it is not one. @param {string} code @returns {Result | null} */
export function parseResult(code) {
  const [, seconds, hints, rank, digest, name = ""] = CODE.exec(code) ?? [];
  if (digest === undefined) return null;
  const number = [...rank].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n);
  return { seconds: parseInt(seconds, 36), hints: parseInt(hints, 36), rank: number, digest, name: cleanName(name) };
}

/** @param {any} value @returns {value is [string, string][]} */
const isList = (value) => Array.isArray(value) && value.every((each) => Array.isArray(each) && each.length === 2 && each.every((text) => typeof text === "string"));
const loadAll = () => parseJson(read(STORED), isList, []);

/** Forget the results for a game. @param {string} address */
export const forgetResults = (address) => write(STORED, JSON.stringify(loadAll().filter(([game]) => game !== address)));

/** Keep the result of a friend for a game. @param {string} address @param {string} code */
export function keepResult(address, code) {
  const others = loadAll().filter(([game, known]) => game !== address || known !== code);
  write(STORED, JSON.stringify([[address, code], ...others].slice(0, MOST)));
}

/** Return the results of friends for a game, the fastest first. @param {string} address @param {string} digest @returns {Result[]} */
export const friendsOf = (address, digest) => loadAll().flatMap(([game, code]) => (game === address ? parseResult(code) ?? [] : []))
  .filter((each) => digest.startsWith(each.digest)).slice(0, MOST_SHOWN).sort((one, other) => one.seconds - other.seconds);

/** Return which placements of a tiling are in the one of several tilings that has most of them. @param {Placement[]} tiling @param {Placement[][]} own */
export function findAlike(tiling, own) {
  const found = own.map((each) => {
    const keys = new Set(each.map(placementKey));
    return tiling.filter((placement) => keys.has(placementKey(placement)));
  });
  return found.reduce((best, each) => (each.length > best.length ? each : best), []);
}
