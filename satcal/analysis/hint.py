"""Hints: what a diagram knows of a partly filled board, without giving all away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Placement, Reveal

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

MOST_TAKEN = 3  # pieces to take back: to try more takes minutes, and helps nobody


@dataclass(frozen=True)
class Hint:
    """How many tilings a partly filled board has, and the places of each piece to come.

    ``places``: the placements that still lead to a tiling, with the number of tilings of each.
    ``advice`` names the pieces to take back if no tiling is left.
    """

    tilings: int
    places: Mapping[str, Mapping[Placement, int]]
    advice: str = ""

    def __repr__(self) -> str:
        if self.advice:
            return f"<Hint: {self.advice}>"
        left = ", ".join(f"{name} {len(places)}" for name, places in self.places.items())
        return f"<Hint: tilings {self.tilings:,}; places {left or 'none'}>"

    @property
    def tightest(self) -> str | None:
        """The piece with the fewest places left; None when all is placed."""
        return min(self.places, key=lambda name: len(self.places[name]), default=None)

    def next(self) -> Placement | None:
        """The tightest piece's placement that occurs in the most remaining tilings.

        None if every piece is placed.
        """
        if self.tightest is None:
            return None
        places = self.places[self.tightest]
        return max(places, key=lambda placed: (places[placed], placed.cells))


def hint(diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand] = ()) -> Hint:
    """The hint for a board on which demands are placed."""
    # a piece is placed where all its cells are, whether as one placement or cell by cell
    filled = {(demand.piece, cell) for demand in demands for cell in demand.cells}
    places: dict[str, dict[Placement, int]] = {}
    for placed, count in diagram.containing(reveal, demands).items():
        if count and not filled.issuperset((placed.piece, cell) for cell in placed.cells):
            places.setdefault(placed.piece, {})[placed] = count
    return Hint(diagram.count(reveal, demands), places)


def what_to_take_back(diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand]) -> str:
    """What to do where nothing leads to a tiling: the fewest pieces to take back, in words.

    Of several ways it is the one that leaves most tilings. What is asked of a piece cell by
    cell is taken back together. The diagram has to know the reveal without the demands.
    """
    if not diagram.count(reveal):
        return "there is no solution, whatever is placed"
    pieces: dict[str, list[Demand]] = {}
    for demand in demands:
        pieces.setdefault(str(demand) if demand.whole else demand.piece, []).append(demand)
    for size in range(1, min(len(pieces), MOST_TAKEN) + 1):
        choices = []
        for taken in combinations(pieces, size):
            left = [demand for name in pieces if name not in taken for demand in pieces[name]]
            choices.append((diagram.count(reveal, left), taken))
        tilings, best = max(choices, key=lambda choice: choice[0])
        if tilings:
            *names, last = (pieces[name][0].piece for name in best)
            back = f"{', '.join(names)} and {last}" if names else last
            left_over = f"{tilings:,} solution{'' if tilings == 1 else 's'}"
            return f"it can no longer be solved: take back {back}, which leaves {left_over}"
    return (
        f"it can no longer be solved, not even if {MOST_TAKEN} pieces are taken back; start again "
        "with fewer pieces"
    )
