"""The placements of a puzzle on its board, from the drawings, and what each of them excludes.

Placements are numbered from 0: pieces in the order of the file (pieces that look alike are copies
of the first of them), then orientation (as drawn, its clockwise turns, then those of its mirror
image; equal ones once), then the row and the column of the upper left corner of its frame.

What is to be decided has numbers, too: the cells of the board row by row, then the pieces of
which there is one copy. A set of either kind is an integer, in which bit i stands for number i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satcal.errors import TooLarge
from satcal.proof.normal import Cell, Written

MAX_PLACEMENTS = 20_000  # what they exclude is a square of bits: 50 MB


Left = tuple[int, ...]
"""The copies left of each piece."""


class State(NamedTuple):
    """What is still to be decided, the copies left, and the placements that fit.

    The last follows from the others: the placements that cover no other cells than these, of
    pieces of which a copy is left.
    """

    open: int
    left: Left
    fits: int


class Board:
    """What a walk has to know of a puzzle; see the module for numbers and sets.

    Per piece: ``names``, ``copies``, ``of_piece`` (its placements). Per placement: ``placements``
    (the number of its piece, and its cells), ``decides`` (its cells, and its piece if there is one
    copy), ``leaves`` (the placements that decide nothing of this). Per cell and single piece:
    ``deciding`` (the placements that decide it). ``cells`` and ``singles`` are the sets of all
    cells and of all pieces with one copy, ``area`` is that of all pieces with their copies.

    Raises TooLarge for more than ``MAX_PLACEMENTS``.
    """

    def __init__(self, puzzle: Written) -> None:
        self.puzzle = puzzle
        pieces: dict[frozenset[frozenset[Cell]], tuple[str, list[frozenset[Cell]], int]] = {}
        for piece in puzzle.pieces:
            looks = orientations(piece.squares, piece.flip)
            name, first, copies = pieces.get(frozenset(looks), (piece.name, looks, 0))
            pieces[frozenset(looks)] = (name, first, copies + piece.copies)
        self.names = [name for name, _, _ in pieces.values()]
        self.copies = tuple(copies for _, _, copies in pieces.values())
        self.area = sum(len(looks[0]) * copies for _, looks, copies in pieces.values())
        self.placements: list[tuple[int, frozenset[Cell]]] = []
        for number, (_, looks, _) in enumerate(pieces.values()):
            self.placements += ((number, cells) for cells in _positions(looks, puzzle.cells))
            if len(self.placements) > MAX_PLACEMENTS:
                raise TooLarge(f"puzzle: it has more than {MAX_PLACEMENTS} placements")
        self._decide()

    def _decide(self) -> None:
        """Set what each placement decides, and which others it leaves."""
        number_of: dict[Cell | int, int] = {}
        single = [piece for piece, copies in enumerate(self.copies) if copies == 1]
        things: list[Cell | int] = [*self.puzzle.cells, *single]
        for thing in things:
            number_of[thing] = len(number_of)
        self.cells = (1 << len(self.puzzle.cells)) - 1
        self.singles = (1 << len(number_of)) - 1 & ~self.cells
        self.deciding = [0] * len(number_of)
        self.of_piece = [0] * len(self.copies)
        decided: list[list[int]] = []
        for number, (piece, cells) in enumerate(self.placements):
            self.of_piece[piece] |= 1 << number
            decided.append([number_of[cell] for cell in cells])
            if piece in number_of:
                decided[-1].append(number_of[piece])
            for at in decided[-1]:
                self.deciding[at] |= 1 << number
        self.decides = [sum(1 << at for at in ats) for ats in decided]
        self.several = [None if self.copies[n] == 1 else n for n, _ in self.placements]
        every = (1 << len(self.placements)) - 1
        self.leaves = [every] * len(decided)
        for number, ats in enumerate(decided):
            for at in ats:
                self.leaves[number] &= ~self.deciding[at]

    def state(self, reveal: Sequence[str]) -> State:
        """What is to be done for a reveal."""
        hidden = {cell for label in reveal for cell in self.puzzle.labels[label]}
        open_, fits = self.singles, (1 << len(self.placements)) - 1
        for number, cell in enumerate(self.puzzle.cells):
            if cell in hidden:
                fits &= ~self.deciding[number]
            else:
                open_ |= 1 << number
        return State(open_, self.copies, fits)

    def after(self, state: State, placement: int) -> State:
        """What is to be done once a placement that fits is chosen."""
        open_, left, fits = state
        fits &= self.leaves[placement]
        if (piece := self.several[placement]) is not None:
            left, fits = self.use(piece, left, fits)
        return State(open_ & ~self.decides[placement], left, fits)

    def use(self, piece: int, left: Left, fits: int) -> tuple[Left, int]:
        """The copies left and the placements that fit once one more copy is used."""
        left = (*left[:piece], left[piece] - 1, *left[piece + 1 :])
        return left, fits if left[piece] else fits & ~self.of_piece[piece]


def orientations(squares: Sequence[Cell], flip: bool) -> list[frozenset[Cell]]:
    """All that a drawing may look like, each once, moved to row 0 and column 0."""
    looks: dict[frozenset[Cell], None] = {}
    mirrored = [(row, -column) for row, column in squares]
    for face in (squares, mirrored) if flip else (squares,):
        turned = list(face)
        for _ in range(4):
            top, left = map(min, zip(*turned, strict=True))
            looks[frozenset((row - top, column - left) for row, column in turned)] = None
            turned = [(column, -row) for row, column in turned]  # clockwise
    return list(looks)


def _positions(
    looks: Sequence[frozenset[Cell]], board: Sequence[Cell]
) -> Iterator[frozenset[Cell]]:
    """Yield the cells of each look at each position at which all of them are on the board."""
    height, width = (1 + max(axis) for axis in zip(*board, strict=True))
    on_board = frozenset(board)
    for look in looks:
        for top in range(height):
            for left in range(width):
                cells = frozenset((top + row, left + column) for row, column in look)
                if cells <= on_board:
                    yield cells
