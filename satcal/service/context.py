"""What the routes share: who runs the service, and the puzzle that a path names."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path, Request, Response

from satcal.puzzle.model import Placement, Reveal
from satcal.service.boards import Boards, Known
from satcal.service.jobs import Jobs
from satcal.service.models import PositionQuery
from satcal.service.work import BoardText
from satcal.service.workers import Workers

T = TypeVar("T")
JSON = "application/json"
CSV = "text/csv; charset=utf-8"
MAX_FILES = 48
"""The number of files kept; the oldest goes."""


@dataclass
class Service:
    """The parts of a running service; ``files`` has large answers that never change."""

    boards: Boards
    workers: Workers
    jobs: Jobs
    today: Callable[[], datetime.date]
    files: dict[str, bytes] = field(default_factory=dict)


async def service_of(request: Request) -> Service:
    """Return the running service."""
    service: Service = request.app.state.service
    return service


Serving = Annotated[Service, Depends(service_of)]
Name = Annotated[
    str,
    Path(max_length=64, description="a library puzzle, or a posted one", examples=["rhombus"]),
]


@dataclass
class PuzzleContext:
    """The puzzle that a path names, and the service that is asked about it."""

    service: Service
    known: Known

    def position(self, query: PositionQuery) -> tuple[Reveal, tuple[Placement, ...]]:
        """Return the reveal and the placements that are asked about."""
        reveal = query.only_reveal(self.known.puzzle, self.service.today())
        return reveal, query.placements(self.known.puzzle, reveal)

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a worker finds out about the puzzle."""
        return await self.service.workers.run(function, self.known.board, *args)

    async def answer(self, query: PositionQuery, function: Callable[..., T], *args: Any) -> T:
        """Return what a worker finds out about a position."""
        return await self.run(function, *self.position(query), *args)

    async def file(self, name: str, make: Callable[[BoardText], bytes]) -> bytes:
        """Return the file of a name, which a worker makes once."""
        files = self.service.files
        if name not in files:
            files[name] = await self.run(make)
            while len(files) > MAX_FILES:
                files.pop(next(iter(files)))
        return files[name]


async def find_puzzle(service: Serving, puzzle: Name) -> PuzzleContext:
    """Return the puzzle that a path names."""
    return PuzzleContext(service, service.boards.find(puzzle))


Asked = Annotated[PuzzleContext, Depends(find_puzzle)]


def sends(*media: str) -> dict[str, Any]:
    """Return the description of a route whose answer is a file."""
    return {
        "response_class": Response,
        "responses": {200: {"content": {kind: {} for kind in media}}},
    }


def attachment(name: str) -> dict[str, str]:
    """Return the header that has a browser save a file."""
    stem, dot, suffix = name.rpartition(".")
    plain = "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in stem)
    return {"Content-Disposition": f'attachment; filename="{plain}{dot}{suffix}"'}
