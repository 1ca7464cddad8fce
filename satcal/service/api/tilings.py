"""Tilings: pages in the diagram's order, one by rank, one at random."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from satcal.errors import NoTiling
from satcal.service.models import RandomModel, TilingsModel
from satcal.service.questions import One

router = APIRouter(tags=["tilings"])
MOST = 2**62  # ranks beyond are on no board that a person has


@router.get("/puzzles/{puzzle}/tilings", response_model=TilingsModel)
async def get_tilings(
    question: One,
    offset: Annotated[int, Query(ge=0, le=MOST)] = 0,
    limit: Annotated[int, Query(ge=0, le=200)] = 20,
) -> Response:
    """List tilings of a date or reveal, also only those that contain what is placed."""
    return await question.answered(question.asking("tilings", offset=offset, limit=limit))


@router.get("/puzzles/{puzzle}/tilings/random", response_model=RandomModel)
async def get_random_tiling(
    question: One, seed: Annotated[int, Query(ge=0, le=MOST)] = 0
) -> Response:
    """Draw a tiling, all equally likely."""
    return await question.answered(question.asking("random", seed=seed))


@router.get("/puzzles/{puzzle}/tilings/{rank}", response_model=TilingsModel)
async def get_tiling(question: One, rank: Annotated[int, Path(ge=0, le=MOST)]) -> Response:
    """Return the tiling of a rank, from 0."""
    answer = await question.answered(question.asking("tilings", offset=rank, limit=1))
    if bytes(answer.body).endswith(b'"items":[]}'):
        raise NoTiling(f"there is no tiling of rank {rank}; the first has rank 0")
    return answer
