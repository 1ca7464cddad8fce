"""The routes of the page and its data, and of the description of the API."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from functools import cache, partial
from importlib.resources import files
from typing import Literal

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from satcal.service.context import JSON, PuzzleContext, ServiceDep, send_file
from satcal.service.work import list_all_counts, pack_tilings
from satcal.site import edition
from satcal.site.evidence import evidence_json
from satcal.site.page import compact, index_page, missing_page, page_files

router = APIRouter()
KEPT = "private, max-age=31536000, immutable"
"""The Cache-Control of a file whose name changes with its content."""
DATA = {"year.json": list_all_counts, "bin": pack_tilings}
"""The data that workers make."""
DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What Swagger UI needs: it writes styles into its page."""
UNVERSIONED = (".html", ".webmanifest")
"""The files whose names do not change, because links lead to them."""


@router.get("/data/puzzles.json")
async def get_library(request: Request, service: ServiceDep) -> Response:
    """Return the puzzles that the page offers."""
    settings = request.app.state.settings
    puzzles = ((entry.board.name, entry.puzzle) for entry in service.boards.library())
    # the page cannot send a token
    make = partial(edition.puzzle_list, puzzles, settings.board, True, not settings.token)
    return send_file(request, service.files.pack("puzzles", make), JSON)


@router.get("/data/{name}")
async def get_data(request: Request, service: ServiceDep, name: str) -> Response:
    """Return a file about a puzzle: itself, all counts, the evidence for them, or all tilings."""
    board, _, kind = name.partition(".")
    context = PuzzleContext(service, service.boards.find(board))
    puzzle = context.entry.puzzle
    if kind == "json":
        make = partial(edition.puzzle_json, puzzle, context.entry.board.name)
        file = service.files.pack(name, make)
    elif kind == "evidence.json":
        file = service.files.pack(name, partial(evidence_json, puzzle))
    elif kind in DATA:
        file = await context.get_file(DATA[kind])
    else:
        raise HTTPException(404)
    return send_file(request, file, guess_media_type(name))


@router.get("/api/v1/openapi.json")
async def get_description(request: Request, service: ServiceDep) -> Response:
    """Return the OpenAPI description."""
    make = partial(compact, request.app.openapi())
    return send_file(request, service.files.pack("description", make), JSON)


@router.get("/docs")
async def get_docs(request: Request, service: ServiceDep) -> Response:
    """Return the interactive page about the API."""
    answer = await get_file(request, service, "docs.html")
    answer.headers["Content-Security-Policy"] = DOCS_POLICY
    return answer


@router.get("/docs/{name}")
async def get_docs_file(
    request: Request, service: ServiceDep, name: Literal["swagger-ui-bundle.js", "swagger-ui.css"]
) -> Response:
    """Return a script or a style sheet of the page about the API."""
    make = (files("fastapi_offline") / "static" / name).read_bytes
    return send_file(request, service.files.pack(f"docs/{name}", make), guess_media_type(name))


@cache
def page_version() -> str:
    """Return the version of the files of the page: a digest."""
    digest = hashlib.sha256()
    for name, body in page_files().items():
        digest.update(name.encode() + b"\0" + body)
    return digest.hexdigest()[:12]


def add_versions(page: bytes) -> bytes:
    """Return HTML in which scripts, style sheets and icons have the names that may be kept.

    A module that such a script imports has such a name, too, because it is in the same folder.
    """
    names = page_files()

    def add(match: re.Match[bytes]) -> bytes:
        start, name = match[1], match[2].decode()
        kept = name in names and not name.endswith(UNVERSIONED)
        return start + f"v/{page_version()}/{name}".encode() if kept else match[0]

    return re.sub(rb'\b((?:src|href)="/?)([\w.-]+)(?=")', add, page)


def make_missing_page() -> bytes:
    """Return the page for an address where nothing is; its links fit an address of any depth."""
    return add_versions(missing_page(page_files()["404.html"], "/"))


@router.get("/")
@router.get("/index.html")
async def get_page(request: Request, service: ServiceDep) -> Response:
    """Return the page."""
    url = request.base_url
    if request.headers.get("x-forwarded-proto") == "https":
        url = url.replace(scheme="https")
    default_board = request.app.state.settings.board
    names = dict.fromkeys([default_board, *(e.board.name for e in service.boards.library())])
    index = page_files()["index.html"]
    page = service.files.pack(f"/ {url}", lambda: add_versions(index_page(index, names, str(url))))
    return send_file(request, page, "text/html; charset=utf-8")


@router.get("/v/{version}/{name}")
async def get_versioned_file(
    request: Request, service: ServiceDep, version: str, name: str
) -> Response:
    """Return a file of the page that a browser may keep, as long as it is of this version."""
    if name.endswith(UNVERSIONED):
        raise HTTPException(404)
    answer = await get_file(request, service, name)
    if version == page_version():
        answer.headers["Cache-Control"] = KEPT
    return answer


@router.get("/{name}")
async def get_file(request: Request, service: ServiceDep, name: str) -> Response:
    """Return a file of the page."""
    body = page_files().get(name)
    if body is None:
        raise HTTPException(404)
    is_page = name.endswith(".html")
    file = service.files.pack(f"/{name}", lambda: add_versions(body) if is_page else body)
    return send_file(request, file, guess_media_type(name))


def guess_media_type(name: str) -> str:
    """Return the media type of a file of the page."""
    return mimetypes.guess_type(name)[0] or "application/manifest+json"
