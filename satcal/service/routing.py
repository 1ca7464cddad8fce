"""What the routes share: the running service, their parameters, and how an answer is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from satcal.errors import OptionError
from satcal.puzzle.demands import check_reveal, parse_demands
from satcal.puzzle.ranges import Range, Row, number_of_rows, select
from satcal.service.answers import Position, Question
from satcal.service.children import AtOnce
from satcal.service.config import Config
from satcal.service.diagrams import Diagrams, etag
from satcal.service.limits import Shares
from satcal.service.puzzles import Entry, Shelf
from satcal.service.queue import JobQueue
from satcal.service.security import Caller, caller_of, worker_of

CACHING = "private, no-cache"  # kept, but asked about: a 304 costs nothing
JSON = "application/json"
DATE = r"^\d{4}-\d\d-\d\d$"
# a condition in the words of `--place`; nothing that could name a file passes
PLACE = r"^[A-Za-z][0-9]{0,3}(:r\d{1,2}c\d{1,2}(,r\d{1,2}c\d{1,2}){0,255}|@r\d{1,2}c\d{1,2})$"


@dataclass
class Service:
    """The parts of a running service."""

    config: Config
    shelf: Shelf
    diagrams: Diagrams
    jobs: JobQueue
    at_once: AtOnce
    streams: Shares


def service_of(request: Request) -> Service:
    """Return the service that a request came to."""
    service: Service = request.app.state.service
    return service


async def _running(request: Request) -> Service:  # not ``def``, which would cost a thread
    return service_of(request)


Running = Annotated[Service, Depends(_running)]
Worker = Annotated[Caller, Depends(worker_of)]
"""Who asks, in a route that only those may ask who may have jobs."""


async def _entry(
    request: Request,
    puzzle: Annotated[
        str, Path(max_length=64, description="a name of the library, or of a posted puzzle",
                  examples=["rhombus"])
    ],
) -> Entry:  # fmt: skip
    return await service_of(request).shelf.find(puzzle, caller_of(request).client)


Named = Annotated[Entry, Depends(_entry)]
"""The puzzle that a path names."""

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
class Asked:
    """One reveal of a puzzle, and what is placed on it, in canonical order."""

    request: Request
    entry: Entry
    row: Row
    place: tuple[str, ...]

    async def answered(self, kind: type[Position], **more: int | bool) -> Response:
        """Return the diagram's answer to a question about this, of a kind and with more fields."""
        question = kind(self.row.reveal, self.place, **more)
        return await answered(self.request, self.entry, question, JSON)


# the routes that are asked most have this as their only dependency: each one costs time
async def _asked(
    request: Request, entry: Named, date: Date = None, reveal: RevealText = None,
    place: Place = [],  # noqa: B006 - FastAPI copies it
) -> Asked:  # fmt: skip
    puzzle, today = entry.puzzle, service_of(request).config.today()
    (row,) = select(puzzle, Range(date=date, reveal=reveal), today)
    texts = tuple(sorted(set(place)))
    check_reveal(puzzle, row.reveal, parse_demands(puzzle, texts))
    return Asked(request, entry, row, texts)


One = Annotated[Asked, Depends(_asked)]
"""What the parameters ask about; without date and reveal, today."""


async def _range(
    service: Running, entry: Named, date: Date = None,
    month: Annotated[str | None, Query(pattern=r"^\d{4}-\d\d$")] = None,
    year: Annotated[int | None, Query(ge=1, le=9999)] = None,
    start: Annotated[str | None, Query(alias="from", pattern=DATE)] = None,
    end: Annotated[str | None, Query(alias="to", pattern=DATE)] = None,
    reveal: RevealText = None, all_dates: bool = False, all_reveals: bool = False,
) -> Range:  # fmt: skip
    wanted = Range(date, month, year, start, end, reveal, all_dates, all_reveals)
    if entry.puzzle.categories and not wanted.given():
        wanted = Range(date=service.config.today().isoformat())
    number, most = number_of_rows(entry.puzzle, wanted), service.config.limits.reveals
    if number > most:
        raise OptionError(f"{number:,} rows, more than {most:,}; ask for fewer years")
    return wanted


Wanted = Annotated[Range, Depends(_range)]
"""The range that the parameters name, today without any; no row of it is made yet."""


async def answered(request: Request, entry: Entry, question: Question, media: str) -> Response:
    """Return the answer of a puzzle's diagram, or 304 where the client has it."""
    known = unchanged(request, etag(entry, question))
    if known is not None:
        return known
    answer = await service_of(request).diagrams.ask(entry, question)
    return send(request, answer.body, media, answer.etag)


def unchanged(request: Request, tag: str) -> Response | None:
    """Return the answer 304 where the client has the answer of this tag already."""
    given = request.headers.get("if-none-match", "")
    if tag in (part.strip().removeprefix("W/") for part in given.split(",")):
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": CACHING})
    return None


def send(request: Request, body: bytes, media: str, tag: str, name: str | None = None) -> Response:
    """Return what never changes, with its tag; ``name`` is that of the file to save it as."""
    headers = {"ETag": tag, "Cache-Control": CACHING}
    if name is not None:
        headers["Content-Disposition"] = attachment(name)
    return unchanged(request, tag) or Response(body, headers=headers, media_type=media)


def attachment(name: str) -> str:
    """Return the header that has a browser save a file."""
    stem, dot, suffix = name.rpartition(".")
    plain = "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in stem)
    return f'attachment; filename="{plain}{dot}{suffix}"'


def send_json(request: Request, entry: Entry, question: str, value: object) -> Response:
    """Return a value that follows from a puzzle and a question alone."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return send(request, body, JSON, etag(entry, question))
