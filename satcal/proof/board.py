"""The placements of a puzzle on its board, from the drawings, and what each of them excludes.

Placements are numbered from 0: kinds of pieces in the order of the file (pieces with the same set
of looks are one kind), then look (as drawn, its clockwise turns, then those of its mirror image;
equal ones once), then the row and the column of the upper left corner of its frame.

Items, which a node can name, are numbered too: the cells of the board row by row, then the kinds of
which there is one copy. Sets of either are integers, in which bit i stands for number i. A state is
an integer: in its lowest bits the items still to be decided, above them the copies left of the
other kinds, a field of bits for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satcal.errors import TooLarge
from satcal.proof.normal import MAX_SIDE, Cell, ParsedPuzzle

MAX_PLACEMENTS = 20_000  # ``compatible`` has a bit for each pair: 50 MB
WIDTH = 2 * MAX_SIDE


class Board:
    """What a walk has to know of a puzzle; the module explains numbers, sets and states.

    Per kind of piece: ``copies`` and ``placements_of``. Per placement: ``kind_of``, ``uses`` (what
    it takes from a state), ``compatible`` (the placements that overlap none of its cells and do not
    use the same single piece), ``fields`` (the bits of a state with its kind's copies; 0 for a
    single one). Per item: ``deciding`` (the placements that decide it). ``cells`` is the set of all
    cells, ``items`` that of all items, ``area`` the squares of all pieces, ``size`` the bytes of a
    state.

    Raises:
        TooLarge: there are more than ``MAX_PLACEMENTS``.
    """

    def __init__(self, puzzle: ParsedPuzzle) -> None:
        self.puzzle = puzzle
        kinds: dict[frozenset[frozenset[Cell]], tuple[list[frozenset[Cell]], int]] = {}
        for piece in puzzle.pieces:
            looks = looks_of(piece.squares, piece.flip)
            first, copies = kinds.get(frozenset(looks), (looks, 0))
            kinds[frozenset(looks)] = (first, copies + piece.copies)
        self.copies = [copies for _, copies in kinds.values()]
        self.area = sum(len(looks[0]) * copies for looks, copies in kinds.values())
        self.cell_number = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.kind_of: list[int] = []
        decided: list[list[int]] = []
        for kind, (looks, _) in enumerate(kinds.values()):
            for cells in positions(looks, self.cell_number):
                self.kind_of.append(kind)
                decided.append(cells)
                if len(decided) > MAX_PLACEMENTS:
                    raise TooLarge(f"puzzle: more than {MAX_PLACEMENTS:,} placements")
        self.number_items(decided)
        self.lay_out_state()

    def number_items(self, decided: Sequence[list[int]]) -> None:
        """Set ``deciding``, ``placements_of``, ``uses`` and ``compatible``.

        ``decided`` holds the cells of each placement; the number of a single kind is appended.
        """
        single = [kind for kind, copies in enumerate(self.copies) if copies == 1]
        kind_number = {kind: len(self.cell_number) + at for at, kind in enumerate(single)}
        self.cells = (1 << len(self.cell_number)) - 1
        self.deciding = [0] * (len(self.cell_number) + len(single))
        self.items = (1 << len(self.deciding)) - 1
        self.placements_of = [0] * len(self.copies)
        for number, kind in enumerate(self.kind_of):
            self.placements_of[kind] |= 1 << number
            if kind in kind_number:
                decided[number].append(kind_number[kind])
            for item in decided[number]:
                self.deciding[item] |= 1 << number
        self.uses = [sum(1 << item for item in items) for items in decided]
        self.compatible = [self.disjoint_from(items) for items in decided]

    def lay_out_state(self) -> None:
        """Give each kind with several copies a field of the state that counts the copies left."""
        at, lowest = len(self.deciding), {}
        self.start = self.items
        for kind, copies in enumerate(self.copies):
            if copies > 1:
                lowest[kind] = at
                self.start |= copies << at
                at += copies.bit_length()
        self.size = (at + 7) // 8
        self.fields = [0] * len(self.kind_of)
        for number, kind in enumerate(self.kind_of):
            if kind in lowest:
                self.uses[number] |= 1 << lowest[kind]
                self.fields[number] = (1 << self.copies[kind].bit_length()) - 1 << lowest[kind]

    def disjoint_from(self, items: Sequence[int]) -> int:
        """Return the placements that decide none of these items."""
        taken = 0
        for item in items:
            taken |= self.deciding[item]
        return (1 << len(self.kind_of)) - 1 & ~taken

    def begin(self, reveal: Sequence[str]) -> tuple[int, int]:
        """Return the state of a reveal, and the placements that fit."""
        revealed = {self.cell_number[c] for label in reveal for c in self.puzzle.labels[label]}
        return self.start & ~sum(1 << cell for cell in revealed), self.disjoint_from(list(revealed))

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
