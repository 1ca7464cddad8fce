"""The routes of a puzzle: its counts, tilings, pictures and formulas."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from satcal.encoding.export import format_named
from satcal.errors import OptionError, TooLarge
from satcal.service import boards, models, work
from satcal.service.access import TOKEN, admit, expect, holds_token
from satcal.service.answers import (
    CountsAnswer,
    HintAnswer,
    PuzzleAnswer,
    PuzzleSummary,
    RemainingAnswer,
    TilingsAnswer,
)
from satcal.service.context import CSV, JSON, Asked, Serving, attachment, sends

MAX_ANSWER = 400
"""Rows of an answer in JSON: more keep others waiting while they are made."""
MEDIA = {"svg": "image/svg+xml", "png": "image/png"}
router = APIRouter(prefix="/puzzles", dependencies=[Depends(admit)], tags=["puzzles"])
PositionParameters = Annotated[models.PositionQuery, Query()]


@router.get("")
async def list_puzzles(service: Serving) -> list[PuzzleSummary]:
    """List the puzzles of the library."""
    return [known.summary() for known in service.boards.library()]


@router.post("", status_code=201, dependencies=[expect(JSON)])
async def post_puzzle(
    request: Request, service: Serving, posted: models.Definition, response: Response
) -> PuzzleAnswer:
    """Keep a puzzle of your own, as the text of its file; all other routes then work on it."""
    small = not holds_token(request, await TOKEN(request))
    text = await boards.read(service.workers, posted.definition, small)
    name = boards.posted_name(posted.definition)
    await service.jobs.keep_puzzle(name, text)
    response.headers["Location"] = f"/api/v1/puzzles/{name}"
    return service.boards.find(name).description


@router.get("/{puzzle}")
async def get_puzzle(puzzle: Asked) -> PuzzleAnswer:
    """Describe a puzzle: its board, its labels and its pieces."""
    return puzzle.known.description


@router.get("/{puzzle}/definition", **sends("application/toml"))
async def get_definition(puzzle: Asked) -> Response:
    """Return the TOML text that defines a puzzle."""
    return Response(puzzle.known.board.text, media_type="application/toml")


@router.get(
    "/{puzzle}/counts",
    response_model=CountsAnswer,
    responses={200: {"content": {"text/csv": {}}}},
)
async def get_counts(
    puzzle: Asked, asked: Annotated[models.CountsQuery, Query()]
) -> CountsAnswer | Response:
    """Count the tilings of at most 400 dates or reveals, or of all reveals as CSV."""
    known = puzzle.known
    if asked.format == "csv" and asked.all_reveals:
        asked.check()
        body = await puzzle.file(f"{known.name}.csv", work.counts_of_all)
        return Response(body, media_type=CSV)
    rows = asked.rows(known.puzzle, puzzle.service.today())
    if len(rows) > MAX_ANSWER:
        raise TooLarge(
            f"{len(rows):,} rows, and an answer has {MAX_ANSWER}; ask for fewer, for all_reveals "
            "with format=csv, or post a job"
        )
    counts = known.counts
    if not counts:
        reveals = tuple(dict.fromkeys(row.reveal for row in rows))
        counts = dict(zip(reveals, await puzzle.run(work.counts, reveals, ()), strict=True))
    if asked.format == "csv":
        return Response(work.counts_csv(known.puzzle, rows, counts), media_type=CSV)
    counted = work.counted_rows(rows, counts)
    return CountsAnswer(known.name, sum(row.tilings for row in counted), counted)


@router.get("/{puzzle}/remaining")
async def get_remaining(puzzle: Asked, asked: PositionParameters) -> RemainingAnswer:
    """Count the tilings that contain what is placed already."""
    reveal, place = puzzle.position(asked)
    if not place and reveal in puzzle.known.counts:
        return RemainingAnswer(reveal, [], puzzle.known.counts[reveal])
    return await puzzle.run(work.remaining, reveal, place)


@router.get("/{puzzle}/hint")
async def get_hint(puzzle: Asked, asked: PositionParameters) -> HintAnswer:
    """Help with a partly filled board: the piece with the fewest places, and what to place next."""
    return await puzzle.answer(asked, work.hint)


@router.get("/{puzzle}/tilings")
async def get_tilings(puzzle: Asked, asked: Annotated[models.PageQuery, Query()]) -> TilingsAnswer:
    """List tilings of a date or reveal that contain what is placed."""
    return await puzzle.answer(asked, work.tilings, asked.offset, asked.limit)


@router.get("/{puzzle}/tilings/random")
async def get_random_tiling(
    puzzle: Asked, asked: Annotated[models.DrawQuery, Query()]
) -> TilingsAnswer:
    """Draw a tiling at random, all equally likely."""
    return await puzzle.answer(asked, work.random_tiling, asked.seed)


@router.get("/{puzzle}/tilings/{rank}")
async def get_tiling(
    puzzle: Asked, rank: Annotated[int, Path(ge=1, le=models.MAX_RANK)], asked: PositionParameters
) -> TilingsAnswer:
    """Return the tiling of a rank, from 1."""
    return await puzzle.answer(asked, work.tiling, rank)


@router.get("/{puzzle}/board.{style}", **sends(*MEDIA.values()))
async def get_board(
    puzzle: Asked, style: models.Style, asked: Annotated[models.PictureQuery, Query()]
) -> Response:
    """Draw the empty board and its pieces."""
    drawn = await puzzle.run(work.picture, style, asked.theme, asked.size)
    return Response(drawn, media_type=MEDIA[style])


@router.get("/{puzzle}/tiling.{style}", **sends(*MEDIA.values()))
async def get_tiling_picture(
    puzzle: Asked, style: models.Style, asked: Annotated[models.TilingQuery, Query()]
) -> Response:
    """Draw the tiling of a rank, from 1."""
    how = asked.rank, style, asked.theme, asked.size
    return Response(await puzzle.answer(asked, work.tiling_picture, *how), media_type=MEDIA[style])


@router.get("/{puzzle}/export", **sends("text/plain"))
async def get_export(puzzle: Asked, asked: Annotated[models.ExportQuery, Query()]) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    known, reveal = puzzle.known, None
    if not asked.open:
        reveal, place = puzzle.position(asked)
    elif asked.date is None and asked.reveal is None:
        place = models.placements_in(known.puzzle, asked.place, ())
    else:
        raise OptionError("open holds all reveals; leave out date and reveal")
    text = await puzzle.run(work.export, reveal, place, asked.format, asked.encoding)
    labels = ["open"] if reveal is None else reveal
    name = "-".join([known.name, *labels]) + format_named(asked.format).suffix
    return Response(text, headers=attachment(name), media_type="text/plain")
