"""Exports: a puzzle's tilings as a text for somebody else's solver."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from satcal.encoding import encoding as known_encoding
from satcal.encoding.formats import format_named
from satcal.errors import OptionError
from satcal.service.core import Named, Running, send, unchanged
from satcal.service.diagrams import etag
from satcal.service.questions import One
from satcal.service.security import caller_of

router = APIRouter(tags=["exports"])
SECONDS = 60.0


@router.get(
    "/puzzles/{puzzle}/export",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
async def get_export(
    request: Request,
    service: Running,
    entry: Named,
    question: One,
    style: Annotated[Literal["dimacs", "opb", "dlx", "asp"], Query(alias="format")] = "dimacs",
    encoding: Annotated[str | None, Query(max_length=40)] = None,
    whole: Annotated[bool, Query(alias="open", description="all reveals at once")] = False,
) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    if encoding is not None:
        known_encoding(encoding)
    if whole and request.query_params.keys() & {"date", "reveal"}:
        raise OptionError("open holds all reveals; leave out date and reveal")
    reveal = None if whole else list(question.row.reveal)
    asked: dict[str, Any] = {
        "kind": "export", "format": style, "encoding": encoding, "reveal": reveal,
        "place": question.place,
    }  # fmt: skip
    tag = etag(entry, asked)
    known = unchanged(request, tag)
    if known is not None:
        return known
    client = caller_of(request).client
    data = await service.at_once.run({**asked, **entry.described()}, SECONDS, client)
    stem = "-".join([entry.id, *(reveal if reveal is not None else ["open"])])
    plain = "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in stem)
    return send(request, data, "text/plain; charset=utf-8", tag, plain + format_named(style).suffix)
