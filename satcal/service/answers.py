"""Questions to a puzzle's diagram, and their answers, which a process that holds it gives.

The server asks :func:`build` first, then :func:`answer` for each question.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import random
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from satcal.errors import NoTiling
from satcal.puzzle.demands import Demand, check_reveal, parse_demands
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, select

if TYPE_CHECKING:  # the server, which only asks, needs no numpy
    from satcal.diagram.puzzle import PuzzleDiagram

SLICES = 600  # a year, the months and weekdays on the way, and some more


class Slices:
    """A puzzle's diagram, and those of some of its labels and reveals."""

    def __init__(self, diagram: PuzzleDiagram) -> None:
        self._whole = diagram
        self._known: OrderedDict[Reveal, PuzzleDiagram] = OrderedDict()
        self.puzzle = diagram.puzzle

    def of(self, labels: Reveal) -> PuzzleDiagram:
        """Return the diagram of some labels, a label at a time: dates share most of the way."""
        if not labels:
            return self._whole
        known = self._known.get(labels)
        if known is None:
            known = self.of(labels[:-1]).only(labels)
            if len(self._known) >= SLICES:
                # those of one date go first, they are made in a moment
                longest = max(map(len, self._known))
                del self._known[next(key for key in self._known if len(key) == longest)]
            self._known[labels] = known
        self._known.move_to_end(labels)
        return known

    @cached_property
    def counts(self) -> dict[Reveal, int]:
        """The number of tilings of every reveal."""
        return self._whole.counts()


@dataclass(frozen=True)
class Warm:
    """Prepare the diagram of some labels; nothing is answered."""

    labels: Reveal

    def answer(self, slices: Slices) -> bytes:
        """Prepare it."""
        slices.of(self.labels)
        return b""


@dataclass(frozen=True)
class Table:
    """How many tilings do the rows of a range have? ``puzzle`` is what the answer calls it."""

    puzzle: str
    range: Range
    csv: bool

    def answer(self, slices: Slices) -> bytes:
        """Return the table as JSON or CSV."""
        rows = select(slices.puzzle, self.range, datetime.date.min)
        counts = slices.counts
        if self.csv:
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(["date", *slices.puzzle.categories, "tilings", "methods"])
            for row in rows:
                writer.writerow([row.date or "", *row.reveal, counts[row.reveal], "diagram"])
            return text.getvalue().encode()
        listed = [
            {"date": row.date and row.date.isoformat(), "reveal": row.reveal,
             "tilings": counts[row.reveal]}
            for row in rows
        ]  # fmt: skip
        total = sum(counts[row.reveal] for row in rows)
        return dumps({"puzzle": self.puzzle, "total": total, "rows": listed})


@dataclass(frozen=True)
class Filled:
    """The diagram of a reveal, and what is placed there."""

    diagram: PuzzleDiagram
    reveal: Reveal
    demands: list[Demand]

    def count(self) -> int:
        """Return how many tilings contain what is placed."""
        return self.diagram.count(self.reveal, self.demands)

    def tiling(self, rank: int) -> dict[str, Any]:
        """Return the tiling of a rank."""
        tiling = self.diagram.tiling(rank, self.reveal, self.demands)
        return {"rank": rank, "placements": [str(placed) for placed in tiling]}


@dataclass(frozen=True)
class Position:
    """How many tilings of a reveal contain what is placed? ``place`` has conditions as texts."""

    reveal: Reveal
    place: tuple[str, ...]

    def answer(self, slices: Slices) -> bytes:
        """Return the answer as JSON."""
        reveal = slices.puzzle.check_reveal(self.reveal)
        demands = parse_demands(slices.puzzle, self.place)
        check_reveal(slices.puzzle, reveal, demands)
        fields = self.fields(Filled(slices.of(reveal), reveal, demands))
        return dumps({"reveal": reveal, "place": self.place, **fields})

    def fields(self, board: Filled) -> dict[str, Any]:
        """Return what the answer says beside the question."""
        return {"tilings": board.count()}


@dataclass(frozen=True)
class Help(Position):
    """Which piece has the fewest places left, and what can be placed next?"""

    def fields(self, board: Filled) -> dict[str, Any]:
        """Return the hint."""
        from satcal.counting.hint import hint

        hinted = hint(board.diagram, board.reveal, board.demands)
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

    def fields(self, board: Filled) -> dict[str, Any]:
        """Return the tilings, in the diagram's order."""
        total = board.count()
        if self.rank and self.offset >= total:
            raise NoTiling(f"there is no tiling of rank {self.offset}; the first has rank 0")
        ranks = range(self.offset, min(self.offset + self.limit, total))
        return {"tilings": total, "offset": self.offset, "items": list(map(board.tiling, ranks))}


@dataclass(frozen=True)
class Drawn(Position):
    """Which tiling does a seed draw?"""

    seed: int

    def fields(self, board: Filled) -> dict[str, Any]:
        """Return a tiling, all equally likely."""
        total = board.count()
        if not total:
            raise NoTiling("there is no tiling to draw; take a piece back")
        rank = random.Random(self.seed).randrange(total)
        return {"tilings": total, "seed": self.seed, "items": [board.tiling(rank)]}


@dataclass(frozen=True)
class PageFile:
    """What does the page need to count by itself: the counts of a ``year``, or all ``tilings``?"""

    kind: str

    def answer(self, slices: Slices) -> bytes:
        """Return the file."""
        from satcal.site import edition, packing

        diagram = slices.of(())
        return edition.year(diagram) if self.kind == "year" else packing.pack(diagram.diagram)


Question = Warm | Table | Position | PageFile
_held: list[Slices] = []  # of the one puzzle that this process is asked about


def build(puzzle: Puzzle, use_cache: bool, memory: int) -> None:
    """Build the diagram of a puzzle, within so many bytes, and hold it."""
    from satcal.diagram.puzzle import open_diagram

    reveals = list(puzzle.reveals())
    diagram = open_diagram(puzzle, reveals, use_cache=use_cache, memory_limit=memory)
    _held.append(Slices(diagram))


def answer(question: Question) -> bytes:
    """Return the answer to a question."""
    return question.answer(_held[0])


def dumps(value: object) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
