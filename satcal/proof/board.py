"""The placements of a puzzle on its board, from the drawings, and what each of them excludes.

Placements are numbered from 0: kinds of pieces in the order of the file (pieces with the same set
of looks are one kind), then look (as drawn, its clockwise turns, then those of its mirror image;
equal ones once), then the row and the column of the upper left corner of its frame.

What can be named has numbers as well: the cells of the board row by row, then the kinds of which
there is one copy. Sets of either are integers, in which bit i stands for number i. A state is an
integer: in its lowest bits what can be named and is still to be decided, above them the copies left
of the other kinds, a field of bits for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satcal.errors import TooLarge
from satcal.proof.normal import MAX_SIDE, Cell, Written

MAX_PLACEMENTS = 20_000  # what they exclude is a square of bits: 50 MB
WIDTH = 2 * MAX_SIDE


class Board:
    """What a walk has to know of a puzzle; the module explains numbers, sets and states.

    Per kind of piece: ``copies``, and ``of_kind`` (its placements). Per placement: ``kinds`` (its
    kind), ``uses`` (what it takes from a state), ``leaves`` (the placements that still fit beside
    it, as far as cells and single pieces say), ``fields`` (the bits of a state with its kind's
    copies; 0 for a single one). Per thing that can be named: ``deciding`` (the
    placements that decide it). ``cells`` is the set of all cells, ``things`` that of all that can
    be named, ``area`` the squares of all pieces, ``size`` the bytes of a state.

    Raises:
        TooLarge: there are more than ``MAX_PLACEMENTS``.
    """

    def __init__(self, puzzle: Written) -> None:
        self.puzzle = puzzle
        kinds: dict[frozenset[frozenset[Cell]], tuple[list[frozenset[Cell]], int]] = {}
        for piece in puzzle.pieces:
            looks = looks_of(piece.squares, piece.flip)
            first, copies = kinds.get(frozenset(looks), (looks, 0))
            kinds[frozenset(looks)] = (first, copies + piece.copies)
        self.copies = [copies for _, copies in kinds.values()]
        self.area = sum(len(looks[0]) * copies for looks, copies in kinds.values())
        self.cell_number = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.kinds: list[int] = []
        decided: list[list[int]] = []
        for kind, (looks, _) in enumerate(kinds.values()):
            for cells in positions(looks, self.cell_number):
                self.kinds.append(kind)
                decided.append(cells)
                if len(decided) > MAX_PLACEMENTS:
                    raise TooLarge(f"puzzle: more than {MAX_PLACEMENTS:,} placements")
        self.number_things(decided)
        self.number_states()

    def number_things(self, decided: Sequence[list[int]]) -> None:
        """Set what decides what, and which placements each leaves; each has ``decided`` cells."""
        single = [kind for kind, copies in enumerate(self.copies) if copies == 1]
        kind_number = {kind: len(self.cell_number) + at for at, kind in enumerate(single)}
        self.cells = (1 << len(self.cell_number)) - 1
        self.deciding = [0] * (len(self.cell_number) + len(single))
        self.things = (1 << len(self.deciding)) - 1
        self.of_kind = [0] * len(self.copies)
        for number, kind in enumerate(self.kinds):
            self.of_kind[kind] |= 1 << number
            if kind in kind_number:
                decided[number].append(kind_number[kind])
            for thing in decided[number]:
                self.deciding[thing] |= 1 << number
        self.uses = [sum(1 << thing for thing in things) for things in decided]
        self.leaves = [self.disjoint_from(things) for things in decided]

    def number_states(self) -> None:
        """Set where the copies of each kind are counted in a state."""
        at, lowest = len(self.deciding), {}
        self.start = self.things
        for kind, copies in enumerate(self.copies):
            if copies > 1:
                lowest[kind] = at
                self.start |= copies << at
                at += copies.bit_length()
        self.size = (at + 7) // 8
        self.fields = [0] * len(self.kinds)
        for number, kind in enumerate(self.kinds):
            if kind in lowest:
                self.uses[number] |= 1 << lowest[kind]
                self.fields[number] = (1 << self.copies[kind].bit_length()) - 1 << lowest[kind]

    def disjoint_from(self, things: Sequence[int]) -> int:
        """Return the placements that decide none of these things."""
        taken = 0
        for thing in things:
            taken |= self.deciding[thing]
        return (1 << len(self.kinds)) - 1 & ~taken

    def begin(self, reveal: Sequence[str]) -> tuple[int, int]:
        """Return the state of a reveal, and the placements that fit."""
        hidden = {self.cell_number[c] for label in reveal for c in self.puzzle.labels[label]}
        return self.start & ~sum(1 << cell for cell in hidden), self.disjoint_from(list(hidden))

    def adds_up(self, state: int) -> bool:
        """Return whether the pieces have the area that is to be covered, as in a tiling."""
        return (state & self.cells).bit_count() == self.area


def looks_of(squares: Sequence[Cell], flip: bool) -> list[frozenset[Cell]]:
    """Return all that a drawing may look like, each once, moved to row 0 and column 0."""
    looks: dict[frozenset[Cell], None] = {}
    mirrored = [(row, -column) for row, column in squares]
    for face in (squares, mirrored) if flip else (squares,):
        turned = list(face)
        for _ in range(4):
            top, left = map(min, zip(*turned, strict=True))
            looks[frozenset((row - top, column - left) for row, column in turned)] = None
            turned = [(column, -row) for row, column in turned]  # clockwise
    return list(looks)


def positions(looks: Sequence[frozenset[Cell]], board: Mapping[Cell, int]) -> Iterator[list[int]]:
    """Yield the cells of each look, by number, at each position that lies on the board.

    A look is tried where its first square comes to a cell: sets of squares are bits of integers,
    with rows so wide that no look reaches from one into the next.
    """
    grid = sum(1 << WIDTH * row + column for row, column in board)
    for look in looks:
        squares = sorted(look)
        first = squares[0][1]
        shape = sum(1 << WIDTH * row + column - first for row, column in squares)
        for top, at in board:
            if not shape << WIDTH * top + at & ~grid:
                yield [board[top + row, at - first + column] for row, column in squares]
