// The rest of the sentences in the language of the page: who says one of them imports this.
import { SENTENCES, load } from "./words.js";

Object.assign(SENTENCES, await load("-more"));
