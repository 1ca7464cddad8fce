"""The routes of a puzzle: its counts, tilings, pictures and formulas."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from satcal.encoding.export import format_named
from satcal.errors import OptionError, TooLarge
from satcal.service import boards, models, work
from satcal.service.access import TOKEN, admit, holds_token, require_content_type
from satcal.service.answers import (
    CountsAnswer,
    HintAnswer,
    PuzzleAnswer,
    PuzzleSummary,
    RemainingAnswer,
    TilingsAnswer,
)
from satcal.service.context import (
    CSV,
    JSON,
    PuzzleDep,
    ServiceDep,
    attachment_header,
    file_route,
    send_file,
)

MAX_ANSWER_ROWS = 400
"""Limit on the rows of an answer; other requests wait while the server writes it."""
MEDIA_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
router = APIRouter(prefix="/puzzles", dependencies=[Depends(admit)], tags=["puzzles"])
PositionParameters = Annotated[models.PositionQuery, Query()]


@router.get("")
async def list_puzzles(service: ServiceDep) -> list[PuzzleSummary]:
    """List the puzzles of the library."""
    return [entry.summary() for entry in service.boards.library()]


@router.post("", status_code=201, dependencies=[require_content_type(JSON)])
async def post_puzzle(
    request: Request, service: ServiceDep, posted: models.Definition, response: Response
) -> PuzzleAnswer:
    """Add your own puzzle, as the text of its file; all other routes then accept its name."""
    has_token = holds_token(request, await TOKEN(request))
    text = await service.workers.run(work.normalise, posted.definition, has_token, slow=True)
    name = boards.name_posted(posted.definition)
    await service.jobs.add_puzzle(name, text, has_token)
    response.headers["Location"] = f"/api/v1/puzzles/{name}"
    return service.boards.find(name).description


@router.get("/{puzzle}")
async def get_puzzle(context: PuzzleDep) -> PuzzleAnswer:
    """Describe a puzzle: its board, its labels and its pieces."""
    return context.entry.description


@router.get("/{puzzle}/definition", **file_route("application/toml"))
async def get_definition(context: PuzzleDep) -> Response:
    """Return the TOML text that defines a puzzle."""
    return Response(context.entry.board.text, media_type="application/toml")


@router.get(
    "/{puzzle}/counts",
    response_model=CountsAnswer,
    responses={200: {"content": {"text/csv": {}}}},
)
async def get_counts(
    request: Request, context: PuzzleDep, query: Annotated[models.CountsQuery, Query()]
) -> CountsAnswer | Response:
    """Count the tilings of at most 400 dates or reveals, or of all reveals as CSV."""
    entry = context.entry
    if query.format == "csv" and query.all_reveals:
        query.check()
        return send_file(request, await context.get_file(work.count_all_as_csv), CSV)
    rows = query.parse_rows(entry.puzzle, context.service.today())
    if len(rows) > MAX_ANSWER_ROWS:
        raise TooLarge(
            f"{len(rows):,} rows, more than the {MAX_ANSWER_ROWS} of an answer; ask for fewer, for "
            "all_reveals with format=csv, or post a job"
        )
    counts = entry.counts
    if not counts:
        reveals = tuple(dict.fromkeys(row.reveal for row in rows))
        counts = dict(zip(reveals, await context.run(work.count, reveals, ()), strict=True))
    if query.format == "csv":
        return Response(work.format_csv(entry.puzzle, rows, counts), media_type=CSV)
    counted = work.select_counted(rows, counts)
    return CountsAnswer(entry.board.name, sum(row.tilings for row in counted), counted)


@router.get("/{puzzle}/remaining")
async def get_remaining(context: PuzzleDep, query: PositionParameters) -> RemainingAnswer:
    """Count the tilings that contain the given placements."""
    reveal, placements = context.parse_position(query)
    if not placements and reveal in context.entry.counts:
        return RemainingAnswer(reveal, [], context.entry.counts[reveal])
    return await context.run(work.count_remaining, reveal, placements)


@router.get("/{puzzle}/hint")
async def get_hint(context: PuzzleDep, query: PositionParameters) -> HintAnswer:
    """Help with a partly filled board: where to start and what to place, or what to take back."""
    return await context.run_at(query, work.give_hint)


@router.get("/{puzzle}/tilings")
async def get_tilings(
    context: PuzzleDep, query: Annotated[models.PageQuery, Query()]
) -> TilingsAnswer:
    """List the tilings of a date or reveal that contain the given placements."""
    return await context.run_at(query, work.list_tilings, query.offset, query.limit)


@router.get("/{puzzle}/tilings/random")
async def get_random_tiling(
    context: PuzzleDep, query: Annotated[models.SampleQuery, Query()]
) -> TilingsAnswer:
    """Return a uniformly random tiling."""
    return await context.run_at(query, work.sample_tiling, query.seed)


@router.get("/{puzzle}/tilings/{rank}")
async def get_tiling(
    context: PuzzleDep,
    rank: Annotated[int, Path(ge=1, le=models.MAX_RANK)],
    query: PositionParameters,
) -> TilingsAnswer:
    """Return the tiling with a rank, from 1."""
    return await context.run_at(query, work.find_tiling, rank)


@router.get("/{puzzle}/board.{style}", **file_route(*MEDIA_TYPES.values()))
async def get_board(
    context: PuzzleDep, style: models.PictureFormat, query: Annotated[models.PictureQuery, Query()]
) -> Response:
    """Draw the empty board and its pieces."""
    board, options = context.entry.board, (style, query.theme, query.size)
    # not context.run(), because the picture needs no diagram
    picture = await context.service.workers.run(work.draw_board, board, *options, slow=board.posted)
    return Response(picture, media_type=MEDIA_TYPES[style])


@router.get("/{puzzle}/tiling.{style}", **file_route(*MEDIA_TYPES.values()))
async def get_tiling_picture(
    context: PuzzleDep, style: models.PictureFormat, query: Annotated[models.TilingPicture, Query()]
) -> Response:
    """Draw the tiling with a rank, from 1."""
    options = query.rank, style, query.theme, query.size
    picture = await context.run_at(query, work.draw_tiling, *options)
    return Response(picture, media_type=MEDIA_TYPES[style])


@router.get("/{puzzle}/export", **file_route("text/plain"))
async def get_export(
    request: Request, context: PuzzleDep, query: Annotated[models.ExportQuery, Query()]
) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    entry, reveal = context.entry, None
    if not query.open:
        reveal, placements = context.parse_position(query)
    elif query.date is None and query.reveal is None:
        placements = models.parse_placements(entry.puzzle, query.place, ())
    else:
        raise OptionError("open is the formula of all reveals; leave out date and reveal")
    options = reveal, placements, query.format, query.encoding
    formula = await context.get_file(work.export_formula, *options)
    labels = ["open"] if reveal is None else reveal
    name = "-".join([entry.board.name, *labels]) + format_named(query.format).suffix
    return send_file(request, formula, "text/plain", attachment_header(name))
