"""The routes of hints, tilings and their pictures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from satcal.service import models
from satcal.service.answers import HintAnswer, TilingsAnswer
from satcal.service.context import MEDIA_TYPES, PositionParameters, PuzzleDep, file_route
from satcal.service.work.tilings import (
    draw_tiling,
    give_hint,
    list_tilings,
    sample_tiling,
)

router = APIRouter()


@router.get("/{puzzle}/hint")
async def get_hint(context: PuzzleDep, query: PositionParameters) -> HintAnswer:
    """Help with a partly filled board: where to start and what to place, or what to take back."""
    return await context.run_at(query, give_hint)


@router.get("/{puzzle}/tilings")
async def get_tilings(
    context: PuzzleDep, query: Annotated[models.PageQuery, Query()]
) -> TilingsAnswer:
    """List the tilings of a date or reveal that contain the given placements."""
    return await context.run_at(query, list_tilings, query.offset, query.limit)


@router.get("/{puzzle}/tilings/random")
async def get_random_tiling(
    context: PuzzleDep, query: Annotated[models.SampleQuery, Query()]
) -> TilingsAnswer:
    """Return a uniformly random tiling."""
    return await context.run_at(query, sample_tiling, query.seed)


@router.get("/{puzzle}/tiling.{style}", **file_route(*MEDIA_TYPES.values()))
async def get_tiling_picture(
    context: PuzzleDep, style: models.PictureFormat, query: Annotated[models.TilingPicture, Query()]
) -> Response:
    """Draw the tiling with a rank, from 1."""
    options = query.rank, style, query.theme, query.size
    picture = await context.run_at(query, draw_tiling, *options)
    return Response(picture, media_type=MEDIA_TYPES[style])
