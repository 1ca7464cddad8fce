"""The models of requests; an unknown field is an error."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from satcal.errors import OptionError, TooLarge
from satcal.puzzle.calendar import YEARS
from satcal.puzzle.model import Placement, Puzzle, Reveal, labels_in
from satcal.puzzle.placed import parse_place
from satcal.puzzle.rows import ALL, Row, list_rows
from satcal.puzzle.when import parse_dates

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


class Dates(StrictModel):
    """One of ``dates``, ``year``, ``reveal`` or ``all_reveals``; without any, today."""

    dates: DateText | None = Field(
        None,
        description="a day, a month, a year, today, tomorrow, A..B, or all",
        examples=["Oct 6 2026"],
    )
    year: int | None = Field(None, ge=YEARS[0], le=YEARS[-1], examples=[2027])
    reveal: RevealText | None = None
    all_reveals: bool = False

    def check(self) -> None:
        """Raise OptionError if more than one of these fields is given."""
        check_at_most_one(self, "dates", "year", "reveal", "all_reveals")

    def parse_rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the rows in the order of the request.

        Raises:
            OptionError: more than one of the fields is given.
            RevealError: the puzzle has no such date or reveal.
            TooLarge: there are more than ``MAX_ROWS`` dates.
        """
        self.check()
        if self.reveal is not None:
            return [Row(puzzle.check_reveal(labels_in(self.reveal)))]
        text = self.dates if self.year is None else str(self.year)
        if self.all_reveals or (text is None and not puzzle.categories):
            return [Row(reveal) for reveal in puzzle.reveals()]
        return parse_rows(puzzle, "today" if text is None else text, today)


class DateOrReveal(StrictModel):
    """One ``date`` or one ``reveal``; today if neither is given."""

    date: DateText | None = Field(
        None, description="a date, such as 2025-10-23, Oct 23 or today", examples=["2026-10-06"]
    )
    reveal: RevealText | None = None

    def parse_reveal(self, puzzle: Puzzle, today: datetime.date) -> Reveal:
        """Return the reveal; raise as :meth:`Dates.parse_rows`, also for more than one date."""
        check_at_most_one(self, "date", "reveal")
        if self.reveal is not None or (self.date is None and not puzzle.categories):
            return puzzle.check_reveal(labels_in(self.reveal or ""))
        rows = parse_rows(puzzle, "today" if self.date is None else self.date, today)
        if len(rows) > 1:
            raise OptionError(f"date: '{self.date}' names {len(rows):,} dates; name one")
        return rows[0].reveal


class PositionQuery(DateOrReveal):
    """A date or reveal, and the pieces already placed."""

    place: PlaceTexts = []

    def parse_placements(self, puzzle: Puzzle, reveal: Reveal) -> tuple[Placement, ...]:
        """Return the placements in canonical order; raise PlacementError for an impossible one."""
        return parse_placements(puzzle, self.place, [reveal])


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


def check_at_most_one(model: BaseModel, *fields: str) -> None:
    """Raise OptionError if more than one of the fields has a value."""
    names = [name for name in fields if getattr(model, name) not in (None, False)]
    if len(names) > 1:
        raise OptionError(f"{' and '.join(names)} exclude each other; give one of them")


def parse_rows(puzzle: Puzzle, text: str, today: datetime.date) -> list[Row]:
    """Return one row per date; raise TooLarge for more than ``MAX_ROWS`` dates."""
    if text.casefold() != ALL and puzzle.calendar.parts is not None:
        days = sum(span.days for span in parse_dates(text, today))
        if days > MAX_ROWS:
            raise TooLarge(f"{days:,} dates, more than {MAX_ROWS:,}; ask for fewer years")
    return list_rows(puzzle, text, today)


def parse_placements(
    puzzle: Puzzle, texts: Sequence[str], reveals: Sequence[Reveal]
) -> tuple[Placement, ...]:
    """Return placements in canonical order; raise PlacementError for impossible ones."""
    return tuple(sorted(parse_place(puzzle, *texts, reveals=reveals), key=str))
