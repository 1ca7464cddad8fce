// The rules: what is placed, what is in the hand, what fits where. It draws nothing.
import { flipped, grip, key, moved, normal, rotated, same, size, sorted } from "./geometry.js";

export class Game extends EventTarget {
  constructor(puzzle, placed = []) {
    super();
    this.puzzle = puzzle;
    this.pieces = new Map(puzzle.piece_set.map((piece) => [piece.name, piece]));
    const hidden = new Set(puzzle.labels.filter((label) => puzzle.reveal.includes(label.text))
      .flatMap((label) => label.cells.map(key)));
    this.free = new Set(puzzle.board.map(key).filter((cell) => !hidden.has(cell)));
    this.placed = [];
    this.hand = null; // { piece, cells, at }: a shape and where it hovers, at null off the board
    this.turned = new Map(puzzle.piece_set.map((piece) => [piece.name, piece.orientations[0]]));
    for (const placement of placed) {
      const piece = this.pieces.get(placement.piece);
      const known = piece?.orientations.some((shape) => same(shape, normal(placement.cells)));
      if (known && this.left(piece.name) > 0 && this.fits(placement.cells)) this.placed.push(placement);
    }
  }

  left(name) {
    const used = this.placed.filter((placement) => placement.piece === name).length;
    return this.pieces.get(name).copies - used - (this.hand?.piece === name ? 1 : 0);
  }

  get solved() {
    return !this.hand && [...this.pieces.keys()].every((name) => this.left(name) === 0);
  }

  fits(cells) {
    const taken = new Set(this.placed.flatMap((placement) => placement.cells.map(key)));
    return cells.every((cell) => this.free.has(key(cell)) && !taken.has(key(cell)));
  }

  get hovering() {
    return this.hand?.at ? moved(this.hand.cells, this.hand.at) : null;
  }

  get handFits() {
    return Boolean(this.hovering && this.fits(this.hovering));
  }

  #changed(...events) {
    for (const event of events) this.dispatchEvent(new CustomEvent(event));
  }

  take(name) {
    if (this.hand?.piece === name || (this.left(name) <= 0)) return;
    this.hand = { piece: name, cells: this.turned.get(name), at: null };
    this.#changed("hand");
  }

  // Takes a placed piece up again.
  lift(number) {
    const [placement] = this.placed.splice(number, 1);
    const cells = normal(placement.cells);
    this.turned.set(placement.piece, cells);
    this.hand = { piece: placement.piece, cells, at: sorted(placement.cells).reduce(
      ([row, column], [r, c]) => [Math.min(row, r), Math.min(column, c)], [Infinity, Infinity]) };
    this.#changed("hand", "placed");
  }

  drop() {
    if (!this.hand) return;
    this.hand = null;
    this.#changed("hand");
  }

  turn(how) {
    if (!this.hand) return;
    const cells = how === "flip" ? flipped(this.hand.cells) : rotated(this.hand.cells);
    if (!this.pieces.get(this.hand.piece).orientations.some((shape) => same(shape, cells))) return;
    if (this.hand.at) { // the cell by which it is held stays where it is
      const [before, after] = [grip(this.hand.cells), grip(cells)];
      this.hand.at = [this.hand.at[0] + before[0] - after[0], this.hand.at[1] + before[1] - after[1]];
    }
    this.hand.cells = cells;
    this.turned.set(this.hand.piece, cells);
    this.#changed("hand");
  }

  // Hovers with the grip over a cell; snaps to a neighbouring position where only that fits.
  hover(cell, snap = true) {
    if (!this.hand) return;
    const [row, column] = grip(this.hand.cells);
    const at = cell && [cell[0] - row, cell[1] - column];
    const near = [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]];
    const spot = at && snap && near.map(([r, c]) => [at[0] + r, at[1] + c])
      .find((each) => this.fits(moved(this.hand.cells, each)));
    this.hand.at = at && this.#touches(at) ? spot || at : null;
    this.#changed("hand");
  }

  #touches(at) {
    return moved(this.hand.cells, at).some(([r, c]) =>
      r >= 0 && c >= 0 && r < this.puzzle.rows && c < this.puzzle.columns);
  }

  // Moves by the arrow keys: from nowhere to the first place that fits.
  nudge([row, column]) {
    if (!this.hand) return;
    const [high, wide] = size(this.hand.cells);
    const last = [this.puzzle.rows - high, this.puzzle.columns - wide];
    if (!this.hand.at) this.hand.at = this.#firstFit() ?? [0, 0];
    else {
      this.hand.at = [
        Math.min(Math.max(this.hand.at[0] + row, 0), last[0]),
        Math.min(Math.max(this.hand.at[1] + column, 0), last[1]),
      ];
    }
    this.#changed("hand");
  }

  #firstFit() {
    for (let row = 0; row < this.puzzle.rows; row += 1) {
      for (let column = 0; column < this.puzzle.columns; column += 1) {
        if (this.fits(moved(this.hand.cells, [row, column]))) return [row, column];
      }
    }
    return null;
  }

  place() {
    if (!this.handFits) return false;
    this.placed.push({ piece: this.hand.piece, cells: sorted(this.hovering) });
    this.hand = null;
    this.#changed("hand", "placed");
    return true;
  }

  set(placements) {
    this.hand = null;
    this.placed = placements;
    this.#changed("hand", "placed");
  }
}
