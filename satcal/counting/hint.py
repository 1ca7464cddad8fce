"""Hints for a partly filled board: what a diagram knows of it, without giving all away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.counting.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Placement, Reveal
from satcal.puzzle.place import Demand


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
        if not self.tilings or self.tightest is None:
            return None
        places = self.places[self.tightest]
        return max(places, key=lambda placed: (places[placed], placed.cells))


def hint(diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand] = ()) -> Hint:
    """Return what a diagram knows of a board on which the demands are placed already."""
    tilings = diagram.count(reveal, demands)
    fixed = {(demand.piece, demand.cells) for demand in demands if demand.whole}
    left = {piece.name: piece.copies for piece in diagram.puzzle.pieces}
    for name, _ in fixed:
        left[name] -= 1
    places: dict[str, dict[Placement, int]] = {name: {} for name, n in left.items() if n > 0}
    if tilings:
        for placed, count in diagram.containing(reveal, demands).items():
            if count and placed.piece in places and (placed.piece, placed.cells) not in fixed:
                places[placed.piece][placed] = count
    return Hint(tilings, places)
