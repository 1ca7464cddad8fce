"""What a diagram's process answers: counts, remaining tilings, hints, tilings by rank."""

from __future__ import annotations

import csv
import datetime
import io
import random
from collections import OrderedDict
from functools import cached_property
from typing import Any

from satcal.counting.hint import hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import NoTiling
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.place import Demand, check_reveal, parse_demands
from satcal.puzzle.ranges import Range, select
from satcal.service.child import dumps

SLICES = 600  # a year, the months and weekdays on the way, and some more


class Answers:
    """Answers about one puzzle from its diagram.

    A question is a dict whose ``ask`` names one of the methods below; ``reveal`` and ``place``
    are lists of texts.
    """

    def __init__(self, diagram: PuzzleDiagram) -> None:
        self._whole = diagram
        self._slices: OrderedDict[Reveal, PuzzleDiagram] = OrderedDict()

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self._whole.puzzle

    def ask(self, question: dict[str, Any]) -> bytes:
        """Return the answer as JSON.

        Raises:
            PlacementError, UnknownName, RevealError, NoTiling: what is wrong with the question.
        """
        if question["ask"] == "counts":
            return self._counts(question)
        if question["ask"] == "warm":
            self._slice(tuple(question["labels"]))
            return b"null"
        reveal = self.puzzle.check_reveal(tuple(question["reveal"]))
        demands = parse_demands(self.puzzle, question["place"])
        check_reveal(self.puzzle, reveal, demands)
        diagram = self._slice(reveal)
        found = {
            "remaining": self._remaining, "hint": self._hint,
            "tilings": self._tilings, "random": self._random,
        }[question["ask"]](diagram, reveal, demands, question)  # fmt: skip
        head = {"reveal": list(reveal), "place": question["place"]}
        return dumps({**head, **found})

    def _slice(self, labels: Reveal) -> PuzzleDiagram:
        """Return the diagram of some labels, a label at a time: dates share most of the way."""
        if not labels:
            return self._whole
        known = self._slices.get(labels)
        if known is None:
            known = self._slice(labels[:-1]).only(labels)
            if len(self._slices) >= SLICES:
                # those of one date go first, they are made in a moment
                longest = max(map(len, self._slices))
                del self._slices[next(key for key in self._slices if len(key) == longest)]
            self._slices[labels] = known
        self._slices.move_to_end(labels)
        return known

    def _counts(self, question: dict[str, Any]) -> bytes:
        """Return a table: JSON, or CSV as a JSON text."""
        rows = select(self.puzzle, Range(**question["range"]), datetime.date.min)
        counts = self._table
        if question["format"] == "csv":
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(["date", *self.puzzle.categories, "tilings", "methods"])
            for row in rows:
                writer.writerow([row.date or "", *row.reveal, counts[row.reveal], "diagram"])
            return dumps(text.getvalue())
        listed = [
            {"date": row.date and row.date.isoformat(), "reveal": row.reveal,
             "tilings": counts[row.reveal]}
            for row in rows
        ]  # fmt: skip
        total = sum(counts[row.reveal] for row in rows)
        return dumps({"puzzle": question["puzzle"], "total": total, "rows": listed})

    @cached_property
    def _table(self) -> dict[Reveal, int]:
        return self._whole.counts()

    def _remaining(
        self, diagram: PuzzleDiagram, reveal: Reveal, demands: list[Demand], _: object
    ) -> dict[str, object]:
        return {"tilings": diagram.count(reveal, demands)}

    def _hint(
        self, diagram: PuzzleDiagram, reveal: Reveal, demands: list[Demand], _: object
    ) -> dict[str, object]:
        found = hint(diagram, reveal, demands)
        following = found.next()
        return {
            "tilings": found.tilings,
            "tightest": found.tightest if found.tilings else None,
            "next": str(following) if following else None,
            "places": {name: len(places) for name, places in found.places.items()},
        }

    def _tilings(
        self, diagram: PuzzleDiagram, reveal: Reveal, demands: list[Demand], question: Any
    ) -> dict[str, object]:
        first, limit = question["offset"], question["limit"]
        total = diagram.count(reveal, demands)
        ranks = range(first, min(first + limit, total))
        items = [tiling_fields(rank, diagram.tiling(rank, reveal, demands)) for rank in ranks]
        return {"tilings": total, "offset": first, "items": items}

    def _random(
        self, diagram: PuzzleDiagram, reveal: Reveal, demands: list[Demand], question: Any
    ) -> dict[str, object]:
        total = diagram.count(reveal, demands)
        if not total:
            raise NoTiling("there is no tiling to draw; take a piece back")
        rank = random.Random(question["seed"]).randrange(total)
        items = [tiling_fields(rank, diagram.tiling(rank, reveal, demands))]
        return {"tilings": total, "seed": question["seed"], "items": items}


def tiling_fields(rank: int, tiling: Tiling) -> dict[str, object]:
    """Return a tiling with its rank, its placements as texts."""
    return {"rank": rank, "placements": [str(placed) for placed in tiling]}
