"""Dependencies and helpers of the routes: the running service and the puzzle of a path."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path, Request, Response

from satcal.puzzle.model import Placement, Reveal
from satcal.service.boards import Boards, PuzzleEntry
from satcal.service.jobs import Jobs
from satcal.service.models import PositionQuery
from satcal.service.work import BoardText
from satcal.service.workers import Workers

T = TypeVar("T")
JSON = "application/json"
CSV = "text/csv; charset=utf-8"
MAX_FILES = 48
"""Limit on the cached files; the oldest is removed."""


@dataclass
class Service:
    """The parts of a running service; ``files`` caches large answers that never change."""

    boards: Boards
    workers: Workers
    jobs: Jobs
    today: Callable[[], datetime.date]
    files: dict[str, bytes] = field(default_factory=dict)


async def get_service(request: Request) -> Service:
    """Return the running service."""
    service: Service = request.app.state.service
    return service


ServiceDep = Annotated[Service, Depends(get_service)]
PuzzleName = Annotated[
    str,
    Path(max_length=64, description="a library puzzle, or a posted one", examples=["rhombus"]),
]


@dataclass
class PuzzleContext:
    """The puzzle that a path names, and the service."""

    service: Service
    entry: PuzzleEntry

    def parse_position(self, query: PositionQuery) -> tuple[Reveal, tuple[Placement, ...]]:
        """Return the reveal and the placements of a query."""
        reveal = query.parse_reveal(self.entry.puzzle, self.service.today())
        return reveal, query.parse_placements(self.entry.puzzle, reveal)

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a worker computes for the puzzle."""
        return await self.service.workers.run(function, self.entry.board, *args)

    async def run_at(self, query: PositionQuery, function: Callable[..., T], *args: Any) -> T:
        """Return what a worker computes for the position of a query."""
        return await self.run(function, *self.parse_position(query), *args)

    async def get_file(self, name: str, make: Callable[[BoardText], bytes]) -> bytes:
        """Return a cached file; a worker makes it if it is missing."""
        files = self.service.files
        if name not in files:
            files[name] = await self.run(make)
            while len(files) > MAX_FILES:
                files.pop(next(iter(files)))
        return files[name]


async def find_puzzle(service: ServiceDep, puzzle: PuzzleName) -> PuzzleContext:
    """Return the puzzle that a path names; raise UnknownName if there is no such puzzle."""
    return PuzzleContext(service, service.boards.find(puzzle))


PuzzleDep = Annotated[PuzzleContext, Depends(find_puzzle)]


def file_route(*media_types: str) -> dict[str, Any]:
    """Return the arguments for a route that answers with a file."""
    return {
        "response_class": Response,
        "responses": {200: {"content": {media_type: {} for media_type in media_types}}},
    }


def attachment_header(name: str) -> dict[str, str]:
    """Return the header that makes a browser save the answer as a file."""
    stem, dot, suffix = name.rpartition(".")
    ascii_stem = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem)
    return {"Content-Disposition": f'attachment; filename="{ascii_stem}{dot}{suffix}"'}
