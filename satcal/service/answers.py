"""Questions to a puzzle's diagram, and their answers, which a process that holds it gives.

The server asks :func:`build` first, then :func:`answer` for each question, whose labels and
placements it has checked. A client gets the fields of an answer as JSON, in their order.
"""

from __future__ import annotations

import datetime
import gzip
import random
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from satcal.errors import NoTiling
from satcal.published.own_tables import confirm, shipped_counts
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, select
from satcal.site import edition
from satcal.tables import CountedRow, render

if TYPE_CHECKING:  # the server, which only asks, needs no numpy
    from satcal.diagram.puzzle import PuzzleDiagram

SLICES = 600  # a year, the months and weekdays on the way, and some more


class Slices:
    """A puzzle's diagram, and those of some of its labels and reveals."""

    def __init__(self, diagram: PuzzleDiagram) -> None:
        self._diagram, self.puzzle = diagram, diagram.puzzle
        self.of = lru_cache(SLICES)(self._of)

    def _of(self, labels: Reveal) -> PuzzleDiagram:
        """The diagram of some labels, a label at a time: dates share most of the way."""
        if not labels:
            return self._diagram
        part = self.of(labels[:-1]).only(labels)
        if len(labels) == len(self.puzzle.categories):
            confirm(self.puzzle, {labels: part.count(labels)}, self._shipped)
        return part

    @cached_property
    def _shipped(self) -> dict[Reveal, int]:
        return shipped_counts(self.puzzle, self.puzzle.reveals())

    @cached_property
    def counts(self) -> dict[Reveal, int]:
        """The number of tilings of every reveal, those of the shipped table if there is one."""
        counts = self._diagram.counts()
        confirm(self.puzzle, counts, self._shipped)
        return counts

    @cached_property
    def files(self) -> dict[str, bytes]:
        """What the page needs to count by itself: the counts of a ``year``, all ``tilings``.

        Those are there ``packed``, too.
        """
        from satcal.site import packing

        year, tilings = edition.year(self._diagram), packing.pack(self._diagram.diagram)
        return {"year": year, "tilings": tilings, "packed": gzip.compress(tilings, 6, mtime=0)}


@dataclass(frozen=True)
class CountRow:
    """The number of tilings of one reveal; a number may exceed 2^53."""

    date: str | None
    reveal: Reveal
    tilings: int


@dataclass(frozen=True)
class Counts:
    """Counts by the diagram."""

    puzzle: str
    total: int
    rows: list[CountRow]


@dataclass(frozen=True)
class Remaining:
    """How many tilings contain what is placed."""

    reveal: Reveal
    place: tuple[str, ...]
    tilings: int


@dataclass(frozen=True)
class Hinted(Remaining):
    """The piece with the fewest places left, a next placement, places left of each piece."""

    tightest: str | None
    next: str | None
    places: dict[str, int]


@dataclass(frozen=True)
class Ranked:
    """A tiling: its rank in the diagram's order, and its placements."""

    rank: int
    placements: list[str]


@dataclass(frozen=True)
class PageOfTilings(Remaining):
    """A page of tilings in the diagram's order."""

    offset: int
    items: list[Ranked]


@dataclass(frozen=True)
class Random(Remaining):
    """A tiling, all equally likely; the same seed, the same tiling."""

    seed: int
    items: list[Ranked]


@dataclass(frozen=True)
class TableAsked:
    """How many tilings do the rows of a range have? ``puzzle`` is what the answer calls it."""

    puzzle: str
    range: Range
    csv: bool

    def answer(self, slices: Slices) -> bytes:
        """The table as JSON or CSV."""
        rows = select(slices.puzzle, self.range, datetime.date.min)
        tilings = [slices.counts[row.reveal] for row in rows]
        if self.csv:
            table = [CountedRow(row, n, ("diagram",)) for row, n in zip(rows, tilings, strict=True)]
            return render(slices.puzzle, table, "csv").encode()
        listed = [
            CountRow(str(row.date) if row.date else None, row.reveal, n)
            for row, n in zip(rows, tilings, strict=True)
        ]
        return edition.compact(Counts(self.puzzle, sum(tilings), listed))


@dataclass(frozen=True)
class Position:
    """How many tilings of a reveal contain what is placed? ``place`` has conditions as texts."""

    reveal: Reveal
    place: tuple[str, ...]

    def answer(self, slices: Slices) -> bytes:
        """The answer as JSON."""
        demands = parse_demands(slices.puzzle, self.place)
        return edition.compact(self._found(slices.of(self.reveal), demands))

    def _found(self, diagram: PuzzleDiagram, demands: list[Demand]) -> Remaining:
        return Remaining(self.reveal, self.place, diagram.count(self.reveal, demands))

    def _items(self, diagram: PuzzleDiagram, demands: list[Demand], ranks: range) -> list[Ranked]:
        tilings = {rank: diagram.tiling(rank, self.reveal, demands) for rank in ranks}
        return [Ranked(rank, list(map(str, tilings[rank]))) for rank in ranks]


@dataclass(frozen=True)
class Help(Position):
    """Which piece has the fewest places left, and what can be placed next?"""

    def _found(self, diagram: PuzzleDiagram, demands: list[Demand]) -> Hinted:
        from satcal.analysis.hint import hint

        hinted = hint(diagram, self.reveal, demands)
        following = hinted.next()
        return Hinted(
            self.reveal,
            self.place,
            hinted.tilings,
            tightest=hinted.tightest if hinted.tilings else None,
            next=str(following) if following else None,
            places={name: len(places) for name, places in hinted.places.items()},
        )


@dataclass(frozen=True)
class Page(Position):
    """Which tilings have these ranks? One of a ``rank`` that nobody has is an error."""

    offset: int
    limit: int = 1
    rank: bool = False

    def _found(self, diagram: PuzzleDiagram, demands: list[Demand]) -> PageOfTilings:
        total = diagram.count(self.reveal, demands)
        if self.rank and self.offset >= total:
            known = f"ranks go from 0 to {total - 1}" if total else "there is no tiling"
            raise NoTiling(f"no tiling has rank {self.offset}; {known}")
        ranks = range(self.offset, min(self.offset + self.limit, total))
        items = self._items(diagram, demands, ranks)
        return PageOfTilings(self.reveal, self.place, total, self.offset, items)


@dataclass(frozen=True)
class DrawnTiling(Position):
    """Which tiling does a seed draw?"""

    seed: int

    def _found(self, diagram: PuzzleDiagram, demands: list[Demand]) -> Random:
        total = diagram.count(self.reveal, demands)
        if not total:
            raise NoTiling("there is no tiling to draw; take a piece back")
        rank = random.Random(self.seed).randrange(total)
        items = self._items(diagram, demands, range(rank, rank + 1))
        return Random(self.reveal, self.place, total, self.seed, items)


@dataclass(frozen=True)
class PageFile:
    """What is in a file of the page, of a kind that :attr:`Slices.files` has?"""

    kind: str

    def answer(self, slices: Slices) -> bytes:
        """The file."""
        return slices.files[self.kind]


PageQuestion = TableAsked | Position | PageFile
_held: list[Slices] = []  # of the one puzzle that this process is asked about


def build(puzzle: Puzzle, use_cache: bool, memory: int) -> None:
    """Build the diagram of a puzzle, within so many bytes, and hold it."""
    from satcal.diagram.puzzle import open_diagram

    reveals = list(puzzle.reveals())
    diagram = open_diagram(puzzle, reveals, use_cache=use_cache, memory_limit=memory)
    _held.append(Slices(diagram))


def answer(question: PageQuestion) -> bytes:
    """The answer to a question."""
    return question.answer(_held[-1])
