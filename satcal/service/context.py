"""Dependencies and helpers of the routes: the running service and the puzzle of a path."""

from __future__ import annotations

import datetime
import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from fastapi import Depends, Request, Response

from satcal.puzzle.rows import Selection
from satcal.service.boards import Boards, PuzzleEntry
from satcal.service.files import FileCache
from satcal.service.jobs import Jobs
from satcal.service.models import Position, PuzzleName, PuzzleQuery
from satcal.service.workers import Workers

T = TypeVar("T")
JSON = "application/json"


@dataclass
class Service:
    """The parts of a running service.

    ``files`` caches large answers that never change, and ``built`` has the names of the boards that
    have a diagram in the cache on the disk.
    """

    boards: Boards
    workers: Workers
    jobs: Jobs
    today: Callable[[], datetime.date]
    files: FileCache = field(default_factory=FileCache)
    built: set[str] = field(default_factory=set)


async def get_service(request: Request) -> Service:
    """Return the running service."""
    service: Service = request.app.state.service
    return service


ServiceDep = Annotated[Service, Depends(get_service)]


@dataclass
class PuzzleContext:
    """The puzzle that a path names, and the service."""

    service: Service
    entry: PuzzleEntry

    def select(self, query: PuzzleQuery) -> Selection:
        """Return the selection of a request."""
        return query.select(self.entry.puzzle, self.service.today())

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a worker reads from the diagram of the puzzle.

        That is slow for a posted board, and for another one until its diagram was built once.
        """
        board, built = self.entry.board, self.service.built
        slow = board.name not in built
        answer = await self.service.workers.run(function, board, *args, slow=slow)
        if not board.posted:
            built.add(board.name)
        return answer

    async def run_at(self, position: Position, function: Callable[..., T], *args: Any) -> T:
        """Return what a worker computes for a position of one date or reveal."""
        selection = self.select(position)
        return await self.run(function, selection.row.reveal, selection.place, *args)

    async def get_file(self, function: Callable[..., bytes], *args: Any) -> bytes:
        """Return a packed file about the puzzle; a worker makes it unless it is cached."""
        key = (function, self.entry.board, *args)
        file = self.service.files.find(key)
        if file is None:
            file = await self.service.workers.run(function, *key[1:], slow=True)
            self.service.files.add(key, file)
        return file


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


def send_file(
    request: Request, file: bytes, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the answer with a packed file, unpacked for a client that does not take gzip."""
    headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        file = gzip.decompress(file)
    return Response(file, headers=headers, media_type=media_type)


def attachment_header(name: str) -> dict[str, str]:
    """Return the header that makes a browser save the answer as a file."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
