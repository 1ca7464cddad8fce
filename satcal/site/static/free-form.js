// Shapes without regard to how they lie.
import { transformShape } from "./geometry.js";
import { toOrigin } from "./puzzle-definition.js";

/** @import { Spot } from "./geometry.js" */

/** Return a shape in a form that is equal for its turned and flipped ones. @param {Spot[]} cells */
export function freeForm(cells) {
  let shape = toOrigin(cells);
  const forms = [];
  for (let turns = 0; turns < 8; turns += 1) {
    forms.push(shape.join(" "));
    shape = transformShape(turns === 3 ? "flip" : "turn", shape);
  }
  return forms.sort()[0];
}
