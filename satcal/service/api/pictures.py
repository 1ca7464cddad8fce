"""Pictures of boards, pieces and tilings, as SVG or PNG."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from satcal.errors import NoTiling
from satcal.service.core import Named, Running, Service, send, unchanged
from satcal.service.diagrams import etag
from satcal.service.pictures import draw
from satcal.service.puzzles import Entry
from satcal.service.questions import One
from satcal.service.security import caller_of

router = APIRouter(tags=["pictures"])
MEDIA = {"svg": "image/svg+xml", "png": "image/png"}
SECONDS = 20.0
Style = Annotated[Literal["svg", "png"], Path(description="svg or png")]
Theme = Annotated[Literal["dark", "light", "print"], Query()]
Size = Annotated[int, Query(ge=16, le=2400, description="the longer side of a PNG in pixels")]
_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {}, "image/png": {}}}
}


@router.get("/puzzles/{puzzle}/board.{style}", response_class=Response, responses=_CONTENT)
async def get_board(
    request: Request, service: Running, entry: Named, style: Style, theme: Theme = "light",
    size: Size = 1200,
) -> Response:  # fmt: skip
    """Draw the empty board."""
    return await _picture(request, service, entry, style, _asked("board", theme, size))


@router.get("/puzzles/{puzzle}/pieces.{style}", response_class=Response, responses=_CONTENT)
async def get_pieces(
    request: Request, service: Running, entry: Named, style: Style, theme: Theme = "light",
    size: Size = 1200,
) -> Response:  # fmt: skip
    """Draw the piece set in all orientations."""
    return await _picture(request, service, entry, style, _asked("pieces", theme, size))


@router.get("/puzzles/{puzzle}/tiling.{style}", response_class=Response, responses=_CONTENT)
async def get_tiling_picture(
    request: Request, service: Running, entry: Named, question: One, style: Style,
    rank: Annotated[int, Query(ge=0, le=2**62)] = 0, theme: Theme = "light", size: Size = 1200,
) -> Response:  # fmt: skip
    """Draw a tiling of a date or reveal."""
    answer = await service.diagrams.ask(entry, question.asking("tilings", offset=rank, limit=1))
    found = json.loads(answer.body)["items"]
    if not found:
        raise NoTiling(f"there is no tiling of rank {rank}; the first has rank 0")
    asked = _asked("tiling", theme, size)
    asked |= {"reveal": list(question.row.reveal), "placements": found[0]["placements"]}
    return await _picture(request, service, entry, style, asked)


def _asked(what: str, theme: str, size: int) -> dict[str, Any]:
    return {"kind": "picture", "what": what, "theme": theme, "size": size}


async def _picture(
    request: Request, service: Service, entry: Entry, style: str, asked: dict[str, Any]
) -> Response:
    tag = etag(entry, [style, asked])
    known = unchanged(request, tag)
    if known is not None:
        return known
    if style == "svg":
        return send(request, draw(entry.puzzle, asked).svg().encode(), MEDIA[style], tag)
    client = caller_of(request).client
    data = await service.at_once.run({**asked, **entry.described()}, SECONDS, client)
    return send(request, data, MEDIA[style], tag)
