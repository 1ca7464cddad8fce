// The rest of the sentences in the language of the page, needed after the first count.
import { SENTENCES, loadSentences } from "./i18n.js";

Object.assign(SENTENCES, await loadSentences("-more"));
