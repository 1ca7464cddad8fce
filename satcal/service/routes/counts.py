"""The routes of counts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from satcal.errors import TooLarge
from satcal.service.answers import CountsAnswer, RemainingAnswer
from satcal.service.context import CSV, PositionParameters, PuzzleDep, send_file
from satcal.service.models import CountsQuery
from satcal.service.work.counts import (
    count,
    count_all_as_csv,
    count_remaining,
    format_csv,
    select_counted,
)
from satcal.service.work.diagrams import load_shipped_counts

MAX_ANSWER_ROWS = 400
"""Limit on the rows of an answer; other requests wait while the server writes it."""
router = APIRouter()


@router.get(
    "/{puzzle}/counts",
    response_model=CountsAnswer,
    responses={200: {"content": {"text/csv": {}}}},
)
async def get_counts(
    request: Request, context: PuzzleDep, query: Annotated[CountsQuery, Query()]
) -> CountsAnswer | Response:
    """Count the tilings of at most 400 dates or reveals, or of all reveals as CSV."""
    entry, selection = context.entry, context.select(query)
    if query.format == "csv" and query.all_reveals:
        return send_file(request, await context.get_file(count_all_as_csv), CSV)
    rows = selection.rows
    if len(rows) > MAX_ANSWER_ROWS:
        raise TooLarge(
            f"{len(rows):,} rows, more than the {MAX_ANSWER_ROWS} of an answer; ask for fewer, for "
            "all_reveals with format=csv, or post a job"
        )
    counts = load_shipped_counts(entry.board)
    if not counts:
        counts = await context.run(count, tuple(selection.reveals), ())
    if query.format == "csv":
        return Response(format_csv(entry.puzzle, rows, counts), media_type=CSV)
    counted = select_counted(rows, counts)
    return CountsAnswer(entry.board.name, sum(row.tilings for row in counted), counted)


@router.get("/{puzzle}/remaining")
async def get_remaining(context: PuzzleDep, query: PositionParameters) -> RemainingAnswer:
    """Count the tilings that contain the given placements."""
    selection, counts = context.select(query), load_shipped_counts(context.entry.board)
    reveal = selection.row.reveal
    if not selection.place and reveal in counts:
        return RemainingAnswer(reveal, [], counts[reveal])
    return await context.run(count_remaining, reveal, selection.place)
