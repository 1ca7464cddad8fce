"""Questions to external programs: exact covers in an export format, with satcal's counts."""

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
    """A cover whose tilings a program counts; ``tilings`` is satcal's count.

    ``encoding`` is that of the formula in DIMACS. All tilings contain the placements ``place``.
    """

    cover: Cover
    tilings: int
    encoding: str = DEFAULT_ENCODING
    place: tuple[Placement, ...] = ()

    def text(self, format: str) -> str:
        """Return the question in one of satcal's export formats."""
        name = self.encoding if format == "dimacs" else None
        puzzle, reveal = self.cover.puzzle, self.cover.reveal
        return export_text(puzzle, reveal, format=format, encoding=name, place=self.place)

    @cached_property
    def models(self) -> list[frozenset[int]]:
        """The tilings as sets of option numbers from 1, in satcal's order."""
        cover, puzzle = self.cover, self.cover.puzzle
        number = {option: n for n, option in enumerate(cover.options, start=1)}
        reveals = list(puzzle.reveals()) if cover.reveal is None else [cover.reveal]
        return [
            # in an open cover, labels are options too
            frozenset(number[option] for option in tiling)
            | frozenset(number[puzzle.labels[text]] for text in reveal if cover.reveal is None)
            for reveal in reveals
            for tiling in DiagramMethod().tilings(puzzle, reveal, self.place, Meter())
        ]


def build_questions(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    place: tuple[Placement, ...] = (),
    encoding: str = DEFAULT_ENCODING,
) -> Iterator[Question]:
    """Yield a question for each reveal, with the count of the diagram."""
    for reveal, tilings in DiagramMethod().counts(puzzle, reveals, place, Meter()).items():
        yield Question(cover_with(puzzle, reveal, place), tilings, encoding, place)
