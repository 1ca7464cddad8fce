"""Counts of dates and reveals, by the diagram: all at once, and of a partly filled board."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from satcal.service.core import Named, Running, send, send_json, unchanged
from satcal.service.diagrams import etag
from satcal.service.models import CountsModel, HintModel, Remaining
from satcal.service.questions import One, Rows

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
    rows: Rows,
    style: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Count the tilings of a date, a month, a year, a range, or of all dates or reveals."""
    question = ["counts", style, [[str(row.date), row.reveal] for row in rows]]
    known = unchanged(request, etag(entry, question))
    if known is not None:
        return known
    table = await service.diagrams.counts(entry)
    if style == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["date", *entry.puzzle.categories, "tilings", "methods"])
        for row in rows:
            writer.writerow([row.date or "", *row.reveal, table[row.reveal], "diagram"])
        tag = etag(entry, question)
        return send(request, text.getvalue().encode(), "text/csv; charset=utf-8", tag)
    found = [
        {"date": row.date and row.date.isoformat(), "reveal": row.reveal,
         "tilings": table[row.reveal]}
        for row in rows
    ]  # fmt: skip
    total = sum(table[row.reveal] for row in rows)
    return send_json(request, entry, question, {"puzzle": entry.id, "total": total, "rows": found})


@router.get("/puzzles/{puzzle}/remaining", response_model=Remaining)
async def get_remaining(question: One) -> Response:
    """Count the tilings that contain what is placed already."""
    return await question.answered(question.asking("remaining"))


@router.get("/puzzles/{puzzle}/hint", response_model=HintModel)
async def get_hint(question: One) -> Response:
    """Help with a partly filled board: the piece with the fewest places, and a next placement."""
    return await question.answered(question.asking("hint"))
