"""Counts of dates and reveals, by the diagram: all at once, and of a partly filled board."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from satcal.service.core import Named, Running, send, unchanged
from satcal.service.diagrams import etag
from satcal.service.models import CountsModel, HintModel, Remaining
from satcal.service.questions import One, Wanted

router = APIRouter(tags=["counts"])


@router.get(
    "/puzzles/{puzzle}/counts",
    response_model=CountsModel,
    responses={200: {"content": {"text/csv": {}}}},
)
async def get_counts(
    request: Request,
    service: Running,
    entry: Named,
    wanted: Wanted,
    style: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Count the tilings of a date, a month, a year, a range, or of all dates or reveals."""
    question = {
        "ask": "counts", "puzzle": entry.id, "format": style, "range": vars(wanted)
    }  # fmt: skip
    known = unchanged(request, etag(entry, question))
    if known is not None:
        return known
    answer = await service.diagrams.ask(entry, question)
    if style == "csv":
        text = json.loads(answer.body).encode()
        return send(request, text, "text/csv; charset=utf-8", answer.etag)
    return send(request, answer.body, "application/json", answer.etag)


@router.get("/puzzles/{puzzle}/remaining", response_model=Remaining)
async def get_remaining(question: One) -> Response:
    """Count the tilings that contain what is placed already."""
    return await question.answered(question.asking("remaining"))


@router.get("/puzzles/{puzzle}/hint", response_model=HintModel)
async def get_hint(question: One) -> Response:
    """Help with a partly filled board: the piece with the fewest places, and a next placement."""
    return await question.answered(question.asking("hint"))
