"""Counts up to the symmetries of a puzzle, by any method.

The diagram counts the classes by Burnside's lemma. A method that lists tilings takes the first of
each class. The two ways share only the symmetries.

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
from dataclasses import dataclass

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter, Method, count_by_listing
from satcal.diagram.classes import count_classes
from satcal.errors import OptionError
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.symmetry import classes


@dataclass(frozen=True)
class UpToSymmetry:
    """A method that counts classes of tilings instead of tilings."""

    method: Method

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.name

    @property
    def one_by_one(self) -> bool:
        """Whether the method counts by listing tilings."""
        return self.method.one_by_one

    def key(self) -> str:
        """Return the key under which the counts of classes are stored."""
        return f"{self.method.key()} up-to-symmetry"

    def tilings(
        self, puzzle: Puzzle, reveal: Reveal, place: Sequence[Placement], meter: Meter
    ) -> Iterator[Tiling]:
        """Yield the first tiling of each class."""
        return classes(puzzle, self.method.tilings(puzzle, reveal, place, meter), place)

    def counts(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement], meter: Meter
    ) -> dict[Reveal, int]:
        """Return the number of classes of each reveal."""
        if isinstance(self.method, DiagramMethod):
            limit = self.method.memory_limit
            return count_classes(puzzle, reveals, place, memory_limit=limit, progress=meter.step)
        return count_by_listing(self, puzzle, reveals, place, meter)


def up_to_symmetry(method: Method) -> Method:
    """Return a method that counts classes by another method.

    Raises:
        OptionError: the method is ``verified``, whose definition has no symmetries.
    """
    if method.name == "verified":
        raise OptionError("the method verified counts all tilings; leave out --up-to-symmetry")
    return UpToSymmetry(method)
