"""What clients send: models that refuse every field they do not know."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from satcal.errors import OptionError, TooLarge
from satcal.puzzle import when
from satcal.puzzle.calendar import YEARS
from satcal.puzzle.model import Placement, Puzzle, Reveal, labels_in
from satcal.puzzle.placed import parse_place
from satcal.puzzle.when import Row

MAX_ROWS = 3_700
"""Rows of a job: ten years."""
MAX_RANK = 2**62
"""Ranks beyond are on no board that a person has."""
Words = Annotated[str, Field(max_length=100)]
Labels = Annotated[str, Field(max_length=400, description="labels, such as Thu,Oct,23")]
Place = Annotated[
    list[Annotated[str, Field(max_length=2500)]],
    Field(
        max_length=64,
        description="pieces on the board, by labels or cells: O: 1 2 3 8 9 10, or "
        "N:r2c3,r2c4,r2c5,r3c5,r3c6",
    ),
]
Style = Literal["svg", "png"]


class Sent(BaseModel):
    """What a client sends; an unknown field is refused."""

    model_config = ConfigDict(extra="forbid")


class Dates(Sent):
    """One of ``dates``, ``year``, ``reveal`` or ``all_reveals``; without any, today."""

    dates: Words | None = Field(
        None, description="a day, a month, a year, today, A..B, or all", examples=["Oct 6 2026"]
    )
    year: int | None = Field(None, ge=YEARS[0], le=YEARS[-1], examples=[2027])
    reveal: Labels | None = None
    all_reveals: bool = False

    def check(self) -> None:
        """Raise OptionError for two ways to name the rows."""
        all_reveals = self.all_reveals
        check_one_way(dates=self.dates, year=self.year, reveal=self.reveal, all_reveals=all_reveals)

    def rows(self, puzzle: Puzzle, today: datetime.date) -> list[Row]:
        """Return the rows that are asked for, in order.

        Raises:
            OptionError: two ways to name them.
            RevealError: the puzzle has no such date or reveal.
            TooLarge: there are too many.
        """
        self.check()
        if self.reveal is not None:
            return [Row(puzzle.check_reveal(labels_in(self.reveal)))]
        text = self.dates if self.year is None else str(self.year)
        if self.all_reveals or (text is None and not puzzle.categories):
            return [Row(reveal) for reveal in puzzle.reveals()]
        return dated_rows(puzzle, "today" if text is None else text, today)


class DateOrReveal(Sent):
    """One ``date`` or one ``reveal``; today if neither is given."""

    date: Words | None = Field(
        None, description="a date, such as 2025-10-23, Oct 23 or today", examples=["2026-10-06"]
    )
    reveal: Labels | None = None

    def only_reveal(self, puzzle: Puzzle, today: datetime.date) -> Reveal:
        """Return the reveal; raise an InputError as :meth:`Dates.rows`, also for two dates."""
        check_one_way(date=self.date, reveal=self.reveal)
        if self.reveal is not None or (self.date is None and not puzzle.categories):
            return puzzle.check_reveal(labels_in(self.reveal or ""))
        rows = dated_rows(puzzle, "today" if self.date is None else self.date, today)
        if len(rows) > 1:
            raise OptionError(f"date: '{self.date}' names {len(rows):,} dates; name one")
        return rows[0].reveal


class PositionQuery(DateOrReveal):
    """A date or reveal, and the pieces already placed."""

    place: Place = []

    def placements(self, puzzle: Puzzle, reveal: Reveal) -> tuple[Placement, ...]:
        """Return the placements in canonical order; raise PlacementError for an impossible one."""
        return placements_in(puzzle, self.place, [reveal])


class PageQuery(PositionQuery):
    """Some tilings, in the order that numbers them everywhere."""

    offset: int = Field(0, ge=0, le=MAX_RANK, description="how many tilings to skip")
    limit: int = Field(20, ge=0, le=200)


class DrawQuery(PositionQuery):
    """A tiling drawn at random; the same seed draws the same one."""

    seed: int = Field(0, ge=0, le=MAX_RANK)


class CountsQuery(Dates):
    """The counts of dates or reveals as JSON or CSV."""

    format: Literal["json", "csv"] = "json"


class ExportQuery(PositionQuery):
    """The formula of a date or reveal, or the open formula of all."""

    format: Literal["dimacs", "opb", "dlx", "asp"] = "dimacs"
    encoding: str | None = Field(None, max_length=40)
    open: bool = Field(False, description="all reveals at once")


class PictureQuery(Sent):
    """How a picture is drawn; ``size`` is the longer side of a PNG in pixels."""

    theme: Literal["dark", "light", "print"] = "light"
    size: int = Field(1200, ge=16, le=2400)


class TilingQuery(PictureQuery, PositionQuery):
    """Which tiling is drawn, by its rank from 1, and how."""

    rank: int = Field(1, ge=1, le=MAX_RANK)


class Definition(Sent):
    """A puzzle's definition: the TOML text of a puzzle file."""

    definition: str = Field(max_length=262_144)


class CountJob(Dates):
    """Count dates by a method; ``sat`` finds each tiling, and proves that there is no other."""

    kind: Literal["count"]
    puzzle: str = Field(max_length=64, examples=["rhombus"])
    method: Literal["diagram", "sat", "search"] = "sat"
    place: Place = []


class CertificateJob(DateOrReveal):
    """Make a certificate of a date or reveal."""

    kind: Literal["certificate"]
    puzzle: str = Field(max_length=64, examples=["rhombus"])


def check_one_way(**ways: Any) -> None:
    """Raise OptionError if more than one of some fields is given."""
    given = [name for name, value in ways.items() if value not in (None, False)]
    if len(given) > 1:
        raise OptionError(f"{' and '.join(given)} exclude each other; give one of them")


def dated_rows(puzzle: Puzzle, text: str, today: datetime.date) -> list[Row]:
    """Return the rows of dates in words; raise TooLarge before too many are made."""
    if text.casefold() != when.ALL and puzzle.calendar.parts is not None:
        days = sum(span.days for span in when.parse(text, today))
        if days > MAX_ROWS:
            raise TooLarge(f"{days:,} dates, more than {MAX_ROWS:,}; ask for fewer years")
    return when.rows(puzzle, text, today)


def placements_in(
    puzzle: Puzzle, texts: Sequence[str], reveals: Sequence[Reveal]
) -> tuple[Placement, ...]:
    """Return placements in canonical order; raise PlacementError for impossible ones."""
    return tuple(sorted(parse_place(puzzle, *texts, reveals=reveals), key=str))
