"""Files of a puzzle: pictures as SVG or PNG, and formulas for somebody else's solver."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from satcal.encoding import encoding as known_encoding
from satcal.encoding.export import format_named
from satcal.errors import OptionError
from satcal.service import tasks
from satcal.service.answers import Page
from satcal.service.diagrams import etag
from satcal.service.puzzles import Entry
from satcal.service.routing import Named, One, Running, send, service_of, unchanged
from satcal.service.security import caller_of
from satcal.service.tasks import Drawing

pictures = APIRouter(prefix="/puzzles/{puzzle}", tags=["pictures"])
exports = APIRouter(prefix="/puzzles/{puzzle}", tags=["exports"])
PICTURE_SECONDS, EXPORT_SECONDS = 20.0, 60.0
Style = Annotated[Literal["svg", "png"], Path(description="svg or png")]
Theme = Annotated[Literal["dark", "light", "print"], Query()]
Size = Annotated[int, Query(ge=16, le=2400, description="the longer side of a PNG in pixels")]
_DRAWN: dict[str, Any] = {
    "response_class": Response,
    "responses": {200: {"content": {"image/svg+xml": {}, "image/png": {}}}},
}


@pictures.get("/board.{style}", **_DRAWN)
async def get_board(
    request: Request, entry: Named, style: Style, theme: Theme = "light", size: Size = 1200
) -> Response:
    """Draw the empty board."""
    return await _picture(request, entry, style, Drawing("board", theme), size)


@pictures.get("/pieces.{style}", **_DRAWN)
async def get_pieces(
    request: Request, entry: Named, style: Style, theme: Theme = "light", size: Size = 1200
) -> Response:
    """Draw the piece set in all orientations."""
    return await _picture(request, entry, style, Drawing("pieces", theme), size)


@pictures.get("/tiling.{style}", **_DRAWN)
async def get_tiling_picture(
    request: Request, service: Running, entry: Named, asked: One, style: Style,
    rank: Annotated[int, Query(ge=0, le=2**62)] = 0, theme: Theme = "light", size: Size = 1200,
) -> Response:  # fmt: skip
    """Draw a tiling of a date or reveal."""
    reveal = asked.row.reveal
    answer = await service.diagrams.ask(entry, Page(reveal, asked.place, rank, rank=True))
    (tiling,) = json.loads(answer.body)["items"]
    drawing = Drawing("tiling", theme, reveal, tuple(tiling["placements"]))
    return await _picture(request, entry, style, drawing, size)


async def _picture(
    request: Request, entry: Entry, style: str, drawing: Drawing, size: int
) -> Response:
    tag = etag(entry, (style, drawing, size))
    known = unchanged(request, tag)
    if known is not None:
        return known
    if style == "svg":
        return send(request, drawing.of(entry.puzzle).svg().encode(), "image/svg+xml", tag)
    client, at_once = caller_of(request).client, service_of(request).at_once
    png = await at_once.run(
        "picture", PICTURE_SECONDS, client, tasks.png, entry.puzzle, drawing, size
    )
    return send(request, png, "image/png", tag)


@exports.get("/export", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def get_export(
    request: Request, service: Running, entry: Named, asked: One,
    style: Annotated[Literal["dimacs", "opb", "dlx", "asp"], Query(alias="format")] = "dimacs",
    encoding: Annotated[str | None, Query(max_length=40)] = None,
    whole: Annotated[bool, Query(alias="open", description="all reveals at once")] = False,
) -> Response:  # fmt: skip
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    if encoding is not None:
        known_encoding(encoding)
    if whole and request.query_params.keys() & {"date", "reveal"}:
        raise OptionError("open holds all reveals; leave out date and reveal")
    reveal = None if whole else asked.row.reveal
    formula = (reveal, asked.place, style, encoding)
    tag = etag(entry, formula)
    known = unchanged(request, tag)
    if known is not None:
        return known
    text = await service.at_once.run(
        "export", EXPORT_SECONDS, caller_of(request).client, tasks.export, entry.puzzle, *formula
    )
    name = "-".join([entry.id, *(reveal if reveal is not None else ["open"])])
    suffix = format_named(style).suffix
    return send(request, text, "text/plain; charset=utf-8", tag, name + suffix)
