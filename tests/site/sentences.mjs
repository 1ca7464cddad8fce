// The sentences of the page, as an edition of one file has them.
import { readFileSync, readdirSync } from "node:fs";

const FOLDER = new URL("../../satcal/site/sentences/", import.meta.url);

/** @type {Record<string, Record<string, Record<string, string>>>} by language, part and name */
export const LANGUAGES = Object.fromEntries(readdirSync(FOLDER).map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]));
const files = Object.entries(LANGUAGES).flatMap(([language, { table, more, make }]) => [[`sentences-${language}.json`, table], [`sentences-${language}-more.json`, more], [`sentences-${language}-make.json`, make]]);
globalThis.satcal = { files: { ...Object.fromEntries(files), "sentences-served.json": LANGUAGES.en.served } };
