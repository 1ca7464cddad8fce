// The sentences of what only `satcal serve` has: tools for those who check, in English alone.
import { SENTENCES, readSentences } from "./i18n.js";

Object.assign(SENTENCES, await readSentences("served"));
