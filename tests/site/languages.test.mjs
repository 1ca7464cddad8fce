// The languages of the page: whole, small, with the values and plurals of the English sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES } from "./sentences.mjs";

/** The module of words as a page in a language has it. */
async function wordsIn(language) {
  globalThis.document = { documentElement: { lang: language } };
  const words = await import(`../../satcal/site/static/i18n.js?${language}`);
  delete globalThis.document;
  return words;
}

/** @param {string} text */
const values = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort();

for (const language of Object.keys(LANGUAGES)) {
  test(`${language} has every sentence, with its values and plurals, in three small files`, () => {
    const rules = new Intl.PluralRules(language);
    const forms = new Set(Array.from({ length: 200 }, (_, n) => rules.select(n))).size;
    for (const part of ["table", "more", "make"]) {
      const [own, english] = [LANGUAGES[language][part], LANGUAGES.en[part]];
      assert.deepEqual(Object.keys(own), Object.keys(english));
      assert.ok(new TextEncoder().encode(JSON.stringify(own)).length <= 12_000);
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
  const dated = { categories: [{ name: "weekday", labels: ["Mon", "Sun"] }, { name: "month", labels: ["Sep", "Oct"] }, { name: "day", labels: ["6"] }] };
  assert.deepEqual(["Oct", "6", "Mon", "x"].map((label) => japanese.formatLabel(dated, label)), ["10月", "6", "月", "x"]);
  assert.deepEqual(["Sep", "Mon"].map((label) => english.formatLabel(dated, label)), ["Sep", "Mon"]); // as they stand on the board
});

test("single pieces are named as alternatives, the pieces of a set together", async () => {
  const { describeBlame } = await wordsIn("en");
  const [puzzle, one, other] = [{ pieces: [] }, { piece: "O" }, { piece: "N" }];
  assert.equal(describeBlame(puzzle, [{ pieces: [one] }]), "O");
  assert.equal(describeBlame(puzzle, [{ pieces: [one] }, { pieces: [other] }]), "O or N");
  assert.equal(describeBlame(puzzle, [{ pieces: [one, other] }]), "O and N");
});

test("only a category of English months or weekdays is translated, and none as another", async () => {
  const { formatLabel, formatLabels } = await wordsIn("fr");
  const months = ["Janv", "Févr", "Mars", "Avr", "Mai", "Juin", "Juil", "Août", "Sept", "Oct", "Nov", "Déc"];
  const french = { categories: [{ name: "weekday", labels: ["Lun", "Mar", "Mer", "Jeu", "Ven", "Sam", "Dim"] }, { name: "month", labels: months }] };
  assert.equal(formatLabels(french, ["Mars", "Mar"]), "Mars et Mar");
  for (const { labels } of french.categories) assert.deepEqual(labels.map((label) => formatLabel(french, label)), labels);
  const other = { categories: [{ name: "weekday", labels: ["Mar"] }, { name: "planet", labels: ["Sun"] }, { name: "month", labels: ["May"] }] };
  assert.deepEqual(["Mar", "Sun", "May", "Mon"].map((label) => formatLabel(other, label)), ["Mar", "Sun", "mai", "Mon"]);
});

test("a language that cannot be had is English", async () => {
  assert.equal((await wordsIn("xx")).translate("undo"), "Undo");
});
