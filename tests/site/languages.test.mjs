// The languages of the page: whole, small, with the values and plurals of the English sentences.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../satcal/site/static/", import.meta.url);
const LANGUAGES = readdirSync(FOLDER).flatMap((name) => /^sentences-(.*)-more\.js$/.exec(name)?.[1] ?? []);

/** @param {string} language @param {string} which */
const sentences = async (language, which) => (await import(`${FOLDER}sentences-${language}${which}.js`)).SENTENCES;

/** The module of words as a page in a language has it. */
async function wordsIn(language) {
  globalThis.document = { documentElement: { lang: language } };
  const words = await import(`${FOLDER}i18n.js?${language}`);
  delete globalThis.document;
  return words;
}

/** @param {string} text */
const values = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort();

for (const language of LANGUAGES) {
  test(`${language} has every sentence, with its values and plurals, in two small files`, async () => {
    const rules = new Intl.PluralRules(language);
    const forms = new Set(Array.from({ length: 200 }, (_, n) => rules.select(n))).size;
    for (const which of ["", "-more"]) {
      const [own, english] = [await sentences(language, which), await sentences("en", which)];
      assert.deepEqual(Object.keys(own), Object.keys(english));
      assert.ok(readFileSync(new URL(`sentences-${language}${which}.js`, FOLDER)).length <= 12_000);
      for (const [name, text] of Object.entries(own)) {
        const found = values(text).filter((each) => each !== "n" || name !== "hint-blame" && name !== "hint-take-back");
        assert.deepEqual(found, values(english[name]), name);
        for (const [, choices] of text.matchAll(/\{\w+\|([^}]*)\}/g)) {
          assert.ok([forms, 2].includes(choices.split("|").length) && choices.split("|").length <= Math.max(forms, 2), `${name}: ${choices}`);
        }
      }
      const alike = Object.keys(own).filter((name) => own[name] === english[name]);
      assert.ok(language === "en" || alike.length < Object.keys(own).length / 8, String(alike)); // "Hint" is a word in two
    }
  });
}

test("numbers, plurals, dates and the labels of boards are those of the language", async () => {
  const [polish, japanese, english] = [await wordsIn("pl"), await wordsIn("ja"), await wordsIn("en")];
  assert.deepEqual([1, 2, 5, 22, 25].map((all) => polish.translate("all-left", { all })),
    ["1 rozwiązanie", "2 rozwiązania", "5 rozwiązań", "22 rozwiązania", "25 rozwiązań"]);
  assert.equal(japanese.formatLongDate("2025-10-06", true), "2025年10月6日月曜日");
  assert.deepEqual(["Oct", "6", "Mon", "x"].map(japanese.formatLabel), ["10月", "6", "月", "x"]);
  assert.deepEqual(["Sep", "Mon"].map(english.formatLabel), ["Sep", "Mon"]); // as they stand on the board
});

test("a language that cannot be had is English", async () => {
  assert.equal((await wordsIn("xx")).translate("undo"), "Undo");
});
