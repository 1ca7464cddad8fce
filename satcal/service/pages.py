"""What people see: the page and its data, the API's description, and errors that can be read."""

from __future__ import annotations

import json
import mimetypes
import re
from functools import cache
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcal.service.answers import PageFile
from satcal.service.problems import MEDIA
from satcal.service.routing import CACHING, JSON, Named, Running, send
from satcal.site import edition

HTML = "text/html; charset=utf-8"
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
    entry = about.entry
    return await about.send("page", JSON, lambda: edition.describe(entry.puzzle, entry.id))


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
    body = _html("docs.html", title="API", operations=operations, schemas=schemas)
    return Response(body, headers={"Cache-Control": CACHING}, media_type=HTML)


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


@cache
def _environment() -> Environment:
    """Return what makes pages; everything is escaped that a template does not make itself."""
    environment = Environment(
        loader=PackageLoader("satcal.service", "html"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["marked"] = marked
    return environment


def _html(template: str, **values: object) -> bytes:
    return _environment().get_template(template).render(**values).encode()


def marked(text: str) -> Markup:
    """Return a text of ours as HTML: what stands in backticks is code."""
    return Markup(re.sub(r"(`+)(.+?)\1", r"<code>\2</code>", str(escape(text))))


class Readable:
    """Answers a browser's visit with a page where others get a problem."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and put a problem into HTML if a person is to read it."""
        asked = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        if not asked or scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        start: Message = {}

        async def readable(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                if Headers(scope=message).get("content-type") != MEDIA:
                    await send(message)
            elif Headers(scope=start).get("content-type") == MEDIA:
                problem = json.loads(message["body"])
                body = _html("sorry.html", **problem)
                headers = MutableHeaders(scope=start)
                headers["content-type"], headers["content-length"] = HTML, str(len(body))
                await send(start)
                await send({**message, "body": body})
            else:
                await send(message)

        await self._app(scope, receive, readable)
