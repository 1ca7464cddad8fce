"""A puzzle and all that follows from it: counts, tilings, pictures, formulas."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from satcal.draw.theme import load_theme
from satcal.encoding import encoding as known_encoding
from satcal.encoding.export import format_named
from satcal.errors import OptionError, did_you_mean, shown
from satcal.service import tasks
from satcal.service.answers import (
    Counts,
    DrawnTiling,
    Help,
    Hinted,
    Page,
    PageOfTilings,
    Position,
    Random,
    Remaining,
    TableAsked,
)
from satcal.service.puzzles import ShelfEntry
from satcal.service.routing import JSON, PICTURE_SECONDS, About, Named, One, Running, Wanted
from satcal.service.security import caller_of
from satcal.site.edition import compact

ONE = "/puzzles/{puzzle}"
puzzles = APIRouter(prefix="/puzzles", tags=["puzzles"])
counts = APIRouter(prefix=ONE, tags=["counts"])
tilings = APIRouter(prefix=ONE, tags=["tilings"])
pictures = APIRouter(prefix=ONE, tags=["pictures"])
exports = APIRouter(prefix=ONE, tags=["exports"])

MOST = 2**62  # ranks beyond are on no board that a person has
EXPORT_SECONDS = 60.0
Style = Annotated[Literal["svg", "png"], Path(description="svg or png")]
Theme = Annotated[Literal["dark", "light", "print"], Query()]
Size = Annotated[int, Query(ge=16, le=2400, description="the longer side of a PNG in pixels")]


def sends(*media: str) -> dict[str, Any]:
    """The description of a route whose answer is a file."""
    return {"responses": {200: {"content": {kind: {} for kind in media}}}}


class PieceModel(BaseModel):
    """A piece: its orientations as lists of [row, column]."""

    name: str
    copies: int
    flip: bool
    colour: str
    orientations: list[list[tuple[int, int]]]


class LabelModel(BaseModel):
    """A label and the cells that it stays uncovered on."""

    text: str
    category: str
    cells: list[tuple[int, int]]


class PuzzleSummary(BaseModel):
    """A puzzle in a list."""

    id: str
    title: str
    designer: str
    source: str
    cells: int
    pieces: int
    reveals: int
    dates: bool


class PuzzleModel(PuzzleSummary):
    """A puzzle: its board, its labels and its pieces."""

    name: str
    digest: str
    rows: int
    columns: int
    board: list[tuple[int, int]]
    labels: list[LabelModel]
    categories: dict[str, list[str]]
    piece_set: list[PieceModel]
    placements: int


class Sent(BaseModel):
    """What a client sends. Its first mistake is enough: a megabyte may hold a hundred thousand."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        for name in given if isinstance(given, dict) else ():
            if name not in cls.model_fields:
                raise PydanticCustomError(
                    "extra",
                    "there is no field {name}{near}",
                    {"name": shown(name), "near": did_you_mean(name, cls.model_fields)},
                )
        return given


class Definition(Sent):
    """A puzzle's definition: the TOML text of a puzzle file."""

    definition: str = Field(max_length=262_144)


def summary(entry: ShelfEntry) -> dict[str, Any]:
    """The entry of a puzzle in a list."""
    puzzle = entry.puzzle
    return {
        "id": entry.id,
        "title": puzzle.title or puzzle.name,
        "designer": puzzle.designer,
        "source": puzzle.source,
        **tasks.sizes(puzzle),
        "dates": puzzle.calendar.parts is not None,
    }


def full_description(entry: ShelfEntry) -> dict[str, Any]:
    """The full description of a puzzle."""
    puzzle = entry.puzzle
    colours = load_theme().piece_colours(puzzle)
    return summary(entry) | {
        "name": puzzle.name,
        "digest": puzzle.digest,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "board": puzzle.cells,
        "labels": list(map(asdict, puzzle.labels.values())),
        "categories": puzzle.categories,
        "piece_set": [
            {
                "name": piece.name,
                "copies": piece.copies,
                "flip": piece.flip,
                "colour": colours[piece.name],
                "orientations": piece.orientations,
            }
            for piece in puzzle.pieces
        ],
        "placements": entry.placements,
    }


@puzzles.get("", response_model=list[PuzzleSummary])
async def list_puzzles(service: Running) -> list[dict[str, Any]]:
    """List the library."""
    return [summary(entry) for entry in service.shelf.library()]


@puzzles.post("", status_code=201, response_model=PuzzleModel)
async def post_puzzle(
    request: Request, service: Running, posted: Definition, response: Response
) -> dict[str, Any]:
    """Validate a puzzle of your own and keep it; everything else works on it as on the library."""
    caller, limits = caller_of(request), service.config.limits
    cells = limits.small if caller.owner is None else limits.cells
    entry = await service.shelf.post(posted.definition, caller.client, cells)
    response.headers["Location"] = f"/api/v1/puzzles/{entry.id}"
    return full_description(entry)


@puzzles.get("/{puzzle}", response_model=PuzzleModel)
async def get_puzzle(about: Named) -> Response:
    """Describe a puzzle: its board, its labels and its pieces."""
    return await about.send("puzzle", JSON, lambda: compact(full_description(about.entry)))


@puzzles.get("/{puzzle}/definition", response_class=Response, **sends("application/toml"))
async def get_definition(about: Named) -> Response:
    """Return the TOML text that defines a puzzle."""
    make = partial(about.service.shelf.definition, about.entry)
    return await about.send("definition", "application/toml", make)


@counts.get("/counts", response_model=Counts, **sends("text/csv"))
async def get_counts(
    about: Named,
    wanted: Wanted,
    style: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Count the tilings of a date, a month, a year, a range, or of all dates or reveals."""
    media = JSON if style == "json" else "text/csv; charset=utf-8"
    return await about.answer(TableAsked(about.entry.id, wanted, style == "csv"), media)


@counts.get("/remaining", response_model=Remaining)
async def get_remaining(asked: One) -> Response:
    """Count the tilings that contain what is placed already."""
    return await asked.position(Position)


@counts.get("/hint", response_model=Hinted)
async def get_hint(asked: One) -> Response:
    """Help with a partly filled board: the piece with the fewest places, and a next placement."""
    return await asked.position(Help)


@tilings.get("/tilings", response_model=PageOfTilings)
async def get_tilings(
    asked: One,
    offset: Annotated[int, Query(ge=0, le=MOST)] = 0,
    limit: Annotated[int, Query(ge=0, le=200)] = 20,
) -> Response:
    """List tilings of a date or reveal, also only those that contain what is placed."""
    return await asked.position(Page, offset=offset, limit=limit)


@tilings.get("/tilings/random", response_model=Random)
async def get_random_tiling(asked: One, seed: Annotated[int, Query(ge=0, le=MOST)] = 0) -> Response:
    """Draw a tiling, all equally likely."""
    return await asked.position(DrawnTiling, seed=seed)


@tilings.get("/tilings/{rank}", response_model=PageOfTilings)
async def get_tiling(asked: One, rank: Annotated[int, Path(ge=0, le=MOST)]) -> Response:
    """Return the tiling of a rank, from 0."""
    return await asked.position(Page, offset=rank, rank=True)


DRAWN = {"response_class": Response, **sends("image/svg+xml", "image/png")}


@pictures.get("/board.{style}", **DRAWN)
async def get_board(
    about: Named, style: Style, theme: Theme = "light", size: Size = 1200
) -> Response:
    """Draw the empty board."""
    return await _picture(about, style, size, "board", theme)


@pictures.get("/pieces.{style}", **DRAWN)
async def get_pieces(
    about: Named, style: Style, theme: Theme = "light", size: Size = 1200
) -> Response:
    """Draw the piece set in all orientations."""
    return await _picture(about, style, size, "pieces", theme)


@pictures.get("/tiling.{style}", **DRAWN)
async def get_tiling_picture(
    asked: One,
    style: Style,
    rank: Annotated[int, Query(ge=0, le=MOST)] = 0,
    theme: Theme = "light",
    size: Size = 1200,
) -> Response:
    """Draw a tiling of a date or reveal."""
    page = Page(asked.reveal, asked.place, rank, rank=True)
    (tiling,) = json.loads(await asked.service.diagrams.ask(asked.entry, page))["items"]
    placements = tuple(tiling["placements"])
    return await _picture(asked, style, size, "tiling", theme, asked.reveal, placements)


async def _picture(about: About, style: str, size: int, *drawing: Any) -> Response:
    question = style, size, *drawing
    if style == "png":
        make = partial(about.at_once, "picture", PICTURE_SECONDS, tasks.picture, *question)
        return await about.send(question, "image/png", make)
    svg = partial(tasks.picture, about.entry.puzzle, *question)
    return await about.send(question, "image/svg+xml", svg)


@exports.get("/export", response_class=Response, **sends("text/plain"))
async def get_export(
    asked: One,
    style: Annotated[Literal["dimacs", "opb", "dlx", "asp"], Query(alias="format")] = "dimacs",
    encoding: Annotated[str | None, Query(max_length=40)] = None,
    every: Annotated[bool, Query(alias="open", description="all reveals at once")] = False,
) -> Response:
    """Write clauses (DIMACS), equations (OPB), exact-cover text, or an answer-set program."""
    if encoding is not None:
        known_encoding(encoding)
    if every and asked.request.query_params.keys() & {"date", "reveal"}:
        raise OptionError("open holds all reveals; leave out date and reveal")
    formula = None if every else asked.reveal, asked.place, style, encoding
    make = partial(asked.at_once, "export", EXPORT_SECONDS, tasks.export, *formula)
    labels = ["open"] if every else asked.reveal
    name = "-".join([asked.entry.id, *labels]) + format_named(style).suffix
    return await asked.send(formula, "text/plain; charset=utf-8", make, name)
