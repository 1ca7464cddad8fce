"""What the routes share: the parts of a running service, and how an answer is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request, Response

from satcal.service.config import Config
from satcal.service.diagrams import Diagrams, etag
from satcal.service.jobs import AtOnce, JobRunner
from satcal.service.limits import Shares
from satcal.service.puzzles import Entry, Shelf
from satcal.service.security import Caller, caller_of, worker_of

CACHING = "private, no-cache"  # kept, but asked about: a 304 costs nothing


@dataclass
class Service:
    """The parts of a running service."""

    config: Config
    shelf: Shelf
    diagrams: Diagrams
    jobs: JobRunner
    at_once: AtOnce
    streams: Shares


def service_of(request: Request) -> Service:
    """Return the service that a request came to."""
    found: Service = request.app.state.service
    return found


async def _running(request: Request) -> Service:  # not ``def``, which would cost a thread
    return service_of(request)


Running = Annotated[Service, Depends(_running)]
Worker = Annotated[Caller, Depends(worker_of)]
"""Who asks, in a route that only those may ask who may have jobs."""


async def entry_of(
    request: Request,
    puzzle: Annotated[
        str, Path(max_length=64, description="a name of the library, or of a posted puzzle",
                  examples=["rhombus"])
    ],
) -> Entry:  # fmt: skip
    """Return the puzzle that a path names."""
    return await service_of(request).shelf.find(puzzle, caller_of(request).client)


Named = Annotated[Entry, Depends(entry_of)]


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
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return unchanged(request, tag) or Response(body, headers=headers, media_type=media)


def send_json(request: Request, entry: Entry, question: object, value: object) -> Response:
    """Return a value that follows from a puzzle and a question alone."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return send(request, body, "application/json", etag(entry, question))
