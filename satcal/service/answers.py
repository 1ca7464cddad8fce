"""Questions to a puzzle's diagram, and their answers, which a process that holds it gives.

The server asks :func:`build` first, then :func:`answer` for each question, whose labels and
placements it has checked.
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from satcal.draw.tables import Counted, render
from satcal.errors import NoTiling
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, select
from satcal.site import edition

if TYPE_CHECKING:  # the server, which only asks, needs no numpy
    from satcal.diagram.puzzle import PuzzleDiagram

SLICES = 600  # a year, the months and weekdays on the way, and some more


class Slices:
    """A puzzle's diagram, and those of some of its labels and reveals."""

    def __init__(self, diagram: PuzzleDiagram) -> None:
        self._whole, self.puzzle = diagram, diagram.puzzle
        self.of = lru_cache(SLICES)(self._of)

    def _of(self, labels: Reveal) -> PuzzleDiagram:
        """Return the diagram of some labels, a label at a time: dates share most of the way."""
        return self.of(labels[:-1]).only(labels) if labels else self._whole

    @cached_property
    def counts(self) -> dict[Reveal, int]:
        """The number of tilings of every reveal."""
        return self._whole.counts()

    @cached_property
    def files(self) -> dict[str, bytes]:
        """What the page needs to count by itself: the counts of a ``year``, all ``tilings``."""
        from satcal.site import packing

        year, tilings = edition.year(self._whole), packing.pack(self._whole.diagram)
        return {"year": year, "tilings": tilings}


@dataclass(frozen=True)
class Table:
    """How many tilings do the rows of a range have? ``puzzle`` is what the answer calls it."""

    puzzle: str
    range: Range
    csv: bool

    def answer(self, slices: Slices) -> bytes:
        """Return the table as JSON or CSV."""
        rows = select(slices.puzzle, self.range, datetime.date.min)
        if self.csv:
            table = [Counted(row, slices.counts[row.reveal], ("diagram",)) for row in rows]
            return render(slices.puzzle, table, "csv").encode()
        listed = [
            {"date": row.date and str(row.date), "reveal": row.reveal,
             "tilings": slices.counts[row.reveal]}
            for row in rows
        ]  # fmt: skip
        total = sum(slices.counts[row.reveal] for row in rows)
        return edition.compact({"puzzle": self.puzzle, "total": total, "rows": listed})


@dataclass(frozen=True)
class Position:
    """How many tilings of a reveal contain what is placed? ``place`` has conditions as texts."""

    reveal: Reveal
    place: tuple[str, ...]

    def answer(self, slices: Slices) -> bytes:
        """Return the answer as JSON."""
        demands = parse_demands(slices.puzzle, self.place)
        fields = self._fields(slices.of(self.reveal), demands)
        return edition.compact({"reveal": self.reveal, "place": self.place, **fields})

    def _fields(self, diagram: PuzzleDiagram, demands: list[Demand]) -> dict[str, Any]:
        return {"tilings": diagram.count(self.reveal, demands)}

    def _items(
        self, diagram: PuzzleDiagram, demands: list[Demand], ranks: range
    ) -> list[dict[str, Any]]:
        tilings = {rank: diagram.tiling(rank, self.reveal, demands) for rank in ranks}
        return [{"rank": rank, "placements": list(map(str, tilings[rank]))} for rank in ranks]


@dataclass(frozen=True)
class Help(Position):
    """Which piece has the fewest places left, and what can be placed next?"""

    def _fields(self, diagram: PuzzleDiagram, demands: list[Demand]) -> dict[str, Any]:
        from satcal.counting.hint import hint

        hinted = hint(diagram, self.reveal, demands)
        following = hinted.next()
        return {
            "tilings": hinted.tilings,
            "tightest": hinted.tightest if hinted.tilings else None,
            "next": str(following) if following else None,
            "places": {name: len(places) for name, places in hinted.places.items()},
        }


@dataclass(frozen=True)
class Page(Position):
    """Which tilings have these ranks? One of a ``rank`` that nobody has is an error."""

    offset: int
    limit: int = 1
    rank: bool = False

    def _fields(self, diagram: PuzzleDiagram, demands: list[Demand]) -> dict[str, Any]:
        total = diagram.count(self.reveal, demands)
        if self.rank and self.offset >= total:
            raise NoTiling(f"there is no tiling of rank {self.offset}; the first has rank 0")
        ranks = range(self.offset, min(self.offset + self.limit, total))
        items = self._items(diagram, demands, ranks)
        return {"tilings": total, "offset": self.offset, "items": items}


@dataclass(frozen=True)
class Drawn(Position):
    """Which tiling does a seed draw?"""

    seed: int

    def _fields(self, diagram: PuzzleDiagram, demands: list[Demand]) -> dict[str, Any]:
        total = diagram.count(self.reveal, demands)
        if not total:
            raise NoTiling("there is no tiling to draw; take a piece back")
        rank = random.Random(self.seed).randrange(total)
        items = self._items(diagram, demands, range(rank, rank + 1))
        return {"tilings": total, "seed": self.seed, "items": items}


@dataclass(frozen=True)
class PageFile:
    """What is in a file of the page, of a kind that :attr:`Slices.files` has?"""

    kind: str

    def answer(self, slices: Slices) -> bytes:
        """Return the file."""
        return slices.files[self.kind]


Question = Table | Position | PageFile
_held: list[Slices] = []  # of the one puzzle that this process is asked about


def build(puzzle: Puzzle, use_cache: bool, memory: int) -> None:
    """Build the diagram of a puzzle, within so many bytes, and hold it."""
    from satcal.diagram.puzzle import open_diagram

    reveals = list(puzzle.reveals())
    diagram = open_diagram(puzzle, reveals, use_cache=use_cache, memory_limit=memory)
    _held.append(Slices(diagram))


def answer(question: Question) -> bytes:
    """Return the answer to a question."""
    return question.answer(_held[-1])
