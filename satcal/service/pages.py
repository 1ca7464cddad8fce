"""The pages for people: the puzzle of a date, one's own board, published claims, the API."""

from __future__ import annotations

import datetime
import hashlib
import json
from functools import cache
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, FastAPI, Request, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.types import Scope

from satcal.draw.theme import load_theme
from satcal.errors import OptionError, SatcalError
from satcal.puzzle.model import Reveal
from satcal.puzzle.ranges import Range, select
from satcal.service.api.puzzles import summary, whole
from satcal.service.puzzles import Entry
from satcal.service.routing import Running
from satcal.service.security import caller_of
from satcal.version import __version__

router = APIRouter(include_in_schema=False)
LAST = "satcal_puzzle"  # the cookie with the puzzle last used


class Static(StaticFiles):
    """Our own files; their address names their content, so that browsers keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def mount_static(app: FastAPI) -> None:
    """Serve the files of ``static``."""
    app.mount(f"/static/{_assets()}", Static(packages=[("satcal.service", "static")]), "static")


@cache
def _assets() -> str:
    """Return what names the present static files: they are kept by browsers for ever."""
    digest = hashlib.sha256()
    for file in sorted((resources.files("satcal.service") / "static").iterdir(), key=str):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@cache
def _environment() -> Environment:
    """Return what makes pages; everything is escaped that a template does not make itself."""
    environment = Environment(
        loader=PackageLoader("satcal.service", "html"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals |= {"version": __version__, "assets": _assets()}
    return environment


def _render(name: str, request: Request, status: int = 200, **values: Any) -> Response:
    text = _environment().get_template(name).render(path=request.url.path, **values)
    headers = {"Cache-Control": "private, no-cache"}
    return Response(text, status, headers, "text/html; charset=utf-8")


@router.get("/")
async def get_home(
    request: Request, service: Running, last: Annotated[str | None, Cookie(alias=LAST)] = None
) -> Response:
    """Return the page of the puzzle last used, today."""
    try:
        entry = await service.shelf.find(last or service.config.board, caller_of(request).client)
    except SatcalError:
        entry = await service.shelf.find(service.config.board, "")
    return await _page(request, service, entry, None, None)


@router.get("/puzzles/{puzzle}")
async def get_page(
    request: Request, service: Running, puzzle: str, date: str | None = None,
    reveal: str | None = None,
) -> Response:  # fmt: skip
    """Return the page of a puzzle, on a date or with a reveal; today without both."""
    entry = await service.shelf.find(puzzle, caller_of(request).client)
    return await _page(request, service, entry, date, reveal)


async def _page(
    request: Request, service: Running, entry: Entry, date: str | None, reveal: str | None
) -> Response:
    puzzle, today = entry.puzzle, service.config.today()
    dated = puzzle.calendar.parts is not None
    if date is None and reveal is None and not dated:
        reveal = ",".join(next(puzzle.reveals()))
    try:
        if not dated and not puzzle.categories:
            (row,) = select(puzzle, Range(), today)
        else:
            row, *others = select(puzzle, Range(date=date, reveal=reveal), today)
            if others:
                raise OptionError(f"date {date}: the page shows one day; write it as 2025-12-25")
    except SatcalError as error:
        return _render("sorry.html", request, error.http_status, detail=str(error), entry=entry)
    data = {
        **whole(entry), "reveal": row.reveal, "today": today.isoformat(),
        "date": row.date.isoformat() if row.date else None,
        "heat": load_theme().heat,
    }  # fmt: skip
    response = _render(
        "solve.html", request, entry=entry, puzzle=puzzle, row=row, data=json.dumps(data),
        library=[summary(each) for each in service.shelf.library()],
        heading=heading(row.date, row.reveal),
    )  # fmt: skip
    response.set_cookie(LAST, entry.id, max_age=365 * 86400, samesite="lax", httponly=True)
    return response


def heading(date: datetime.date | None, reveal: Reveal) -> str:
    """Return the date in words, or the labels of a reveal without one."""
    if date is None:
        return " ".join(reveal)
    return f"{date:%A}, {date.day} {date:%B} {date.year}"


@router.get("/make")
async def get_make(request: Request, service: Running) -> Response:
    """Return the page on which one makes a board."""
    names = [entry.id for entry in service.shelf.library()]
    return _render("make.html", request, names=names)


@router.get("/claims")
async def get_claims(request: Request) -> Response:
    """Return the page of published claims."""
    return _render("claims.html", request)


@router.get("/docs")
async def get_docs(request: Request) -> Response:
    """Return the API's description to read: FastAPI's own page runs scripts of another server."""
    description = request.app.openapi()
    operations = [
        (f"{method.upper()} {path}", operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = description["components"]["schemas"]
    return _render("docs.html", request, operations=operations, schemas=schemas)
