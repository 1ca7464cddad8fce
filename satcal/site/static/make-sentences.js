// Sentences that boards of one's own need.
import { SENTENCES, loadSentences } from "./i18n.js";

Object.assign(SENTENCES, await loadSentences("-make"));
