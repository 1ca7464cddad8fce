"""Counts and tilings, which a puzzle's diagram knows: also of a partly filled board."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from satcal.service.answers import Drawn, Help, Page, Position, Table
from satcal.service.models import CountsModel, HintModel, RandomModel, Remaining, TilingsModel
from satcal.service.routing import JSON, Named, One, Wanted, answered

counts = APIRouter(prefix="/puzzles/{puzzle}", tags=["counts"])
tilings = APIRouter(prefix="/puzzles/{puzzle}", tags=["tilings"])
MOST = 2**62  # ranks beyond are on no board that a person has


@counts.get("/counts", response_model=CountsModel, responses={200: {"content": {"text/csv": {}}}})
async def get_counts(
    request: Request,
    entry: Named,
    wanted: Wanted,
    style: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Count the tilings of a date, a month, a year, a range, or of all dates or reveals."""
    media = JSON if style == "json" else "text/csv; charset=utf-8"
    return await answered(request, entry, Table(entry.id, wanted, style == "csv"), media)


@counts.get("/remaining", response_model=Remaining)
async def get_remaining(asked: One) -> Response:
    """Count the tilings that contain what is placed already."""
    return await asked.answered(Position)


@counts.get("/hint", response_model=HintModel)
async def get_hint(asked: One) -> Response:
    """Help with a partly filled board: the piece with the fewest places, and a next placement."""
    return await asked.answered(Help)


@tilings.get("/tilings", response_model=TilingsModel)
async def get_tilings(
    asked: One,
    offset: Annotated[int, Query(ge=0, le=MOST)] = 0,
    limit: Annotated[int, Query(ge=0, le=200)] = 20,
) -> Response:
    """List tilings of a date or reveal, also only those that contain what is placed."""
    return await asked.answered(Page, offset=offset, limit=limit)


@tilings.get("/tilings/random", response_model=RandomModel)
async def get_random_tiling(asked: One, seed: Annotated[int, Query(ge=0, le=MOST)] = 0) -> Response:
    """Draw a tiling, all equally likely."""
    return await asked.answered(Drawn, seed=seed)


@tilings.get("/tilings/{rank}", response_model=TilingsModel)
async def get_tiling(asked: One, rank: Annotated[int, Path(ge=0, le=MOST)]) -> Response:
    """Return the tiling of a rank, from 0."""
    return await asked.answered(Page, offset=rank, rank=True)
