"""Counts up to the symmetries of a puzzle, by any method.

The tilings are listed, and the first of each class is counted. The diagram only counts if single
pieces show that no symmetry fixes a tiling: then each class has a tiling for each symmetry.

>>> from satcal.counting.method import Meter
>>> from satcal.counting.methods import method_named
>>> from satcal.puzzle.loading import load
>>> board = load("pentomino-3x20")  # 8 tilings
>>> for name in ("diagram", "search"):
...     print(up_to_symmetry(method_named(name)).counts(board, [()], (), Meter()))
{(): 2}
{(): 2}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Decorated, Meter, Method
from satcal.errors import Disagreement, OptionError
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, name_reveal
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import classes, symmetries, tilings_are_asymmetric


class UpToSymmetry(Decorated):
    """A method that counts classes of tilings instead of tilings."""

    def key(self) -> str:
        """Return the key under which the counts of classes are stored."""
        return f"{super().key()} up-to-symmetry"

    def tilings(
        self, puzzle: Puzzle, reveal: Reveal, place: Sequence[Placement], meter: Meter
    ) -> Iterator[Tiling]:
        """Yield the first tiling of each class."""
        return classes(puzzle, self.method.tilings(puzzle, reveal, place, meter), place)

    def counts(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement], meter: Meter
    ) -> dict[Reveal, int]:
        """Return the number of classes of each reveal.

        Raises:
            Disagreement: the diagram's number cannot be a multiple of the number of symmetries.
        """
        all_placements = list(placements(puzzle, puzzle.cells))
        if not isinstance(self.method, DiagramMethod) or not tilings_are_asymmetric(
            puzzle, all_placements
        ):
            return super().counts(puzzle, reveals, place, meter)
        counts, order = {}, len(symmetries(puzzle, place))
        for reveal, number in self.method.counts(puzzle, reveals, place, meter).items():
            counts[reveal], rest = divmod(number, order)
            if rest:
                raise Disagreement(
                    f"classes of {puzzle.name}, {name_reveal(reveal)}: {number} is not a multiple "
                    f"of the {order} symmetries; please report it"
                )
        return counts


def up_to_symmetry(method: Method) -> Method:
    """Return a method that counts classes by another method.

    Raises:
        OptionError: the method is ``verified``, whose definition has no symmetries.
    """
    if method.name == "verified":
        raise OptionError("the method verified counts all tilings; leave out --up-to-symmetry")
    return UpToSymmetry(method)
