"""Questions to external programs: reveals in an export format, with satcal's counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.encoding.export import DEFAULT_ENCODING, export_text
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover


@dataclass(frozen=True)
class Question:
    """A reveal whose tilings a program counts; ``tilings`` is satcal's count.

    ``encoding`` is that of the formula in DIMACS. All tilings contain the placements ``place``.
    """

    puzzle: Puzzle
    reveal: Reveal
    tilings: int
    encoding: str = DEFAULT_ENCODING
    place: tuple[Placement, ...] = ()

    @cached_property
    def cover(self) -> Cover:
        """The cover of the formula."""
        return cover_with(self.puzzle, self.reveal, self.place)

    def text(self, format: str) -> str:
        """Return the question in one of satcal's export formats."""
        name = self.encoding if format == "dimacs" else None
        return export_text(self.puzzle, self.reveal, format=format, encoding=name, place=self.place)

    @cached_property
    def models(self) -> list[frozenset[int]]:
        """The tilings as sets of option numbers from 1, in satcal's order."""
        number = {option: n for n, option in enumerate(self.cover.options, start=1)}
        tilings = DiagramMethod().tilings(self.puzzle, self.reveal, self.place, Meter())
        return [frozenset(map(number.__getitem__, tiling)) for tiling in tilings]


def build_questions(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    place: tuple[Placement, ...] = (),
    encoding: str = DEFAULT_ENCODING,
) -> Iterator[Question]:
    """Yield a question for each reveal, with the count of the diagram."""
    for reveal, tilings in DiagramMethod().counts(puzzle, reveals, place, Meter()).items():
        yield Question(puzzle, reveal, tilings, encoding, place)
