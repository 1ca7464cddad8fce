// What the checker as JavaScript answers to questions in a file: a puzzle, reveals and trees each.
const { readFileSync } = require("node:fs");

const [checker, questions] = process.argv.slice(2);
require(checker); // which defines satcalVerified
console.log(JSON.stringify(JSON.parse(readFileSync(questions)).map((each) => satcalVerified(...each))));
