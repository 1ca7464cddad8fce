"""Hints: what a diagram knows of a partly filled board, without giving all away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Placement, Reveal


@dataclass(frozen=True)
class Hint:
    """How many tilings a partly filled board has, and the places of each piece to come.

    ``places``: the placements that still lead to a tiling, with the number of tilings of each.
    """

    tilings: int
    places: Mapping[str, Mapping[Placement, int]]

    @property
    def tightest(self) -> str | None:
        """The piece with the fewest places left; None when all is placed."""
        return min(self.places, key=lambda name: len(self.places[name]), default=None)

    def next(self) -> Placement | None:
        """Return the tightest piece's most frequent placement."""
        if self.tightest is None:
            return None
        places = self.places[self.tightest]
        return max(places, key=lambda placed: (places[placed], placed.cells))


def hint(diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand] = ()) -> Hint:
    """Return what a diagram knows of a board on which demands are placed."""
    # a piece is placed where all its cells are, whether as one placement or cell by cell
    filled = {(demand.piece, cell) for demand in demands for cell in demand.cells}
    places: dict[str, dict[Placement, int]] = {}
    for placed, count in diagram.containing(reveal, demands).items():
        if count and not filled.issuperset((placed.piece, cell) for cell in placed.cells):
            places.setdefault(placed.piece, {})[placed] = count
    return Hint(diagram.count(reveal, demands), places)
