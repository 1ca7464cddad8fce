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
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from satcal.service import work
from satcal.service.access import admit
from satcal.service.context import JSON, PuzzleDep, ServiceDep
from satcal.site import edition
from satcal.site.evidence import evidence_json
from satcal.site.page import index_page, page_files

router = APIRouter(include_in_schema=False, dependencies=[Depends(admit)])
DESCRIPTION_PATH = "/api/v1/openapi.json"


@router.get("/data/puzzles.json")
async def get_library(request: Request, service: ServiceDep) -> Response:
    """Return the puzzles that the page offers."""
    settings = request.app.state.settings
    puzzles = [(entry.board.name, entry.puzzle) for entry in service.boards.library()]
    # the page cannot send a token
    body = edition.puzzle_list(puzzles, settings.board, served=True, jobs=not settings.token)
    return Response(body, media_type=JSON)


@router.get("/data/{puzzle}.year.json")
async def get_all_counts(context: PuzzleDep) -> list[str]:
    """Return the counts of all reveals."""
    reveals, counts = tuple(context.entry.puzzle.reveals()), context.entry.counts
    if counts:
        return [str(counts[reveal]) for reveal in reveals]
    return list(map(str, await context.run(work.count, reveals, ())))


@router.get("/data/{puzzle}.evidence.json")
async def get_evidence(context: PuzzleDep) -> Response:
    """Return the evidence for the counts."""
    return Response(evidence_json(context.entry.puzzle), media_type=JSON)


@router.get("/data/{puzzle}.bin")
async def get_tilings(context: PuzzleDep) -> Response:
    """Return all tilings in the packed format of the page."""
    body = await context.get_file(f"{context.entry.board.name}.bin", work.pack_tilings)
    return Response(body, 200, {"Content-Encoding": "gzip"}, "application/octet-stream")


@router.get("/data/{puzzle}.json")
async def get_puzzle(context: PuzzleDep) -> Response:
    """Return a puzzle without its tilings."""
    return Response(context.entry.page_data, media_type=JSON)


@router.get(DESCRIPTION_PATH)
async def get_description(request: Request) -> JSONResponse:
    """Return the OpenAPI description."""
    return JSONResponse(request.app.openapi())


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


@router.get("/docs/{name}")
async def get_docs_file(name: Literal["swagger-ui-bundle.js", "swagger-ui.css"]) -> Response:
    """Return a script or a style sheet of the page about the API."""
    body = (files("fastapi_offline") / "static" / name).read_bytes()
    return Response(body, media_type=mimetypes.guess_type(name)[0])


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
    return HTMLResponse(index_page(names, str(url)))


@router.get("/{name}")
async def get_file(name: str) -> Response:
    """Return a file of the page."""
    body = page_files().get(name)
    if body is None:
        raise HTTPException(404)
    media_type = mimetypes.guess_type(name)[0] or "application/manifest+json"
    return Response(body, media_type=media_type)
