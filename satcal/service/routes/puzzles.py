"""The routes of puzzles: the library, posted ones, pictures of boards, and formulas."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from satcal.encoding.export import format_named
from satcal.service import boards, models
from satcal.service.access import TOKEN, holds_token, require_content_type
from satcal.service.context import (
    JSON,
    MEDIA_TYPES,
    PuzzleDep,
    ServiceDep,
    attachment_header,
    file_route,
    send_file,
)
from satcal.service.work.puzzles import draw_board, export_formula, normalise

router = APIRouter()


@router.get("")
async def list_puzzles(service: ServiceDep) -> list[dict[str, Any]]:
    """List the puzzles of the library."""
    return [entry.summary for entry in service.boards.library()]


@router.post("", status_code=201, dependencies=[require_content_type(JSON)])
async def post_puzzle(
    request: Request, service: ServiceDep, posted: models.Definition, response: Response
) -> dict[str, Any]:
    """Add your own puzzle, as the text of its file; all other routes then accept its name."""
    has_token = holds_token(request, await TOKEN(request))
    text = await service.workers.run(normalise, posted.definition, has_token, slow=True)
    name = boards.name_posted(posted.definition)
    await service.jobs.add_puzzle(name, text, has_token)
    response.headers["Location"] = f"/api/v1/puzzles/{name}"
    return service.boards.find(name).description


@router.get("/{puzzle}")
async def get_puzzle(context: PuzzleDep) -> dict[str, Any]:
    """Describe a puzzle: its board, its labels and its pieces."""
    return context.entry.description


@router.get("/{puzzle}/definition", **file_route("application/toml"))
async def get_definition(context: PuzzleDep) -> Response:
    """Return the TOML text that defines a puzzle."""
    return Response(context.entry.board.text, media_type="application/toml")


@router.get("/{puzzle}/board.{style}", **file_route(*MEDIA_TYPES.values()))
async def get_board(
    context: PuzzleDep, style: models.PictureFormat, query: Annotated[models.PictureQuery, Query()]
) -> Response:
    """Draw the empty board and its pieces."""
    board, options = context.entry.board, (style, query.theme, query.size)
    # not context.run(), because the picture needs no diagram
    picture = await context.service.workers.run(draw_board, board, *options, slow=board.posted)
    return Response(picture, media_type=MEDIA_TYPES[style])


@router.get("/{puzzle}/export", **file_route("text/plain"))
async def get_export(
    request: Request, context: PuzzleDep, query: Annotated[models.ExportQuery, Query()]
) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    selection = context.select(query)
    reveal = None if query.open else selection.row.reveal
    options = reveal, selection.place, query.format, query.encoding
    formula = await context.get_file(export_formula, *options)
    labels = ["open"] if reveal is None else reveal
    name = "-".join([context.entry.board.name, *labels]) + format_named(query.format).suffix
    return send_file(request, formula, "text/plain", attachment_header(name))
