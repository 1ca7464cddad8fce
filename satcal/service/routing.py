"""What the routes share: the running service, their parameters, and how an answer is sent."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import cache, partial
from typing import Annotated, Any, TypeVar

from fastapi import Depends, FastAPI, Path, Query, Request, Response
from starlette.types import Receive, Scope, Send

from satcal.errors import InputError, OptionError, did_you_mean, shown
from satcal.puzzle.demands import check_reveal, parse_demands
from satcal.puzzle.model import Reveal
from satcal.puzzle.ranges import Range, number_of_rows, only_row, settled
from satcal.service.answers import PageQuestion, Position
from satcal.service.children import AtOnce
from satcal.service.config import Config
from satcal.service.diagrams import Diagrams
from satcal.service.limits import Shares
from satcal.service.puzzles import Shelf, ShelfEntry
from satcal.service.queue import JobQueue
from satcal.service.security import Caller, caller_of, worker_of
from satcal.version import __version__

PREFIX = "/api/v1"
CACHING = "private, no-cache"  # kept, but asked about: a 304 costs nothing
JSON = "application/json"
PART = 16_384  # bytes of an answer that are packed and handed over at once
LARGE = 262_144  # bytes of an answer beyond which it matters whether it is read
T = TypeVar("T")
TOKEN = "token"  # in a link: the guard has read it, and others may not mind
PICTURE_SECONDS = 20.0  # to draw a picture; it takes a fraction of one
DATE = 40  # characters of a date in words
# a condition in the words of `--place`; nothing that could name a file passes
PLACE = r"^[A-Za-z][0-9]{0,3}[:@][^@\s]{1,2400}$"


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
    entry: ShelfEntry

    async def at_once(self, what: str, seconds: float, fn: Callable[..., T], *args: Any) -> T:
        """The value that a function of the puzzle returns in a process, while the client waits."""
        client, run = caller_of(self.request).client, self.service.at_once.run
        return await run(what, seconds, client, fn, self.entry.puzzle, *args)

    async def answer(self, question: PageQuestion, media: str = JSON) -> Response:
        """The answer of the puzzle's diagram."""
        make = partial(self.service.diagrams.ask, self.entry, question)
        return await self.send(question, media, make)

    async def send(
        self,
        question: PageQuestion | str | Sequence[object],
        media: str,
        make: Callable[[], bytes | Awaitable[bytes]],
        name: str = "",
    ) -> Response:
        """The response that follows from the puzzle and a question: the path, and its fields."""
        asked = asdict(question) if is_dataclass(question) else question
        key = [self.entry.id, self.entry.puzzle.digest, media, asked]
        return await send(self.request, json.dumps(key), media, make, name)


@cache
def _parameters(app: FastAPI) -> dict[tuple[str, str], dict[str, bool]]:
    """Of each path and method the parameters of its query, and whether each may be repeated."""
    return {
        (path.removeprefix(PREFIX), method.upper()): {  # as routes call themselves
            parameter["name"]: parameter["schema"].get("type") == "array"
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "query"
        }
        for path, operations in app.openapi()["paths"].items()
        for method, operation in operations.items()
    }


async def check_query(request: Request) -> None:
    """Raise InputError for a parameter that nobody reads, or of which only one would be read."""
    if not request.scope["query_string"]:
        return
    known = _parameters(request.app).get((request.scope["route"].path, request.method), {})
    known = known | {TOKEN: False}
    for name, number in Counter(name for name, _ in request.query_params.multi_items()).items():
        if name not in known:
            text = did_you_mean(name, known.keys() - {TOKEN})
            there = ", ".join(sorted(known.keys() - {TOKEN})) or "none"
            raise InputError(f"no parameter {shown(name)}{text or f'; there are: {there}'}")
        if number > 1 and not known[name]:
            raise InputError(f"{name} is given {number} times; give it once")


async def _about(
    request: Request,
    puzzle: Annotated[
        str,
        Path(
            max_length=64,
            description="a name of the library, or of a posted puzzle",
            examples=["rhombus"],
        ),
    ],
) -> About:
    service = await _running(request)
    entry = await service.shelf.find(puzzle, caller_of(request).client)
    return About(request, service, entry)


Named = Annotated[About, Depends(_about)]
"""The puzzle that a path names."""

Date = Annotated[
    str | None,
    Query(
        max_length=DATE,
        description="a date, such as 2025-10-23, Oct 23, today; or where several may be, 2025-10",
    ),
]
RevealText = Annotated[
    str | None, Query(max_length=400, description="labels, such as Thu,Oct,23, instead of a date")
]
Condition = Annotated[str, Query(pattern=PLACE, max_length=2500)]
Place = Annotated[
    list[Condition],
    Query(
        max_length=64,
        description="what is placed already: N:r2c3,r2c4,r2c5,r3c5,r3c6, or N@r2c3 for a cell; "
        "labels name cells, too, as in N@Jan",
    ),
]


@dataclass(frozen=True)
class Asked(About):
    """A request about one reveal of a puzzle, and what is placed on it, in canonical order."""

    reveal: Reveal
    place: tuple[str, ...]

    async def position(self, kind: type[Position], **more: int | bool) -> Response:
        """The diagram's answer to a question about this, of a kind and with more fields."""
        return await self.answer(kind(self.reveal, self.place, **more))


# the routes that are asked most have this as their only dependency: each one costs time
async def _asked(
    about: Named,
    date: Date = None,
    reveal: RevealText = None,
    place: Place = [],  # noqa: B006 - FastAPI copies it
) -> Asked:
    puzzle, today = about.entry.puzzle, about.service.config.today()
    row = only_row(puzzle, Range(date=date, reveal=reveal), today)
    demands = parse_demands(puzzle, sorted(set(place)))
    check_reveal(puzzle, row.reveal, demands)
    texts = tuple(sorted({*map(str, demands)}))  # by row and column, whatever named the cells
    return Asked(about.request, about.service, about.entry, row.reveal, texts)


One = Annotated[Asked, Depends(_asked)]
"""What the parameters ask about; without date and reveal, today."""


async def _range(
    about: Named,
    date: Date = None,
    month: Annotated[str | None, Query(max_length=DATE)] = None,
    year: Annotated[int | None, Query(ge=1, le=9999)] = None,
    start: Annotated[str | None, Query(alias="from", max_length=DATE)] = None,
    end: Annotated[str | None, Query(alias="to", max_length=DATE)] = None,
    reveal: RevealText = None,
    all_dates: bool = False,
    all_reveals: bool = False,
) -> Range:
    puzzle, config = about.entry.puzzle, about.service.config
    asked = Range(date, month, year, start, end, reveal, all_dates, all_reveals)
    wanted = settled(puzzle, asked, config.today())
    if puzzle.categories and not wanted.given():
        wanted = Range(date=config.today().isoformat())
    number, most = number_of_rows(puzzle, wanted, config.today()), config.limits.reveals
    if number > most:
        raise OptionError(f"{number:,} rows, more than {most:,}; ask for fewer years")
    return wanted


Wanted = Annotated[Range, Depends(_range)]
"""The range that the parameters name, today without any; no row of it is made yet."""


async def send(
    request: Request,
    key: str,
    media: str,
    make: Callable[[], bytes | Awaitable[bytes]],
    name: str = "",
) -> Response:
    """A response that never changes, or 304 where the client has it; ``name`` is that of a file.

    It is made only now. With the path the ``key`` says all that it depends on.
    """
    named = f"{__version__}\n{request.url.path}\n{key}"
    tag = f'"{hashlib.sha256(named.encode()).hexdigest()[:24]}"'
    headers = {"ETag": tag, "Cache-Control": CACHING}
    known = request.headers.get("if-none-match", "").split(",")
    if tag in (other.strip().removeprefix("W/") for other in known):
        return Response(status_code=304, headers=headers)
    if name:
        headers["Content-Disposition"] = attachment(name)
    async with request.app.state.service.turn:
        await asyncio.sleep(0)
        body = make()
    return InParts(body if isinstance(body, bytes) else await body, 200, headers, media)


def attachment(name: str) -> str:
    """The header that has a browser save a file."""
    stem, dot, suffix = name.rpartition(".")
    plain = "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in stem)
    return f'attachment; filename="{plain}{dot}{suffix}"'
