"""A puzzle and all that follows from it: counts, tilings, pictures, formulas."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from satcal.draw.theme import load_theme
from satcal.encoding import encoding as known_encoding
from satcal.encoding.formats import format_named
from satcal.errors import OptionError
from satcal.service import models, tasks
from satcal.service.answers import Drawn, Help, Page, Position, Table, dumps
from satcal.service.puzzles import Entry
from satcal.service.routing import JSON, Named, One, Running, Wanted, answered, constant, service_of
from satcal.service.security import caller_of
from satcal.service.tasks import Drawing

ONE = "/puzzles/{puzzle}"
puzzles = APIRouter(prefix="/puzzles", tags=["puzzles"])
counts = APIRouter(prefix=ONE, tags=["counts"])
tilings = APIRouter(prefix=ONE, tags=["tilings"])
pictures = APIRouter(prefix=ONE, tags=["pictures"])
exports = APIRouter(prefix=ONE, tags=["exports"])

MOST = 2**62  # ranks beyond are on no board that a person has
PICTURE_SECONDS, EXPORT_SECONDS = 20.0, 60.0
Style = Annotated[Literal["svg", "png"], Path(description="svg or png")]
Theme = Annotated[Literal["dark", "light", "print"], Query()]
Size = Annotated[int, Query(ge=16, le=2400, description="the longer side of a PNG in pixels")]


def sends(*media: str) -> dict[str, Any]:
    """Return how a route is described whose answer is a file."""
    return {"responses": {200: {"content": {each: {} for each in media}}}}


def summary(entry: Entry) -> dict[str, Any]:
    """Return what a list says of a puzzle."""
    puzzle = entry.puzzle
    return {
        "id": entry.id, "title": puzzle.title or puzzle.name, "source": puzzle.source,
        **tasks.sizes(puzzle), "dates": puzzle.calendar.parts is not None,
    }  # fmt: skip


def whole(entry: Entry) -> dict[str, Any]:
    """Return all of a puzzle."""
    puzzle = entry.puzzle
    colours = load_theme().piece_colours(puzzle)
    return summary(entry) | {
        "name": puzzle.name, "digest": puzzle.digest,
        "rows": puzzle.rows, "columns": puzzle.columns, "board": puzzle.cells,
        "labels": [
            {"text": label.text, "category": label.category, "cells": label.cells}
            for label in puzzle.labels.values()
        ],
        "categories": puzzle.categories,
        "piece_set": [
            {"name": piece.name, "copies": piece.copies, "flip": piece.flip,
             "colour": colours[piece.name], "orientations": piece.orientations}
            for piece in puzzle.pieces
        ],
        "placements": entry.placements,
    }  # fmt: skip


@puzzles.get("", response_model=list[models.PuzzleSummary])
async def list_puzzles(service: Running) -> list[dict[str, Any]]:
    """List the library."""
    return [summary(entry) for entry in service.shelf.library()]


@puzzles.post("", status_code=201, response_model=models.PuzzleModel)
async def post_puzzle(
    request: Request, service: Running, posted: models.Definition, response: Response
) -> dict[str, Any]:
    """Validate a puzzle of your own and keep it; everything else works on it as on the library."""
    caller, limits = caller_of(request), service.config.limits
    cells = limits.small if caller.owner is None else limits.cells
    entry = await service.shelf.post(posted.definition, caller.client, cells)
    response.headers["Location"] = f"/api/v1/puzzles/{entry.id}"
    return whole(entry)


@puzzles.get("/{puzzle}", response_model=models.PuzzleModel)
async def get_puzzle(request: Request, entry: Named) -> Response:
    """Describe a puzzle: its board, its labels and its pieces."""
    return await constant(request, entry, "puzzle", JSON, lambda: dumps(whole(entry)))


@puzzles.get("/{puzzle}/definition", response_class=Response, **sends("application/toml"))
async def get_definition(request: Request, service: Running, entry: Named) -> Response:
    """Return the TOML text that defines a puzzle."""
    return await constant(
        request, entry, "definition", "application/toml", lambda: service.shelf.definition(entry)
    )


@counts.get("/counts", response_model=models.CountsModel, **sends("text/csv"))
async def get_counts(
    request: Request,
    entry: Named,
    wanted: Wanted,
    style: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Count the tilings of a date, a month, a year, a range, or of all dates or reveals."""
    media = JSON if style == "json" else "text/csv; charset=utf-8"
    return await answered(request, entry, Table(entry.id, wanted, style == "csv"), media)


@counts.get("/remaining", response_model=models.Remaining)
async def get_remaining(asked: One) -> Response:
    """Count the tilings that contain what is placed already."""
    return await asked.answered(Position)


@counts.get("/hint", response_model=models.HintModel)
async def get_hint(asked: One) -> Response:
    """Help with a partly filled board: the piece with the fewest places, and a next placement."""
    return await asked.answered(Help)


@tilings.get("/tilings", response_model=models.TilingsModel)
async def get_tilings(
    asked: One,
    offset: Annotated[int, Query(ge=0, le=MOST)] = 0,
    limit: Annotated[int, Query(ge=0, le=200)] = 20,
) -> Response:
    """List tilings of a date or reveal, also only those that contain what is placed."""
    return await asked.answered(Page, offset=offset, limit=limit)


@tilings.get("/tilings/random", response_model=models.RandomModel)
async def get_random_tiling(asked: One, seed: Annotated[int, Query(ge=0, le=MOST)] = 0) -> Response:
    """Draw a tiling, all equally likely."""
    return await asked.answered(Drawn, seed=seed)


@tilings.get("/tilings/{rank}", response_model=models.TilingsModel)
async def get_tiling(asked: One, rank: Annotated[int, Path(ge=0, le=MOST)]) -> Response:
    """Return the tiling of a rank, from 0."""
    return await asked.answered(Page, offset=rank, rank=True)


DRAWN = {"response_class": Response, **sends("image/svg+xml", "image/png")}


@pictures.get("/board.{style}", **DRAWN)
async def get_board(
    request: Request, entry: Named, style: Style, theme: Theme = "light", size: Size = 1200
) -> Response:
    """Draw the empty board."""
    return await _picture(request, entry, style, Drawing("board", theme), size)


@pictures.get("/pieces.{style}", **DRAWN)
async def get_pieces(
    request: Request, entry: Named, style: Style, theme: Theme = "light", size: Size = 1200
) -> Response:
    """Draw the piece set in all orientations."""
    return await _picture(request, entry, style, Drawing("pieces", theme), size)


@pictures.get("/tiling.{style}", **DRAWN)
async def get_tiling_picture(
    request: Request, service: Running, entry: Named, asked: One, style: Style,
    rank: Annotated[int, Query(ge=0, le=MOST)] = 0, theme: Theme = "light", size: Size = 1200,
) -> Response:  # fmt: skip
    """Draw a tiling of a date or reveal."""
    page = await service.diagrams.ask(entry, Page(asked.reveal, asked.place, rank, rank=True))
    (tiling,) = json.loads(page)["items"]
    drawing = Drawing("tiling", theme, asked.reveal, tuple(tiling["placements"]))
    return await _picture(request, entry, style, drawing, size)


async def _picture(
    request: Request, entry: Entry, style: str, drawing: Drawing, size: int
) -> Response:
    service, client = service_of(request), caller_of(request).client

    def make() -> bytes | Awaitable[bytes]:
        if style == "svg":
            return drawing.of(entry.puzzle).svg().encode()
        return service.at_once.run(
            "picture", PICTURE_SECONDS, client, tasks.png, entry.puzzle, drawing, size
        )

    media = {"svg": "image/svg+xml", "png": "image/png"}[style]
    return await constant(request, entry, (style, drawing, size), media, make)


@exports.get("/export", response_class=Response, **sends("text/plain"))
async def get_export(
    request: Request, service: Running, entry: Named, asked: One,
    style: Annotated[Literal["dimacs", "opb", "dlx", "asp"], Query(alias="format")] = "dimacs",
    encoding: Annotated[str | None, Query(max_length=40)] = None,
    every: Annotated[bool, Query(alias="open", description="all reveals at once")] = False,
) -> Response:  # fmt: skip
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    if encoding is not None:
        known_encoding(encoding)
    if every and request.query_params.keys() & {"date", "reveal"}:
        raise OptionError("open holds all reveals; leave out date and reveal")
    formula = None if every else asked.reveal, asked.place, style, encoding
    client = caller_of(request).client
    return await constant(
        request, entry, formula, "text/plain; charset=utf-8",
        lambda: service.at_once.run(
            "export", EXPORT_SECONDS, client, tasks.export, entry.puzzle, *formula
        ),
        "-".join([entry.id, *(["open"] if every else asked.reveal)]) + format_named(style).suffix,
    )  # fmt: skip
