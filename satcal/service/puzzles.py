"""The routes of a puzzle: its counts, tilings, pictures and formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from satcal.encoding.export import format_named
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.model import Placement, Reveal
from satcal.service import boards, work
from satcal.service.access import TOKEN, admit, check_json, holds_token
from satcal.service.answers import CSV, Named, Service, Serving, send, sends
from satcal.service.boards import Known
from satcal.service.models import (
    MAX_RANK,
    Counts,
    CountsAnswer,
    Definition,
    Draw,
    Export,
    HintAnswer,
    Page,
    PictureQuery,
    Position,
    PuzzleAnswer,
    PuzzleSummary,
    RemainingAnswer,
    Style,
    TilingQuery,
    TilingsAnswer,
)

MAX_ANSWER = 400
"""Rows of an answer in JSON: more keep others waiting while they are made."""
router = APIRouter(prefix="/puzzles", dependencies=[Depends(admit)], tags=["puzzles"])
MEDIA = {"svg": "image/svg+xml", "png": "image/png"}


@router.get("", response_model=list[PuzzleSummary])
async def list_puzzles(service: Serving) -> list[dict[str, Any]]:
    """List the puzzles of the library."""
    return [known.summary() for known in service.boards.library()]


@router.post("", status_code=201, response_model=PuzzleAnswer, dependencies=[Depends(check_json)])
async def post_puzzle(
    request: Request, service: Serving, posted: Definition, response: Response
) -> dict[str, Any]:
    """Keep a puzzle of your own, as the text of its file; all other routes then work on it."""
    small = not holds_token(request, await TOKEN(request))
    text = await boards.read(service.workers, posted.definition, small)
    name = boards.posted_name(posted.definition)
    await service.jobs.keep_puzzle(name, text)
    response.headers["Location"] = f"/api/v1/puzzles/{name}"
    return service.boards.find(name).description


@router.get("/{puzzle}", response_model=PuzzleAnswer)
async def get_puzzle(request: Request, known: Named) -> Response:
    """Describe a puzzle: its board, its labels and its pieces."""
    return send(request, work.compact(known.description))


@router.get("/{puzzle}/definition", **sends("application/toml"))
async def get_definition(request: Request, known: Named) -> Response:
    """Return the TOML text that defines a puzzle."""
    return send(request, known.board.text.encode(), "application/toml")


@router.get("/{puzzle}/counts", response_model=CountsAnswer)
async def get_counts(
    request: Request, service: Serving, known: Named, asked: Annotated[Counts, Query()]
) -> Response:
    """Count the tilings of at most 400 dates or reveals, or of all reveals as CSV."""
    if asked.format == "csv" and asked.all_reveals:
        asked.check()
        body = await service.file(f"{known.name}.csv", work.counts_of_all, known.board)
        return send(request, body, CSV)
    rows = asked.rows(known.puzzle, service.today())
    if len(rows) > MAX_ANSWER:
        raise TooLarge(
            f"{len(rows):,} rows, and an answer has {MAX_ANSWER}; ask for fewer, for all_reveals "
            "with format=csv, or post a job"
        )
    counts = known.counts
    if not counts:
        reveals = tuple(dict.fromkeys(row.reveal for row in rows))
        numbers = await service.workers.run(work.counts, known.board, reveals, ())
        counts = dict(zip(reveals, numbers, strict=True))
    if asked.format == "csv":
        return send(request, work.counts_csv(known.puzzle, rows, counts), CSV)
    listed = work.described_rows(rows, counts)
    total = sum(counts[row.reveal] for row in rows)
    return send(request, work.compact({"puzzle": known.name, "total": total, "rows": listed}))


async def answered(
    service: Service, known: Known, asked: Position, function: Callable[..., bytes], *more: Any
) -> bytes:
    """Return what a worker answers about a position."""
    reveal, place = position_of(service, known, asked)
    return await service.workers.run(function, known.board, reveal, place, *more)


def position_of(
    service: Service, known: Known, asked: Position
) -> tuple[Reveal, tuple[Placement, ...]]:
    """Return the reveal and the placements that are asked about."""
    reveal = asked.only_reveal(known.puzzle, service.today())
    return reveal, asked.placed(known.puzzle, reveal)


@router.get("/{puzzle}/remaining", response_model=RemainingAnswer)
async def get_remaining(
    request: Request, service: Serving, known: Named, asked: Annotated[Position, Query()]
) -> Response:
    """Count the tilings that contain what is placed already."""
    reveal, place = position_of(service, known, asked)
    if not place and reveal in known.counts:
        return send(request, work.position_json(reveal, place, known.counts[reveal]))
    return send(request, await service.workers.run(work.remaining, known.board, reveal, place))


@router.get("/{puzzle}/hint", response_model=HintAnswer)
async def get_hint(
    request: Request, service: Serving, known: Named, asked: Annotated[Position, Query()]
) -> Response:
    """Help with a partly filled board: the piece with the fewest places, and what to place next."""
    return send(request, await answered(service, known, asked, work.hint))


@router.get("/{puzzle}/tilings", response_model=TilingsAnswer)
async def get_tilings(
    request: Request, service: Serving, known: Named, asked: Annotated[Page, Query()]
) -> Response:
    """List tilings of a date or reveal that contain what is placed."""
    where = asked.offset, asked.limit
    return send(request, await answered(service, known, asked, work.tilings, *where))


@router.get("/{puzzle}/tilings/random", response_model=TilingsAnswer)
async def get_random_tiling(
    request: Request, service: Serving, known: Named, asked: Annotated[Draw, Query()]
) -> Response:
    """Draw a tiling at random, all equally likely."""
    return send(request, await answered(service, known, asked, work.random_tiling, asked.seed))


@router.get("/{puzzle}/tilings/{rank}", response_model=TilingsAnswer)
async def get_tiling(
    request: Request,
    service: Serving,
    known: Named,
    rank: Annotated[int, Path(ge=1, le=MAX_RANK)],
    asked: Annotated[Position, Query()],
) -> Response:
    """Return the tiling of a rank, from 1."""
    return send(request, await answered(service, known, asked, work.tiling, rank))


@router.get("/{puzzle}/board.{style}", **sends(*MEDIA.values()))
async def get_board(
    request: Request,
    service: Serving,
    known: Named,
    style: Style,
    asked: Annotated[PictureQuery, Query()],
) -> Response:
    """Draw the empty board and its pieces."""
    how = style, asked.theme, asked.size
    drawn = await service.workers.run(work.picture, known.board, *how)
    return send(request, drawn, MEDIA[style])


@router.get("/{puzzle}/tiling.{style}", **sends(*MEDIA.values()))
async def get_tiling_picture(
    request: Request,
    service: Serving,
    known: Named,
    style: Style,
    asked: Annotated[TilingQuery, Query()],
) -> Response:
    """Draw the tiling of a rank, from 1."""
    how = asked.rank, style, asked.theme, asked.size
    return send(
        request, await answered(service, known, asked, work.tiling_picture, *how), MEDIA[style]
    )


@router.get("/{puzzle}/export", **sends("text/plain"))
async def get_export(
    request: Request, service: Serving, known: Named, asked: Annotated[Export, Query()]
) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    if asked.open and not (asked.date is None and asked.reveal is None):
        raise OptionError("open holds all reveals; leave out date and reveal")
    reveal, place = None, asked.placed(known.puzzle, ()) if asked.open else ()
    if not asked.open:
        reveal, place = position_of(service, known, asked)
    how = asked.format, asked.encoding
    text = await service.workers.run(work.export, known.board, reveal, place, *how)
    labels = ["open"] if reveal is None else reveal
    name = "-".join([known.name, *labels]) + format_named(asked.format).suffix
    return send(request, text, "text/plain; charset=utf-8", name)
