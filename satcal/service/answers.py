"""What the routes share: who runs the service, and how an answer is sent."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response

from satcal.service.boards import Boards, Known
from satcal.service.jobs import Jobs
from satcal.service.work import BoardText
from satcal.service.workers import Workers

CACHING = "private, no-cache"
"""Kept, but asked about: a 304 costs nothing."""
JSON = "application/json"
CSV = "text/csv; charset=utf-8"
MAX_FILES = 48
"""Files that are kept: two of each board of the library, and some of boards that were posted."""


@dataclass
class Service:
    """The parts of a running service.

    ``followers`` are those who follow jobs; ``files`` has large answers that never change.
    """

    boards: Boards
    workers: Workers
    jobs: Jobs
    followers: asyncio.Semaphore
    today: Callable[[], datetime.date]
    files: dict[str, bytes] = field(default_factory=dict)

    async def file(self, name: str, make: Callable[[BoardText], bytes], board: BoardText) -> bytes:
        """Return the file of a name, which a worker makes once."""
        if name not in self.files:
            self.files[name] = await self.workers.run(make, board)
            while len(self.files) > MAX_FILES:
                self.files.pop(next(iter(self.files)))
        return self.files[name]


async def service_of(request: Request) -> Service:
    """Return the running service."""
    service: Service = request.app.state.service
    return service


Serving = Annotated[Service, Depends(service_of)]
Name = Annotated[
    str,
    Path(max_length=64, description="a library puzzle, or a posted one", examples=["rhombus"]),
]


async def named(service: Serving, puzzle: Name) -> Known:
    """Return the puzzle that a path names."""
    return service.boards.find(puzzle)


Named = Annotated[Known, Depends(named)]


def send(request: Request, body: bytes, media: str = JSON, name: str = "") -> Response:
    """Return an answer, or 304 where the client has it; ``name`` is that of a file."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"ETag": tag, "Cache-Control": CACHING}
    if name:
        headers["Content-Disposition"] = attachment(name)
    known = request.headers.get("if-none-match", "").split(",")
    if tag in (other.strip().removeprefix("W/") for other in known):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media)


def sends(*media: str) -> dict[str, Any]:
    """Return the description of a route whose answer is a file."""
    return {
        "response_class": Response,
        "responses": {200: {"content": {kind: {} for kind in media}}},
    }


def attachment(name: str) -> str:
    """Return the header that has a browser save a file."""
    stem, dot, suffix = name.rpartition(".")
    plain = "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in stem)
    return f'attachment; filename="{plain}{dot}{suffix}"'
