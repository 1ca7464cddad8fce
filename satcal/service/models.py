"""The models of requests; an unknown field is an error."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from satcal.errors import OptionError, TooLarge
from satcal.puzzle.calendar import YEARS
from satcal.puzzle.model import Puzzle, labels_in
from satcal.puzzle.placed import parse_place
from satcal.puzzle.rows import ALL, Row, Selection, list_rows
from satcal.puzzle.when import TODAY, parse_dates

MAX_ROWS = 3_700
"""Limit on the dates of a request: ten years."""
MAX_RANK = 2**62
"""Limit on ranks; no board that people play has more tilings."""
DateText = Annotated[str, Field(max_length=100)]
RevealText = Annotated[str, Field(max_length=400, description="labels, such as Thu,Oct,23")]
PlaceTexts = Annotated[
    list[Annotated[str, Field(max_length=2500)]],
    Field(
        max_length=64,
        description="pieces on the board, by labels or cells: O: 1 2 3 8 9 10, or "
        "N:r2c3,r2c4,r2c5,r3c5,r3c6",
    ),
]
PictureFormat = Literal["svg", "png"]


class StrictModel(BaseModel):
    """The base of all requests; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


class PuzzleRequest(StrictModel):
    """What is asked of a puzzle: dates or reveals, and perhaps the pieces already placed."""

    def parse_rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the rows in the order of the request."""
        raise NotImplementedError

    def select(self, puzzle: Puzzle, today: datetime.date) -> Selection:
        """Return the selection, its placements in canonical order.

        Raises:
            OptionError: fields exclude each other.
            RevealError: the puzzle has no such date or reveal.
            PlacementError: a placement is impossible.
            TooLarge: there are more than ``MAX_ROWS`` dates.
        """
        rows, texts = self.parse_rows(puzzle, today), getattr(self, "place", ())
        place = parse_place(puzzle, *texts, reveals=[row.reveal for row in rows])
        return Selection(puzzle, rows, tuple(sorted(place, key=str)))

    def check_at_most_one(self, *fields: str) -> None:
        """Raise OptionError if more than one of the fields has a value."""
        names = [name for name in fields if getattr(self, name) not in (None, False)]
        if len(names) > 1:
            raise OptionError(f"{' and '.join(names)} exclude each other; give one of them")


class Dates(PuzzleRequest):
    """One of ``dates``, ``year``, ``reveal`` or ``all_reveals``; without any, today."""

    dates: DateText | None = Field(
        None,
        description="a day, a month, a year, today, tomorrow, A..B, or all",
        examples=["Oct 6 2026"],
    )
    year: int | None = Field(None, ge=YEARS[0], le=YEARS[-1], examples=[2027])
    reveal: RevealText | None = None
    all_reveals: bool = False

    def parse_rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the rows in the order of the request."""
        self.check_at_most_one("dates", "year", "reveal", "all_reveals")
        text = self.dates if self.year is None else str(self.year)
        if self.all_reveals and self.reveal is None:
            return list(map(Row, puzzle.reveals()))
        return parse_rows(puzzle, text, self.reveal, today)


class DateOrReveal(PuzzleRequest):
    """One ``date`` or one ``reveal``; today if neither is given."""

    date: DateText | None = Field(
        None, description="a date, such as 2025-10-23, Oct 23 or today", examples=["2026-10-06"]
    )
    reveal: RevealText | None = None

    def parse_rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the only row; raise OptionError for several dates."""
        self.check_at_most_one("date", "reveal")
        rows = parse_rows(puzzle, self.date, self.reveal, today)
        return [Selection(puzzle, rows).row]


class PositionQuery(DateOrReveal):
    """A date or reveal, and the pieces already placed."""

    place: PlaceTexts = []


class PageQuery(PositionQuery):
    """Which tilings to list, by their ranks."""

    offset: int = Field(0, ge=0, le=MAX_RANK, description="how many tilings to skip")
    limit: int = Field(20, ge=0, le=200)


class SampleQuery(PositionQuery):
    """A random tiling; the same seed gives the same tiling."""

    seed: int = Field(0, ge=0, le=MAX_RANK)


class CountsQuery(Dates):
    """The counts of dates or reveals as JSON or CSV."""

    format: Literal["json", "csv"] = "json"


class ExportQuery(PositionQuery):
    """The formula of a date or reveal; with ``open``, one formula of all reveals."""

    format: Literal["dimacs", "opb", "dlx", "asp"] = "dimacs"
    encoding: str | None = Field(None, max_length=40)
    open: bool = Field(False, description="all reveals at once")

    def parse_rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the only row; none if the formula is of all reveals."""
        if not self.open:
            return super().parse_rows(puzzle, today)
        if (self.date, self.reveal) == (None, None):
            return []
        raise OptionError("open is the formula of all reveals; leave out date and reveal")


class PictureQuery(StrictModel):
    """The look of a picture; ``size`` is the longer side of a PNG in pixels."""

    theme: Literal["dark", "light", "print"] = "light"
    size: int = Field(1200, ge=16, le=2400)


class TilingPicture(PictureQuery, PositionQuery):
    """A picture of the tiling with a rank, from 1."""

    rank: int = Field(1, ge=1, le=MAX_RANK)


class Definition(StrictModel):
    """A puzzle's definition: the TOML text of a puzzle file."""

    definition: str = Field(max_length=262_144)


class CountJob(Dates):
    """Count dates, by the diagram if no other method is named, as everywhere else.

    ``sat`` finds each tiling, and proves that there is no other.
    """

    kind: Literal["count"]
    puzzle: str = Field(max_length=64, examples=["rhombus"])
    method: Literal["diagram", "sat", "search"] = "diagram"
    place: PlaceTexts = []


class CertificateJob(DateOrReveal):
    """Make a certificate of a date or reveal."""

    kind: Literal["certificate"]
    puzzle: str = Field(max_length=64, examples=["rhombus"])


def parse_rows(
    puzzle: Puzzle, text: str | None, reveal: str | None, today: datetime.date
) -> list[Row]:
    """Return the rows of dates or of a reveal, by default of today or of the only reveal."""
    if reveal is not None or (text is None and not puzzle.categories):
        return [Row(puzzle.check_reveal(labels_in(reveal or "")))]
    text = TODAY if text is None else text
    if text.casefold() != ALL and puzzle.calendar.parts is not None:
        days = sum(span.days for span in parse_dates(text, today))
        if days > MAX_ROWS:
            raise TooLarge(f"{days:,} dates, more than {MAX_ROWS:,}; ask for fewer years")
    return list_rows(puzzle, text, today)
