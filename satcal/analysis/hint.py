"""Hints for a partly filled board, from its diagram.

A hint picks the free cell that the fewest placements can cover, among those that occur in a tiling
of the position. The next placement is the one on this cell that occurs in the most tilings. A
position without a tiling is a dead end. Its hint blames the fewest pieces without which a tiling
exists: each single piece that is enough, or else the set of pieces that leaves the most tilings.
The first cell in row-major order and the first placements in canonical order win ties.

The page has the same rules in `questions.js`; `tests/shared/hints.json` holds both to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import format_placement
from satcal.puzzle.shapes import Cell
from satcal.tabular import count_of


class Blame(NamedTuple):
    """Pieces to take back from a dead end, and the number of tilings that this leaves."""

    pieces: tuple[Placement, ...]
    tilings: int


@dataclass(frozen=True)
class Hint:
    """The number of tilings of a partly filled board, and the placements of the other pieces.

    ``places`` maps each piece to its placements that occur in a tiling, with the number of tilings
    of each. At a dead end, ``blame`` lists the alternatives to take back, best first, and
    ``advice`` says so.
    """

    tilings: int
    places: Mapping[str, Mapping[Placement, int]]
    blame: Sequence[Blame] = ()
    advice: str = ""

    def __repr__(self) -> str:
        return f"<Hint: {self.advice or count_of(self.tilings, 'tiling')}>"

    @property
    def cell(self) -> Cell | None:
        """The cell that the fewest placements cover; None if every piece is placed."""
        ways = Counter(c for places in self.places.values() for p in places for c in p.cells)
        return min(ways, key=lambda cell: (ways[cell], cell), default=None)

    def next(self) -> Placement | None:
        """Return the placement on :attr:`cell` that occurs in the most remaining tilings.

        Return None if every piece is placed.
        """
        cell, rank = self.cell, list(self.places)
        on_cell = {
            placement: tilings
            for places in self.places.values()
            for placement, tilings in places.items()
            if cell in placement.cells
        }
        return min(on_cell, key=lambda p: (-on_cell[p], rank.index(p.piece), p.cells), default=None)


def make_hint(diagram: PuzzleDiagram, reveal: Reveal, place: Sequence[Placement] = ()) -> Hint:
    """Return the hint for a board with ``place`` on it.

    The diagram must also have the tilings of the reveal without ``place``, to find out which
    pieces are to blame.
    """
    tilings = diagram.count(reveal, place)
    if not tilings:
        blame = find_blame(diagram, reveal, place)
        return Hint(0, {}, blame, advice(diagram.puzzle, blame, bool(diagram.count(reveal))))
    places: dict[str, dict[Placement, int]] = {}
    for placement, count in diagram.containing(reveal, place).items():
        if count and placement not in place:
            places.setdefault(placement.piece, {})[placement] = count
    return Hint(tilings, places)


def find_blame(diagram: PuzzleDiagram, reveal: Reveal, place: Sequence[Placement]) -> list[Blame]:
    """Return what to take back from a dead end: one or more single pieces, or one set of pieces.

    Return nothing if the reveal has no tiling, or if more than ``MAX_SUBSETS`` sets of pieces are
    equally small.
    """
    names = [piece.name for piece in diagram.puzzle.pieces]
    ordered = sorted(place, key=lambda p: (names.index(p.piece), p.cells))
    sets = [
        Blame(tuple(p for p in ordered if p not in part), tilings)
        for part, tilings in diagram.largest_parts(ordered, reveal).items()
    ]
    sets.sort(key=lambda blame: (-blame.tilings, [*map(ordered.index, blame.pieces)]))
    return sets if sets and len(sets[0].pieces) == 1 else sets[:1]


def advice(puzzle: Puzzle, blame: Sequence[Blame], solvable: bool) -> str:
    """Return a sentence that says which pieces to take back, if the empty board is solvable."""
    if not solvable:
        return "there is no solution, whatever is placed"
    choices = [
        f"{join_names(puzzle, pieces)}, which leaves {count_of(tilings, 'solution')}"
        for pieces, tilings in blame
    ]
    return f"it can no longer be solved: take back {', or '.join(choices) or 'several pieces'}"


def join_names(puzzle: Puzzle, pieces: Sequence[Placement]) -> str:
    """Return the names of pieces in a sentence; a piece that has copies is named by its cells."""
    copies = {piece.name: piece.copies for piece in puzzle.pieces}
    *names, last = (
        p.piece if copies[p.piece] == 1 else format_placement(puzzle, p) for p in pieces
    )
    return f"{', '.join(names)} and {last}" if names else last
