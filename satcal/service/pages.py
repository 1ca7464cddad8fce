"""What people see: the page and its data, and the API's description."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from functools import cache, partial
from importlib.resources import files
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from satcal.service import tasks
from satcal.service.answers import PageFile
from satcal.service.routing import JSON, PICTURE_SECONDS, PREFIX, About, Named, Running, send
from satcal.service.security import caller_of
from satcal.site import edition
from satcal.site.belief import belief

router = APIRouter(include_in_schema=False)


@router.get("/data/puzzles.json")
async def get_library(request: Request, service: Running) -> Response:
    """The puzzles that the page offers."""
    known = [(entry.id, entry.puzzle) for entry in service.shelf.library()]
    jobs = caller_of(request).owner is not None
    body = edition.library(known, service.config.board, served=True, jobs=jobs)
    return await send(request, hashlib.sha256(body).hexdigest(), JSON, lambda: body)


@router.get("/data/{puzzle}.year.json")
async def get_year(about: Named) -> Response:
    """The counts of all reveals."""
    return await about.answer(PageFile("year"))


@router.get("/data/{puzzle}.belief.json")
async def get_belief(about: Named) -> Response:
    """What stands behind the counts."""
    return await about.send("belief", JSON, lambda: belief(about.entry.puzzle))


@router.get("/data/{puzzle}.bin")
async def get_tilings(about: Named) -> Response:
    """All tilings, packed once for all who can unpack them."""
    takes = re.split(r"[\s,;]+", about.request.headers.get("accept-encoding", ""))
    kind: Literal["tilings", "packed"] = "packed" if "gzip" in takes else "tilings"
    answer = await about.answer(PageFile(kind), "application/octet-stream")
    if kind == "packed":
        answer.headers["Vary"] = "Accept-Encoding"
        if answer.status_code == 200:
            answer.headers["Content-Encoding"] = "gzip"
    return answer


@router.get("/data/{puzzle}.json")
async def get_puzzle(about: Named) -> Response:
    """A puzzle without its tilings."""
    return await about.send("page", JSON, lambda: about.entry.page)


@router.get(f"{PREFIX}/openapi.json")
async def get_description(request: Request) -> Response:
    """The API's description for programs."""
    return await send(request, "openapi", JSON, lambda: edition.compact(request.app.openapi()))


@cache
def _docs() -> tuple[bytes, str]:
    """FastAPI's own page of the API, and what it may load: no other server's scripts."""
    page = bytes(
        get_swagger_ui_html(
            openapi_url=f"{PREFIX}/openapi.json",
            title="satcal",
            swagger_favicon_url="/icon.svg",
            swagger_js_url="/docs/swagger-ui-bundle.js",
            swagger_css_url="/docs/swagger-ui.css",
        ).body
    )
    scripts = re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    policy = (
        f"default-src 'none'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    return page, policy


@router.get("/docs")
async def get_docs() -> Response:
    """The API's description to read and to try."""
    page, policy = _docs()
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


@router.get("/docs/{name}")
async def get_docs_file(
    request: Request, name: Literal["swagger-ui-bundle.js", "swagger-ui.css"]
) -> Response:
    """A file that that page loads."""
    body = (files("fastapi_offline") / "static" / name).read_bytes()
    media = mimetypes.guess_type(name)[0] or ""
    return await send(request, f"docs {name}", media, lambda: body)


@router.get("/")
@router.get("/index.html")
async def get_page(request: Request, service: Running) -> Response:
    """The page."""
    first, known = service.config.board, [entry.id for entry in service.shelf.library()]
    body = edition.front(dict.fromkeys([first, *known]), str(request.base_url))
    return await send(request, hashlib.sha256(body).hexdigest(), "text/html", lambda: body)


@router.get("/preview.png")
async def get_preview(request: Request, service: Running) -> Response:
    """Draw today's board, which others show beside a link to the page."""
    entry = await service.shelf.find(service.config.board, caller_of(request).client)
    calendar, today = entry.puzzle.calendar, service.config.today()
    reveal = calendar.reveal(today) if calendar.parts is not None and calendar.has(today) else ()
    about = About(request, service, entry)
    make = partial(about.at_once, "picture", PICTURE_SECONDS, tasks.preview, reveal)
    return await about.send(("preview", *reveal), "image/png", make)


@router.get("/{name}")
async def get_file(request: Request, name: str) -> Response:
    """A file of the page."""
    body = edition.page().get(name)
    if body is None:
        raise HTTPException(404)
    media = mimetypes.guess_type(name)[0] or "application/manifest+json"
    return await send(request, hashlib.sha256(body).hexdigest(), media, lambda: body)
