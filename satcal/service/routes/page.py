"""The routes of the page and its data, and of the description of the API."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from functools import cache
from importlib.resources import files
from typing import Literal

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from satcal.service.boards import Boards, PuzzleEntry
from satcal.service.context import JSON, PuzzleContext, ServiceDep, send_file
from satcal.service.settings import Settings
from satcal.service.work.counts import list_all_counts
from satcal.service.work.tilings import pack_tilings
from satcal.site import edition
from satcal.site.evidence import evidence_json
from satcal.site.page import compact, index_page, missing_page, page_files

router = APIRouter()
DESCRIPTION_PATH = "/api/v1/openapi.json"
KEPT = "private, max-age=31536000, immutable"
"""The Cache-Control of a file whose name changes with its content."""
UNVERSIONED = (".html", ".webmanifest")
"""The files whose names do not change, because links lead to them."""


@router.get("/data/puzzles.json")
async def get_library(request: Request, service: ServiceDep) -> Response:
    """Return the puzzles that the page offers."""
    file = service.files.pack(list_library, service.boards, request.app.state.settings)
    return send_file(request, file, JSON)


def list_library(boards: Boards, settings: Settings) -> bytes:
    """Return the list of puzzles."""
    puzzles = [(entry.board.name, entry.puzzle) for entry in boards.library()]
    # the page cannot send a token
    return edition.puzzle_list(puzzles, settings.board, served=True, jobs=not settings.token)


@router.get("/data/{name}")
async def get_data(request: Request, service: ServiceDep, name: str) -> Response:
    """Return a file about a puzzle: itself, all counts, the evidence for them, or all tilings."""
    puzzle, _, kind = name.partition(".")
    context = PuzzleContext(service, service.boards.find(puzzle))
    media_type = JSON
    if kind == "json":
        file = service.files.pack(describe_puzzle, context.entry)
    elif kind == "evidence.json":
        file = service.files.pack(list_evidence, context.entry)
    elif kind == "year.json":
        file = await context.get_file(list_all_counts)
    elif kind == "bin":
        file, media_type = await context.get_file(pack_tilings), "application/octet-stream"
    else:
        raise HTTPException(404)
    return send_file(request, file, media_type)


def describe_puzzle(entry: PuzzleEntry) -> bytes:
    """Return a puzzle without its tilings."""
    return edition.describe(entry.puzzle, entry.board.name)


def list_evidence(entry: PuzzleEntry) -> bytes:
    """Return the evidence for the counts of a puzzle."""
    return evidence_json(entry.puzzle)


@router.get(DESCRIPTION_PATH)
async def get_description(request: Request, service: ServiceDep) -> Response:
    """Return the OpenAPI description."""
    return send_file(request, service.files.pack(describe_api, request.app), JSON)


def describe_api(app: FastAPI) -> bytes:
    """Return the OpenAPI description."""
    return compact(app.openapi())


@cache
def make_docs_page() -> tuple[bytes, str]:
    """Return FastAPI's page about the API, and a policy that allows no foreign scripts."""
    page = bytes(
        get_swagger_ui_html(
            openapi_url=DESCRIPTION_PATH,
            title="satcal",
            swagger_favicon_url="/icon.svg",
            swagger_js_url="/docs/swagger-ui-bundle.js",
            swagger_css_url="/docs/swagger-ui.css",
        ).body
    )
    scripts = re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts]
    sources = " ".join(f"'sha256-{digest}'" for digest in hashes)
    policy = (
        f"default-src 'none'; script-src 'self' {sources}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    return page, policy


@router.get("/docs")
async def get_docs() -> Response:
    """Return the interactive page about the API."""
    page, policy = make_docs_page()
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


def read_docs_file(name: str) -> bytes:
    """Return a file of the page about the API."""
    return (files("fastapi_offline") / "static" / name).read_bytes()


@router.get("/docs/{name}")
async def get_docs_file(
    request: Request, service: ServiceDep, name: Literal["swagger-ui-bundle.js", "swagger-ui.css"]
) -> Response:
    """Return a script or a style sheet of the page about the API."""
    return send_file(request, service.files.pack(read_docs_file, name), guess_media_type(name))


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
    return add_versions(missing_page("/"))


@router.get("/")
@router.get("/index.html")
async def get_page(request: Request, service: ServiceDep) -> Response:
    """Return the page."""
    url = request.base_url
    if request.headers.get("x-forwarded-proto") == "https":
        url = url.replace(scheme="https")
    page = service.files.pack(make_page, service.boards, request.app.state.settings.board, str(url))
    return send_file(request, page, "text/html; charset=utf-8")


def make_page(boards: Boards, default_board: str, url: str) -> bytes:
    """Return the page at a URL."""
    names = dict.fromkeys([default_board, *(entry.board.name for entry in boards.library())])
    return add_versions(index_page(names, url))


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
    if name not in page_files():
        raise HTTPException(404)
    return send_file(request, service.files.pack(read_page_file, name), guess_media_type(name))


def read_page_file(name: str) -> bytes:
    """Return a file of the page; HTML refers to versioned names."""
    body = page_files()[name]
    return add_versions(body) if name.endswith(".html") else body


def guess_media_type(name: str) -> str:
    """Return the media type of a file of the page."""
    return mimetypes.guess_type(name)[0] or "application/manifest+json"
