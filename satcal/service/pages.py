"""The routes of the page and its data, and of the description of the API."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from functools import cache
from importlib.resources import files
from typing import Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from satcal.service import work
from satcal.service.access import admit
from satcal.service.context import JSON, PuzzleDep, ServiceDep, send_file
from satcal.service.files import StoredFile, pack_file
from satcal.site import edition
from satcal.site.evidence import evidence_json
from satcal.site.page import compact, index_page, missing_page, page_files

router = APIRouter(include_in_schema=False, dependencies=[Depends(admit)])
DESCRIPTION_PATH = "/api/v1/openapi.json"
KEPT = "private, max-age=31536000, immutable"
"""The Cache-Control of a file whose name changes with its content."""


@router.get("/data/puzzles.json")
async def get_library(request: Request, service: ServiceDep) -> Response:
    """Return the puzzles that the page offers."""
    settings = request.app.state.settings
    puzzles = [(entry.board.name, entry.puzzle) for entry in service.boards.library()]
    # the page cannot send a token
    body = edition.puzzle_list(puzzles, settings.board, served=True, jobs=not settings.token)
    return send_file(request, pack_file(body), JSON)


@router.get("/data/{puzzle}.year.json")
async def get_all_counts(request: Request, context: PuzzleDep) -> Response:
    """Return the counts of all reveals."""
    return send_file(request, await context.get_file(work.list_all_counts), JSON)


@router.get("/data/{puzzle}.evidence.json")
async def get_evidence(request: Request, context: PuzzleDep) -> Response:
    """Return the evidence for the counts."""
    return send_file(request, pack_file(evidence_json(context.entry.puzzle)), JSON)


@router.get("/data/{puzzle}.bin")
async def get_tilings(request: Request, context: PuzzleDep) -> Response:
    """Return all tilings in the packed format of the page."""
    file = await context.get_file(work.pack_tilings)
    return send_file(request, file, "application/octet-stream")


@router.get("/data/{puzzle}.json")
async def get_puzzle(request: Request, context: PuzzleDep) -> Response:
    """Return a puzzle without its tilings."""
    return send_file(request, context.entry.page_data, JSON)


@router.get(DESCRIPTION_PATH)
async def get_description(request: Request) -> Response:
    """Return the OpenAPI description."""
    return send_file(request, pack_file(compact(request.app.openapi())), JSON)


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


@cache
def read_docs_file(name: str) -> StoredFile:
    """Return a file of the page about the API."""
    return pack_file((files("fastapi_offline") / "static" / name).read_bytes())


@router.get("/docs/{name}")
async def get_docs_file(
    request: Request, name: Literal["swagger-ui-bundle.js", "swagger-ui.css"]
) -> Response:
    """Return a script or a style sheet of the page about the API."""
    return send_file(request, read_docs_file(name), guess_media_type(name))


@cache
def pack_page() -> dict[str, StoredFile]:
    """Return the files of the page, compressed; their HTML refers to versioned names."""
    return {
        name: pack_file(add_versions(body) if name.endswith(".html") else body)
        for name, body in page_files().items()
    }


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
        kept = name in names and not name.endswith((".html", ".webmanifest"))
        return start + f"v/{page_version()}/{name}".encode() if kept else match[0]

    return re.sub(rb'\b((?:src|href)="/?)([\w.-]+)(?=")', add, page)


def make_missing_page() -> bytes:
    """Return the page for an address where nothing is; its links fit an address of any depth."""
    return add_versions(missing_page("/"))


@router.get("/")
@router.get("/index.html")
async def get_page(request: Request, service: ServiceDep) -> Response:
    """Return the page."""
    default_board = request.app.state.settings.board
    names = dict.fromkeys(
        [default_board, *(entry.board.name for entry in service.boards.library())]
    )
    url = request.base_url
    if request.headers.get("x-forwarded-proto") == "https":
        url = url.replace(scheme="https")
    page = pack_file(add_versions(index_page(names, str(url))))
    return send_file(request, page, "text/html; charset=utf-8")


@router.get("/v/{version}/{name}")
async def get_versioned_file(request: Request, version: str, name: str) -> Response:
    """Return a file of the page that a browser may keep, as long as it is of this version."""
    answer = await get_file(request, name)
    if version == page_version():
        answer.headers["Cache-Control"] = KEPT
    return answer


@router.get("/{name}")
async def get_file(request: Request, name: str) -> Response:
    """Return a file of the page."""
    file = pack_page().get(name)
    if file is None:
        raise HTTPException(404)
    return send_file(request, file, guess_media_type(name))


def guess_media_type(name: str) -> str:
    """Return the media type of a file of the page."""
    return mimetypes.guess_type(name)[0] or "application/manifest+json"
