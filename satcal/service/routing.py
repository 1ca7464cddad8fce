"""What the routes share: the running service, their parameters, and how an answer is sent."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path, Query, Request, Response
from starlette.types import Receive, Scope, Send

from satcal.errors import OptionError
from satcal.puzzle.demands import check_reveal, parse_demands
from satcal.puzzle.model import Reveal
from satcal.puzzle.ranges import Range, number_of_rows, select
from satcal.service.answers import Position, Question
from satcal.service.children import AtOnce
from satcal.service.config import Config
from satcal.service.diagrams import Diagrams
from satcal.service.limits import Shares
from satcal.service.puzzles import Entry, Shelf
from satcal.service.queue import JobQueue
from satcal.service.security import Caller, caller_of, worker_of
from satcal.version import __version__

CACHING = "private, no-cache"  # kept, but asked about: a 304 costs nothing
JSON = "application/json"
PART = 16_384  # bytes of an answer that are packed and handed over at once
LARGE = 262_144  # bytes of an answer beyond which it matters whether it is read
T = TypeVar("T")
DATE = r"^\d{4}-\d\d-\d\d$"
# a condition in the words of `--place`; nothing that could name a file passes
PLACE = r"^[A-Za-z][0-9]{0,3}(:r\d{1,2}c\d{1,2}(,r\d{1,2}c\d{1,2}){0,255}|@r\d{1,2}c\d{1,2})$"


class InParts(Response):
    """An answer that is handed over as its client reads it; a large one has a share of memory.

    The server takes a body as a whole from whoever gives it as a whole, read or not.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; raise Stopped if too much is unread already."""
        body, answers = bytes(self.body), scope["app"].state.service.answers
        held = len(body) if len(body) > LARGE else 0
        with answers.lent(scope["satcal.caller"].client, held):
            start = {"type": "http.response.start", "status": self.status_code}
            await send({**start, "headers": self.raw_headers})
            for first in range(0, max(1, len(body)), PART):
                part, more = body[first : first + PART], first + PART < len(body)
                await send({"type": "http.response.body", "body": part, "more_body": more})
                await asyncio.sleep(0)  # packing all of it would keep others waiting


@dataclass
class Service:
    """The parts of a running service."""

    config: Config
    shelf: Shelf
    diagrams: Diagrams
    jobs: JobQueue
    at_once: AtOnce
    streams: Shares
    answers: Shares
    turn: asyncio.Lock  # of answers that are made here: between two of them others have theirs


async def _running(request: Request) -> Service:  # not ``def``, which would cost a thread
    service: Service = request.app.state.service
    return service


Running = Annotated[Service, Depends(_running)]
Worker = Annotated[Caller, Depends(worker_of)]
"""Who asks, in a route that only those may ask who may have jobs."""


@dataclass(frozen=True)
class About:
    """A request about a puzzle, and how it is answered."""

    request: Request
    service: Service
    entry: Entry

    async def at_once(self, what: str, seconds: float, fn: Callable[..., T], *args: Any) -> T:
        """Return what a function of the puzzle returns in a process, while the client waits."""
        client, run = caller_of(self.request).client, self.service.at_once.run
        return await run(what, seconds, client, fn, self.entry.puzzle, *args)

    async def answer(self, question: Question, media: str = JSON) -> Response:
        """Return the answer of the puzzle's diagram."""
        make = partial(self.service.diagrams.ask, self.entry, question)
        return await self.send(question, media, make)

    async def send(
        self, question: object, media: str, make: Callable[[], bytes | Awaitable[bytes]],
        name: str = "",
    ) -> Response:  # fmt: skip
        """Return what follows from the puzzle and a question, told apart by their ``repr``."""
        key = self.entry.id, self.entry.puzzle.digest, question
        return await send(self.request, key, media, make, name)


async def _about(
    request: Request,
    puzzle: Annotated[
        str, Path(max_length=64, description="a name of the library, or of a posted puzzle",
                  examples=["rhombus"])
    ],
) -> About:  # fmt: skip
    service = await _running(request)
    entry = await service.shelf.find(puzzle, caller_of(request).client)
    return About(request, service, entry)


Named = Annotated[About, Depends(_about)]
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
class Asked(About):
    """A request about one reveal of a puzzle, and what is placed on it, in canonical order."""

    reveal: Reveal
    place: tuple[str, ...]

    async def position(self, kind: type[Position], **more: int | bool) -> Response:
        """Return the diagram's answer to a question about this, of a kind and with more fields."""
        return await self.answer(kind(self.reveal, self.place, **more))


# the routes that are asked most have this as their only dependency: each one costs time
async def _asked(
    about: Named, date: Date = None, reveal: RevealText = None,
    place: Place = [],  # noqa: B006 - FastAPI copies it
) -> Asked:  # fmt: skip
    puzzle, today = about.entry.puzzle, about.service.config.today()
    (row,) = select(puzzle, Range(date=date, reveal=reveal), today)
    texts = tuple(sorted(set(place)))
    check_reveal(puzzle, row.reveal, parse_demands(puzzle, texts))
    return Asked(about.request, about.service, about.entry, row.reveal, texts)


One = Annotated[Asked, Depends(_asked)]
"""What the parameters ask about; without date and reveal, today."""


async def _range(
    about: Named, date: Date = None,
    month: Annotated[str | None, Query(pattern=r"^\d{4}-\d\d$")] = None,
    year: Annotated[int | None, Query(ge=1, le=9999)] = None,
    start: Annotated[str | None, Query(alias="from", pattern=DATE)] = None,
    end: Annotated[str | None, Query(alias="to", pattern=DATE)] = None,
    reveal: RevealText = None, all_dates: bool = False, all_reveals: bool = False,
) -> Range:  # fmt: skip
    wanted = Range(date, month, year, start, end, reveal, all_dates, all_reveals)
    puzzle, config = about.entry.puzzle, about.service.config
    if puzzle.categories and not wanted.given():
        wanted = Range(date=config.today().isoformat())
    number, most = number_of_rows(puzzle, wanted), config.limits.reveals
    if number > most:
        raise OptionError(f"{number:,} rows, more than {most:,}; ask for fewer years")
    return wanted


Wanted = Annotated[Range, Depends(_range)]
"""The range that the parameters name, today without any; no row of it is made yet."""


async def send(
    request: Request, key: object, media: str, make: Callable[[], bytes | Awaitable[bytes]],
    name: str = "",
) -> Response:  # fmt: skip
    """Return what never changes, or 304 where the client has it; ``name`` is that of a file.

    It is made only now. The ``repr`` of the key says what it is.
    """
    tag = f'"{hashlib.sha256(repr((__version__, key)).encode()).hexdigest()[:24]}"'
    headers = {"ETag": tag, "Cache-Control": CACHING}
    known = request.headers.get("if-none-match", "").split(",")
    if tag in (each.strip().removeprefix("W/") for each in known):
        return Response(status_code=304, headers=headers)
    if name:
        headers["Content-Disposition"] = attachment(name)
    async with request.app.state.service.turn:
        await asyncio.sleep(0)
        body = make()
    return InParts(body if isinstance(body, bytes) else await body, 200, headers, media)


def attachment(name: str) -> str:
    """Return the header that has a browser save a file."""
    stem, dot, suffix = name.rpartition(".")
    plain = "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in stem)
    return f'attachment; filename="{plain}{dot}{suffix}"'
