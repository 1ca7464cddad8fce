"""Hints: what a diagram knows of a partly filled board, without giving all away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Placement, Reveal
from satcal.tabular import count_of

MAX_TAKEN_BACK = 3
"""The most pieces that advice takes back: trying every four of ten takes a minute."""


@dataclass(frozen=True)
class Hint:
    """The number of tilings of a partly filled board, and the places of each piece to come.

    ``places`` has the placements that still lead to a tiling, with the number of tilings of each.
    ``advice`` says what to do if no tiling is left.
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
        """Return the tightest piece's placement that occurs in the most remaining tilings.

        Return None if every piece is placed.
        """
        if self.tightest is None:
            return None
        places = self.places[self.tightest]
        return max(places, key=lambda placed: (places[placed], placed.cells))


def hint(diagram: PuzzleDiagram, reveal: Reveal, placed: Sequence[Placement] = ()) -> Hint:
    """Return the hint for a board on which some pieces are placed.

    To advise which pieces to take back, the diagram must include the reveal with none of them
    placed.
    """
    tilings = diagram.count(reveal, placed)
    if not tilings:
        return Hint(0, {}, advice(diagram, reveal, placed))
    places: dict[str, dict[Placement, int]] = {}
    for placement, count in diagram.containing(reveal, placed).items():
        if count and placement not in placed:
            places.setdefault(placement.piece, {})[placement] = count
    return Hint(tilings, places)


def advice(diagram: PuzzleDiagram, reveal: Reveal, placed: Sequence[Placement]) -> str:
    """Say which pieces to take back when no tiling is left.

    They are as few as possible; among equal choices, those that leave the most tilings. Say so if
    the reveal has no tiling, or if more than ``MAX_TAKEN_BACK`` pieces would have to go.
    """
    if not diagram.count(reveal):
        return "there is no solution, whatever is placed"
    for size in range(1, min(len(placed), MAX_TAKEN_BACK) + 1):
        choices = []
        for taken in combinations(placed, size):
            left = [placement for placement in placed if placement not in taken]
            choices.append((diagram.count(reveal, left), taken))
        tilings, best = max(choices, key=lambda choice: choice[0])
        if tilings:
            *names, last = (placement.piece for placement in best)
            back = f"{', '.join(names)} and {last}" if names else last
            left_over = count_of(tilings, "solution")
            return f"it can no longer be solved: take back {back}, which leaves {left_over}"
    return (
        f"it can no longer be solved, not even if {MAX_TAKEN_BACK} pieces are taken back; "
        "take back more, or start again"
    )
