"""The placements of a puzzle on its board, from the drawings, and what each of them excludes.

Pieces with the same set of orientations are one kind. Placements are numbered from 0, in this
order: the kinds, as in the file; the orientations of a kind (as drawn, its clockwise turns, then
those of its mirror image; equal ones once); the row, then the column of the upper left corner.

An item is a cell of the board or a kind with one copy. Items are numbered from 0: the cells row by
row, then the kinds with one copy. A set of items or placements is an integer in which bit i stands
for number i. A state is an integer. Its lowest bits are the items still to be covered. Above them,
each kind with several copies has a field of bits: the number of copies left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satcal.errors import TooLarge
from satcal.proof.normal import MAX_SIDE, Cell, ParsedPuzzle

MAX_PLACEMENTS = 20_000  # ``compatible_with`` has a bit for each pair: 50 MB
MAX_PLACED = 400_000  # squares of all placements: each costs an operation on such a set
WIDTH = 2 * MAX_SIDE  # bits of a row, so wide that no orientation reaches into the next row


class Board:
    """The tables of a puzzle that a walk uses; the module explains numbers, sets and states.

    Per kind: ``copies`` and ``placements_of_kind``. Per item: ``placements_of_item``, the
    placements that cover it. Per placement: ``kind_of``; ``decrements``, which a state is reduced
    by; ``compatible_with``, the placements that share no item with it; ``copies_masks``, the bits
    of a state that count the copies of its kind, or 0 for a kind with one copy. Per label:
    ``cells_of_label`` and ``placements_of_label``, the placements that cover one of them.

    ``cells`` is the set of all cells, ``items`` that of all items, ``area`` the number of squares
    of all pieces, and ``state_bytes`` the number of bytes of a state.

    Raises:
        TooLarge: they are more than ``MAX_PLACEMENTS``, or have more squares than ``MAX_PLACED``.
    """

    def __init__(self, puzzle: ParsedPuzzle) -> None:
        self.puzzle = puzzle
        kinds: dict[frozenset[frozenset[Cell]], tuple[list[frozenset[Cell]], int]] = {}
        for piece in puzzle.pieces:
            orientations = orient(piece.squares, piece.flip)
            first, copies = kinds.get(frozenset(orientations), (orientations, 0))
            kinds[frozenset(orientations)] = (first, copies + piece.copies)
        self.copies = [copies for _, copies in kinds.values()]
        self.area = sum(len(orientations[0]) * copies for orientations, copies in kinds.values())
        self.cell_number = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.kind_of: list[int] = []
        placement_items: list[list[int]] = []
        placed = 0
        for kind, (orientations, _) in enumerate(kinds.values()):
            for cells in place(orientations, self.cell_number):
                self.kind_of.append(kind)
                placement_items.append(cells)
                if len(placement_items) > MAX_PLACEMENTS:
                    raise TooLarge(f"puzzle: more than {MAX_PLACEMENTS:,} placements")
                placed += len(cells)
                if placed > MAX_PLACED:
                    raise TooLarge(f"puzzle: placements of more than {MAX_PLACED:,} squares in all")
        self.number_items(placement_items)
        self.lay_out_state()
        # once per label: reveals would join them again
        numbers = {at: [self.cell_number[c] for c in cells] for at, cells in puzzle.labels.items()}
        self.cells_of_label = {at: sum(1 << n for n in cells) for at, cells in numbers.items()}
        self.placements_of_label = {at: self.covering(cells) for at, cells in numbers.items()}

    def number_items(self, placement_items: Sequence[list[int]]) -> None:
        """Set the tables of items, ``placements_of_kind``, ``decrements`` and ``compatible_with``.

        ``placement_items`` holds the cells of each placement. The item of its kind is appended if
        the kind has one copy.
        """
        kinds = [kind for kind, copies in enumerate(self.copies) if copies == 1]
        kind_item = {kind: item for item, kind in enumerate(kinds, start=len(self.cell_number))}
        self.cells = (1 << len(self.cell_number)) - 1
        self.placements_of_item = [0] * (len(self.cell_number) + len(kinds))
        self.items = (1 << len(self.placements_of_item)) - 1
        self.placements_of_kind = [0] * len(self.copies)
        for number, kind in enumerate(self.kind_of):
            self.placements_of_kind[kind] |= 1 << number
            if kind in kind_item:
                placement_items[number].append(kind_item[kind])
            for item in placement_items[number]:
                self.placements_of_item[item] |= 1 << number
        self.decrements = [sum(1 << item for item in items) for items in placement_items]
        self.every = (1 << len(self.kind_of)) - 1
        self.compatible_with = [self.every & ~self.covering(items) for items in placement_items]

    def lay_out_state(self) -> None:
        """Give each kind with several copies a field of the state that counts the copies left."""
        bit, lowest_bit = len(self.placements_of_item), {}
        self.full_state = self.items
        for kind, copies in enumerate(self.copies):
            if copies > 1:
                lowest_bit[kind] = bit
                self.full_state |= copies << bit
                bit += copies.bit_length()
        self.state_bytes = (bit + 7) // 8
        self.copies_masks = [0] * len(self.kind_of)
        for number, kind in enumerate(self.kind_of):
            if kind in lowest_bit:
                mask = (1 << self.copies[kind].bit_length()) - 1
                self.decrements[number] |= 1 << lowest_bit[kind]
                self.copies_masks[number] = mask << lowest_bit[kind]

    def covering(self, items: Sequence[int]) -> int:
        """Return the placements that cover one of these items."""
        covering = 0
        for item in items:
            covering |= self.placements_of_item[item]
        return covering

    def begin(self, reveal: Sequence[str]) -> tuple[int, int]:
        """Return the first state of a reveal, and the placements that leave it uncovered."""
        state, fitting = self.full_state, self.every
        for label in reveal:
            state &= ~self.cells_of_label[label]
            fitting &= ~self.placements_of_label[label]
        return state, fitting

    def after(self, state: int, fitting: int, placement: int) -> tuple[int, int]:
        """Return the state after a placement, and the placements that still fit."""
        state -= self.decrements[placement]
        fitting &= self.compatible_with[placement]
        mask = self.copies_masks[placement]
        if mask and not state & mask:  # no copy of its kind is left
            fitting &= ~self.placements_of_kind[self.kind_of[placement]]
        return state, fitting

    def areas_match(self, state: int) -> bool:
        """Return whether the pieces have as many squares as there are cells to cover."""
        return (state & self.cells).bit_count() == self.area


def orient(squares: Sequence[Cell], flip: bool) -> list[frozenset[Cell]]:
    """Return the orientations of a drawing, each once, moved to row 0 and column 0."""
    orientations: dict[frozenset[Cell], None] = {}
    mirror_image = [(row, -column) for row, column in squares]
    for drawing in (squares, mirror_image) if flip else (squares,):
        cells = list(drawing)
        for _ in range(4):
            top, left = map(min, zip(*cells, strict=True))
            orientations[frozenset((row - top, column - left) for row, column in cells)] = None
            cells = [(column, -row) for row, column in cells]  # clockwise
    return list(orientations)


def place(
    orientations: Sequence[frozenset[Cell]], cell_number: Mapping[Cell, int]
) -> Iterator[list[int]]:
    """Yield the cells of each orientation, by number, at each position that lies on the board.

    The first square of an orientation is put on each cell. Board and squares are integers with a
    bit for each cell, so one operation tells whether all squares lie on the board.
    """
    board = sum(1 << WIDTH * row + column for row, column in cell_number)
    for orientation in orientations:
        squares = sorted(orientation)
        indent = squares[0][1]
        shape = sum(1 << WIDTH * row + column - indent for row, column in squares)
        for top, left in cell_number:
            if not shape << WIDTH * top + left & ~board:
                yield [cell_number[top + row, left - indent + column] for row, column in squares]
