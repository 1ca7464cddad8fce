"""Hints for a partly filled board, from its diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Placement, Reveal
from satcal.tabular import count_of

MAX_TAKEN_BACK = 3
"""The most pieces that advice takes back: to try every four of ten takes a minute."""


@dataclass(frozen=True)
class Hint:
    """The number of tilings of a partly filled board, and the placements of the other pieces.

    ``places`` has, for each piece, its placements that occur in a tiling, with the number of
    tilings of each. ``advice`` says what to do if there is no tiling.
    """

    tilings: int
    places: Mapping[str, Mapping[Placement, int]]
    advice: str = ""

    def __repr__(self) -> str:
        if self.advice:
            return f"<Hint: {self.advice}>"
        numbers = ", ".join(f"{name} {len(places)}" for name, places in self.places.items())
        return f"<Hint: tilings {self.tilings:,}; places {numbers or 'none'}>"

    @property
    def tightest(self) -> str | None:
        """The piece with the fewest placements; None if every piece is placed."""
        return min(self.places, key=lambda name: len(self.places[name]), default=None)

    def next(self) -> Placement | None:
        """Return the tightest piece's placement that occurs in the most remaining tilings.

        Return None if every piece is placed.
        """
        if self.tightest is None:
            return None
        places = self.places[self.tightest]
        return max(places, key=lambda placement: (places[placement], placement.cells))


def hint(diagram: PuzzleDiagram, reveal: Reveal, placed: Sequence[Placement] = ()) -> Hint:
    """Return the hint for a board on which ``placed`` are placed.

    The diagram must also have the tilings of the reveal without ``placed``, for the advice which
    pieces to take back.
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
    """Return a sentence that says which pieces to take back when there is no tiling.

    They are as few as possible; among equal choices, those that leave the most tilings. The
    sentence also says if the reveal has no tiling, or if more than ``MAX_TAKEN_BACK`` pieces must
    be taken back.
    """
    if not diagram.count(reveal):
        return "there is no solution, whatever is placed"
    for size in range(1, min(len(placed), MAX_TAKEN_BACK) + 1):
        choices = []
        for choice in combinations(placed, size):
            others = [placement for placement in placed if placement not in choice]
            choices.append((diagram.count(reveal, others), choice))
        tilings, best = max(choices, key=lambda pair: pair[0])
        if tilings:
            *names, last = (placement.piece for placement in best)
            pieces = f"{', '.join(names)} and {last}" if names else last
            solutions = count_of(tilings, "solution")
            return f"it can no longer be solved: take back {pieces}, which leaves {solutions}"
    return (
        f"it can no longer be solved, not even if {MAX_TAKEN_BACK} pieces are taken back; "
        "take back more, or start again"
    )
