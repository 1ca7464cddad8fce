// Draws a board, its pieces and what is held over it. It knows no rules.
import { UNIT, key, outline, sorted, svg, wantsLight } from "./geometry.js";

export class Board {
  constructor(element, puzzle) {
    this.element = element;
    this.puzzle = puzzle;
    this.colours = new Map(puzzle.piece_set.map((piece) => [piece.name, piece.colour]));
    const revealed = new Set(puzzle.reveal);
    element.setAttribute("viewBox", `-1 -1 ${puzzle.columns * UNIT + 2} ${puzzle.rows * UNIT + 2}`);
    element.replaceChildren(svg("path", { d: outline(puzzle.board), class: "base" }));
    const labelled = new Set(puzzle.labels.flatMap((label) => label.cells.map(key)));
    for (const cell of puzzle.board) {
      if (!labelled.has(key(cell))) element.append(svg("path", { d: outline([cell]), class: "cell" }));
    }
    this.pieces = svg("g");
    this.above = svg("g");
    const uncovered = svg("g"); // its rings lie over the edges of its neighbours
    for (const label of puzzle.labels) {
      const shown = revealed.has(label.text);
      (shown ? uncovered : element).append(
        svg("path", { d: outline(label.cells), class: shown ? "revealed" : "cell" }), this.#words(label, shown));
    }
    const rim = svg("path", { d: outline(puzzle.board), class: "rim" });
    element.append(this.pieces, rim, uncovered, this.above);
  }

  #words(label, shown) {
    const cells = sorted(label.cells);
    const middle = cells[Math.floor((cells.length - 1) / 2)];
    const one = new Set(cells.map((cell) => cell[0])).size === 1;
    const column = one ? cells.reduce((sum, cell) => sum + cell[1], 0) / cells.length : middle[1];
    const text = svg("text", { x: (column + 0.5) * UNIT, y: (middle[0] + 0.5) * UNIT + 1.3 }, label.text);
    if (shown) text.classList.add("shown");
    const wide = 0.9 * UNIT * (one ? cells.length : 1);
    if (label.text.length * 2.2 > wide) text.setAttribute("font-size", (wide / label.text.length / 0.62).toFixed(2));
    return text;
  }

  // placements: [{ piece, cells }]; named: whether they can be taken, and so need a name
  show(placements, named) {
    this.pieces.replaceChildren(...placements.map((placement, number) => {
      const colour = this.colours.get(placement.piece);
      const [row, column] = sorted(placement.cells)[0];
      const letter = svg("text", { x: column * UNIT + 0.9, y: row * UNIT + 3.1 }, placement.piece);
      letter.classList.add(wantsLight(colour) ? "light" : "dark");
      const group = svg("g", { class: "piece", "data-number": number },
        svg("path", { d: outline(placement.cells), fill: colour }), letter);
      if (named) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.setAttribute("aria-label", `Piece ${placement.piece} on ${sorted(placement.cells).map(key).join(", ")}; Enter takes it up`);
      }
      return group;
    }));
  }

  ghost(piece, cells, fits) {
    this.above.replaceChildren(...(cells ? [svg("path", {
      d: outline(cells), class: fits ? "ghost" : "ghost misfit", fill: this.colours.get(piece) })] : []));
  }

  hint(cells) {
    this.above.replaceChildren(svg("path", { d: outline(cells), class: "hinted" }));
  }

  // The cell under a point of the window, which may lie off the board.
  cellAt(x, y) {
    const box = this.element.getBoundingClientRect();
    const scale = (this.puzzle.columns * UNIT + 2) / box.width;
    return [Math.floor(((y - box.top) * scale - 1) / UNIT), Math.floor(((x - box.left) * scale - 1) / UNIT)];
  }

  get unit() {
    return (this.element.getBoundingClientRect().width / (this.puzzle.columns * UNIT + 2)) * UNIT;
  }
}
