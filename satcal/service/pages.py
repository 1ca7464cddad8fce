"""What people see: the page and its data, and the API's description."""

from __future__ import annotations

import mimetypes
from functools import cache
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.exceptions import HTTPException

from satcal.service.answers import PageFile
from satcal.service.routing import JSON, Named, Running, send
from satcal.service.templates import HTML, html
from satcal.site import edition

router = APIRouter(include_in_schema=False)


@router.get("/data/puzzles.json")
async def get_library(request: Request, service: Running) -> Response:
    """Return what the page offers."""
    known = [(entry.id, entry.puzzle) for entry in service.shelf.library()]
    body = edition.library(known, service.config.board, served=True)
    return await send(request, body, JSON, lambda: body)


@router.get("/data/{puzzle}.year.json")
async def get_year(about: Named) -> Response:
    """Return the counts of all reveals."""
    return await about.answer(PageFile("year"))


@router.get("/data/{puzzle}.bin")
async def get_tilings(about: Named) -> Response:
    """Return all tilings."""
    return await about.answer(PageFile("tilings"), "application/octet-stream")


@router.get("/data/{puzzle}.json")
async def get_puzzle(about: Named) -> Response:
    """Return a puzzle without its tilings."""
    return await about.send("page", JSON, lambda: about.entry.page)


@router.get("/docs")
async def get_docs(request: Request) -> Response:
    """Return the API's description to read: FastAPI's own page runs scripts of another server."""
    return await send(request, "docs", HTML, lambda: _docs(request.app))


@cache
def _docs(app: FastAPI) -> bytes:
    description = app.openapi()
    operations = [
        (f"{method.upper()} {path}", operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = description["components"]["schemas"]
    return html("docs.html", title="API", operations=operations, schemas=schemas)


@router.get("/puzzles/{puzzle}")
async def get_former(puzzle: str, date: str = "", reveal: str = "") -> Response:
    """Send whoever has an address of former times to what it meant, but for what was placed."""
    there = "/".join(quote(part, safe=",") for part in (puzzle, date or reveal) if part)
    return Response(status_code=301, headers={"Location": f"/#{there}"})


@router.get("/")
@router.get("/{name}")
async def get_file(request: Request, name: str = "index.html") -> Response:
    """Return a file of the page."""
    body = edition.page().get(name)
    if body is None:
        raise HTTPException(404)
    media = mimetypes.guess_type(name)[0] or "application/manifest+json"
    return await send(request, body, media, lambda: body)
