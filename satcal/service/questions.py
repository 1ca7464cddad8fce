"""The parameters that several routes share: which dates, and what is placed already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response

from satcal.errors import OptionError
from satcal.puzzle.place import check_reveal, parse_demands
from satcal.puzzle.ranges import Range, Row, number_of_rows, select
from satcal.service.core import Named, Running, send, service_of, unchanged
from satcal.service.diagrams import etag
from satcal.service.puzzles import Entry

DATE = r"^\d{4}-\d\d-\d\d$"
# a condition in the words of `--place`; nothing that could name a file passes
PLACE = r"^[A-Za-z][0-9]{0,3}(:r\d{1,2}c\d{1,2}(,r\d{1,2}c\d{1,2}){0,255}|@r\d{1,2}c\d{1,2})$"

Date = Annotated[str | None, Query(pattern=DATE, description="a date, such as 2025-10-23")]
RevealText = Annotated[
    str | None, Query(max_length=400, description="labels, such as Thu,Oct,23, instead of a date")
]
Condition = Annotated[str, Query(pattern=PLACE, max_length=2500)]
Place = Annotated[
    list[Condition],
    Query(
        max_length=64,
        description="what is placed already: N:r2c3,r2c4,r2c5,r3c5,r3c6, or N@r2c3 for a cell",
    ),
]


@dataclass(frozen=True)
class Question:
    """One reveal of a puzzle, and what is placed on it, in canonical order."""

    request: Request
    entry: Entry
    row: Row
    place: list[str]

    def asking(self, ask: str, **more: object) -> dict[str, Any]:
        """Return the question as a diagram's process takes it."""
        return {"ask": ask, "reveal": list(self.row.reveal), "place": self.place, **more}

    async def answered(self, question: dict[str, Any]) -> Response:
        """Return the answer of the puzzle's diagram to such a question."""
        known = unchanged(self.request, etag(self.entry, question))
        if known is not None:
            return known
        answer = await service_of(self.request).diagrams.ask(self.entry, question)
        return send(self.request, answer.body, "application/json", answer.etag)


# the routes that are asked most have this as their only dependency: each one costs time
async def question_of(
    request: Request, entry: Named, date: Date = None, reveal: RevealText = None,
    place: Place = [],  # noqa: B006 - FastAPI copies it
) -> Question:  # fmt: skip
    """Return what the parameters ask about; without date and reveal, today."""
    puzzle, today = entry.puzzle, service_of(request).config.today()
    (row,) = select(puzzle, Range(date=date, reveal=reveal), today)
    texts = sorted(set(place))
    check_reveal(puzzle, row.reveal, parse_demands(puzzle, texts))
    return Question(request, entry, row, texts)


One = Annotated[Question, Depends(question_of)]


async def range_of(
    service: Running,
    entry: Named,
    date: Date = None,
    month: Annotated[str | None, Query(pattern=r"^\d{4}-\d\d$")] = None,
    year: Annotated[int | None, Query(ge=1, le=9999)] = None,
    start: Annotated[str | None, Query(alias="from", pattern=DATE)] = None,
    end: Annotated[str | None, Query(alias="to", pattern=DATE)] = None,
    reveal: RevealText = None,
    all_dates: bool = False,
    all_reveals: bool = False,
) -> Range:
    """Return the range that the parameters name, today without any; no row is made here."""
    wanted = Range(date, month, year, start, end, reveal, all_dates, all_reveals)
    if entry.puzzle.categories and not wanted.given():
        wanted = Range(date=service.config.today().isoformat())
    number, most = number_of_rows(entry.puzzle, wanted), service.config.limits.reveals
    if number > most:
        raise OptionError(f"{number:,} rows, more than {most:,}; ask for fewer years")
    return wanted


Wanted = Annotated[Range, Depends(range_of)]
