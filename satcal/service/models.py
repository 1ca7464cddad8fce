"""The models of requests; an unknown field is an error."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from satcal.errors import OptionError, TooLarge
from satcal.puzzle.model import Puzzle, labels_in
from satcal.puzzle.placed import parse_place
from satcal.puzzle.rows import ALL, Row, Selection, list_rows
from satcal.puzzle.when import TODAY, parse_dates

MAX_ROWS = 3_700
"""Limit on the dates of a request: ten years."""
PuzzleName = Annotated[
    str, Field(max_length=64, description="a library puzzle, or a posted one", examples=["rhombus"])
]


class StrictModel(BaseModel):
    """The base of all requests; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


class Definition(StrictModel):
    """A puzzle's definition: the TOML text of a puzzle file."""

    definition: str = Field(max_length=262_144)


class PuzzleQuery(StrictModel):
    """What is asked of a puzzle: dates, or a reveal; without either, today."""

    date: str | None = Field(
        None,
        max_length=100,
        description="a day, a month, a year, today, tomorrow, A..B, or all",
        examples=["Oct 6 2026"],
    )
    reveal: str | None = Field(None, max_length=400, description="labels, such as Thu,Oct,23")

    def select(self, puzzle: Puzzle, today: datetime.date) -> Selection:
        """Return the selection, its placements in canonical order.

        Raises:
            OptionError: fields exclude each other.
            RevealError: the puzzle has no such date or reveal.
            PlacementError: a placement is impossible.
            TooLarge: there are more than ``MAX_ROWS`` dates.
        """
        rows, texts = self.list_rows(puzzle, today), getattr(self, "place", ())
        place = parse_place(puzzle, *texts, reveals=[row.reveal for row in rows])
        return Selection(puzzle, rows, tuple(sorted(place, key=str)))

    def list_rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the rows in the order of the request; none for the formula of all reveals."""
        fields = ("date", "reveal", "all_reveals", "open")
        given = [name for name in fields if getattr(self, name, None) not in (None, False)]
        if len(given) > 1:
            raise OptionError(f"{' and '.join(given)} exclude each other; give one of them")
        if given == ["open"]:
            return []
        if given == ["all_reveals"]:
            return list(map(Row, puzzle.reveals()))
        if given == ["reveal"] or (not given and not puzzle.categories):
            return [Row(puzzle.check_reveal(labels_in(self.reveal or "")))]
        text = TODAY if self.date is None else self.date
        if text.casefold() != ALL and puzzle.calendar.parts is not None:
            days = sum(span.days for span in parse_dates(text, today))
            if days > MAX_ROWS:
                raise TooLarge(f"{days:,} dates, more than {MAX_ROWS:,}; ask for fewer years")
        return list_rows(puzzle, text, today)


class Position(PuzzleQuery):
    """What is asked of a puzzle on which pieces are already placed."""

    place: list[Annotated[str, Field(max_length=2500)]] = Field(
        [],
        max_length=64,
        description="pieces on the board, by labels or cells: O: 1 2 3 8 9 10, or "
        "N:r2c3,r2c4,r2c5,r3c5,r3c6",
    )


class CountsQuery(Position):
    """The counts of dates or reveals."""

    all_reveals: bool = False


class TilingsQuery(Position):
    """Which tilings to list, by their ranks."""

    offset: int = Field(0, ge=0, description="how many tilings to skip")
    limit: int = Field(20, ge=0, le=200)


class ExportQuery(Position):
    """The formula of a date or reveal; with ``open``, one formula of all reveals."""

    format: Literal["dimacs", "opb", "dlx", "asp"] = "dimacs"
    encoding: str | None = Field(None, max_length=40)
    open: bool = Field(False, description="all reveals at once")


class CountJob(Position):
    """Count dates, by the diagram if no other method is named, as everywhere else.

    ``sat`` finds each tiling, and proves that there is no other.
    """

    kind: Literal["count"]
    puzzle: PuzzleName
    all_reveals: bool = False
    method: Literal["diagram", "sat", "search"] = "diagram"


class CertificateJob(PuzzleQuery):
    """Make a certificate of a date or reveal."""

    kind: Literal["certificate"]
    puzzle: PuzzleName
