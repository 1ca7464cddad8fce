"""The walk through a search tree: how many tilings does it prove?

The tree is a row of tokens, one for each node, depth first. A node names a cell that is still to
be covered, or a piece with one copy that is still to be placed. Every tiling goes on with exactly
one of the placements that still fit there: these are the children, all of them, in their order.
With nothing left to cover a tiling is found. The state of a marked node (what is to be decided,
and the copies that are left) is remembered with its number of tilings; where it comes again,
nothing is written. All reveals of a puzzle share what is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from satcal.errors import CertificateRefused
from satcal.proof.board import Board, Left, State


class Stated(NamedTuple):
    """What a certificate states of a reveal: its tilings, and the size of its tree."""

    reveal: tuple[str, ...]
    tilings: int
    nodes: int
    marks: int


class Walk:
    """The walk through the trees of one puzzle, in their order; ``tokens`` yields their bytes."""

    def __init__(self, board: Board, tokens: Iterator[int]) -> None:
        self._board = board
        self._tokens = tokens
        self._known: dict[tuple[int, Left], int] = {}
        self._stated = Stated((), 0, 0, 0)
        self._tilings = self._nodes = self._marks = 0

    def check(self, stated: Stated) -> None:
        """Walk through the next tree; raise CertificateRefused unless it proves what is stated."""
        self._stated = stated
        self._tilings = self._nodes = self._marks = 0
        begin = self._board.state(stated.reveal)
        if (begin.open & self._board.cells).bit_count() == self._board.area:
            self._walk(begin)
        for what, number, found in (
            ("tilings", stated.tilings, self._tilings),
            ("nodes", stated.nodes, self._nodes),
            ("marks", stated.marks, self._marks),
        ):
            if number != found:
                self._refuse(f"{number} {what} stated, but {found} found")

    def end(self) -> None:
        """Raise CertificateRefused if there are more tokens than the trees have."""
        if next(self._tokens, None) is not None:
            self._refuse("there is more data after the last tree")

    def _walk(self, state: State) -> None:
        """Visit a state and all below it; without recursion, as a path may be long."""
        board, known = self._board, self._known
        cells, deciding, decides, leaves = board.cells, board.deciding, board.decides, board.leaves
        path: list[
            tuple[tuple[int, Left, int], int, int]
        ] = []  # nodes, their marks, the tilings found before
        ways: list[int] = []  # of each node the children that are still to be visited
        open_, left, fits = state
        tilings = 0
        while True:
            if not open_ & cells:
                tilings += 1
            elif (remembered := known.get((open_, left))) is not None:
                tilings += remembered
            else:
                token = self._token()
                named = (open_ & -open_).bit_length() - 1 + (token >> 1)
                if not open_ >> named & 1:
                    self._refuse(f"number {named} is not an undecided cell or piece")
                path.append(((open_, left, fits), token & 1, tilings))
                ways.append(fits & deciding[named])
            while path and not ways[-1]:
                ways.pop()
                (open_, left, fits), marked, before = path.pop()
                if marked:
                    self._marks += 1
                    known[open_, left] = tilings - before
            if not path:
                self._tilings = tilings
                return
            first = ways[-1] & -ways[-1]
            ways[-1] ^= first
            placement = first.bit_length() - 1
            open_, left, fits = path[-1][0]
            open_ &= ~decides[placement]
            fits &= leaves[placement]
            if (several := board.several[placement]) is not None:
                left, fits = board.use(several, left, fits)

    def _token(self) -> int:
        """The next number: 7 bits in one byte, or 14 in two, the least first."""
        if self._nodes == self._stated.nodes:
            self._refuse("its tree has more nodes than stated")
        self._nodes += 1
        try:
            number = next(self._tokens)
            if number < 128:
                return number
            more = next(self._tokens)
        except StopIteration:
            self._refuse("its tree ends too early")
        if not 0 < more < 128:
            self._refuse("a token is too large, or not in its shortest form")
        return number - 128 + (more << 7)

    def _refuse(self, reason: str) -> NoReturn:
        place = f"reveal {' '.join(self._stated.reveal)}: " if self._stated.reveal else ""
        raise CertificateRefused(f"{place}node {self._nodes}: {reason}")
