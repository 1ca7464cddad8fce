"""Hints for a partly filled board: what a diagram knows of it, without giving all away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Placement, Reveal
from satcal.puzzle.shapes import Cell


@dataclass(frozen=True)
class Hint:
    """What is left to a partly filled board.

    ``tilings`` is how many remain; ``places`` maps each piece that is not placed to the
    placements that still lead to a tiling, with the number of tilings of each.
    """

    tilings: int
    places: Mapping[str, Mapping[Placement, int]]

    @property
    def tightest(self) -> str | None:
        """The piece with the fewest places left, the first of equals; None when all is placed."""
        return min(self.places, key=lambda name: len(self.places[name]), default=None)

    def next(self) -> Placement | None:
        """Return a placement that leads to a tiling: the tightest piece's most frequent one."""
        if self.tightest is None:
            return None
        places = self.places[self.tightest]
        return max(places, key=lambda placed: (places[placed], placed.cells))


def hint(diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand] = ()) -> Hint:
    """Return what a diagram knows of a board on which the demands are placed already."""
    # a piece is placed where all its cells are, whether as one placement or cell by cell
    filled: dict[str, set[Cell]] = {piece.name: set() for piece in diagram.puzzle.pieces}
    for demand in demands:
        filled[demand.piece].update(demand.cells)
    places: dict[str, dict[Placement, int]] = {name: {} for name in filled}
    for placed, count in diagram.containing(reveal, demands).items():
        if count and not filled[placed.piece].issuperset(placed.cells):
            places[placed.piece][placed] = count
    left = {name: found for name, found in places.items() if found}
    return Hint(diagram.count(reveal, demands), left)
