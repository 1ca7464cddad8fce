"""The routes of puzzles: the library and posted ones, their counts, hints, tilings and formulas."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from satcal.encoding.export import format_named
from satcal.errors import TooLarge
from satcal.service import boards, models, work
from satcal.service.access import TOKEN, holds_token
from satcal.service.answers import CountsAnswer, HintAnswer, TilingsAnswer, select_counted
from satcal.service.context import PuzzleDep, ServiceDep, attachment_header, file_route, send_file

MAX_ANSWER_ROWS = 400
"""Limit on the rows of an answer; other requests wait while the server writes it."""
router = APIRouter()


@router.get("")
async def list_puzzles(service: ServiceDep) -> list[dict[str, Any]]:
    """List the puzzles of the library."""
    return [entry.summary for entry in service.boards.library()]


@router.post("", status_code=201)
async def post_puzzle(
    request: Request, service: ServiceDep, posted: models.Definition, response: Response
) -> dict[str, Any]:
    """Add your own puzzle, as the text of its file; all other routes then accept its name."""
    has_token = holds_token(request, await TOKEN(request))
    text = await service.workers.run(work.normalise, posted.definition, has_token, slow=True)
    name = boards.name_posted(posted.definition)
    await service.jobs.add_puzzle(name, text, has_token)
    response.headers["Location"] = f"/api/v1/puzzles/{name}"
    return service.boards.find(name).summary


@router.get("/{puzzle}")
async def get_puzzle(context: PuzzleDep) -> dict[str, Any]:
    """Describe a puzzle: its title, its source, its digest and its size."""
    return context.entry.summary


@router.get("/{puzzle}/definition", **file_route("application/toml"))
async def get_definition(context: PuzzleDep) -> Response:
    """Return the TOML text that defines a puzzle: its board, its labels and its pieces."""
    return Response(context.entry.board.text, media_type="application/toml")


@router.get("/{puzzle}/board.svg", **file_route("image/svg+xml"))
async def get_board(request: Request, context: PuzzleDep) -> Response:
    """Draw the empty board and its pieces."""
    return send_file(request, await context.get_file(work.draw_board), "image/svg+xml")


@router.get("/{puzzle}/counts.csv", **file_route("text/csv"))
async def get_all_counts(request: Request, context: PuzzleDep) -> Response:
    """Count the tilings of all reveals."""
    return send_file(request, await context.get_file(work.count_all_as_csv), "text/csv")


@router.get("/{puzzle}/counts")
async def get_counts(
    context: PuzzleDep, query: Annotated[models.CountsQuery, Query()]
) -> CountsAnswer:
    """Count the tilings of at most 400 dates or reveals."""
    entry, selection = context.entry, context.select(query)
    if len(selection.rows) > MAX_ANSWER_ROWS:
        raise TooLarge(
            f"{len(selection.rows):,} rows, more than the {MAX_ANSWER_ROWS} of an answer; ask for "
            "fewer, for all reveals as counts.csv, or post a job"
        )
    counts = {} if selection.place else work.load_shipped_counts(entry.board)
    if not counts:
        counts = await context.run(work.count, tuple(selection.reveals), selection.place)
    counted = select_counted(selection.rows, counts)
    return CountsAnswer(entry.board.name, sum(row.tilings for row in counted), counted)


@router.get("/{puzzle}/hint")
async def get_hint(context: PuzzleDep, query: Annotated[models.Position, Query()]) -> HintAnswer:
    """Help with a partly filled board: where to start and what to place, or what to take back."""
    return await context.run_at(query, work.give_hint)


@router.get("/{puzzle}/tilings")
async def get_tilings(
    context: PuzzleDep, query: Annotated[models.TilingsQuery, Query()]
) -> TilingsAnswer:
    """List the tilings of a date or reveal that contain the given placements."""
    return await context.run_at(query, work.list_tilings, query.offset, query.limit)


@router.get("/{puzzle}/export", **file_route("text/plain"))
async def get_export(
    request: Request, context: PuzzleDep, query: Annotated[models.ExportQuery, Query()]
) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    selection = context.select(query)
    reveal = None if query.open else selection.row.reveal
    options = reveal, selection.place, query.format, query.encoding
    formula = await context.get_file(work.export_formula, *options)
    labels = ["open"] if reveal is None else reveal
    name = "-".join([context.entry.board.name, *labels]) + format_named(query.format).suffix
    return send_file(request, formula, "text/plain", attachment_header(name))
