// The pieces that are not placed, as buttons; a piece with copies says how many are left.
import { UNIT, element, outline, size, svg } from "./geometry.js";

export class Tray {
  constructor(root, game) {
    this.game = game;
    this.buttons = new Map(game.puzzle.piece_set.map((piece) => {
      const button = element("button", { type: "button", "data-piece": piece.name });
      root.append(button);
      return [piece.name, button];
    }));
    game.addEventListener("hand", () => this.draw());
    game.addEventListener("placed", () => this.draw());
    this.draw();
  }

  draw() {
    for (const piece of this.game.puzzle.piece_set) {
      const button = this.buttons.get(piece.name);
      const held = this.game.hand?.piece === piece.name;
      const left = this.game.left(piece.name);
      const cells = held ? this.game.hand.cells : this.game.turned.get(piece.name);
      const [high, wide] = size(cells);
      const span = Math.max(3, ...piece.orientations.flatMap(size)) * UNIT + 2;
      const box = [(wide * UNIT - span) / 2, (high * UNIT - span) / 2, span, span];
      const copies = piece.copies > 1 ? ` ×${left + held}` : "";
      button.replaceChildren(
        svg("svg", { viewBox: box.join(" "), "aria-hidden": "true" },
          svg("path", { d: outline(cells), fill: piece.colour })),
        element("span", { className: "name", textContent: piece.name + copies }));
      button.disabled = !held && left <= 0;
      button.setAttribute("aria-pressed", String(held));
      button.setAttribute("aria-label", `Piece ${piece.name}, ${cells.length} cells${copies ? `, ${left + held} left` : ""}`);
    }
  }

  mark(name) {
    for (const [piece, button] of this.buttons) button.classList.toggle("tight", piece === name);
  }
}
