"""The routes under ``/api/v1``: those of puzzles, and those of jobs."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from satcal.service.api import jobs, puzzles
from satcal.service.routing import PREFIX


class Problem(BaseModel):
    """A problem as RFC 9457 describes it."""

    type: str
    title: str
    status: int
    detail: str


_PROBLEM = {"model": Problem, "content": {"application/problem+json": {}}}

router = APIRouter(
    prefix=PREFIX,
    responses={
        "4XX": {"description": "What is wrong with the request", **_PROBLEM},
        "5XX": {"description": "Why there is no answer now", **_PROBLEM},
    },
)
for group in (
    puzzles.puzzles,
    puzzles.counts,
    puzzles.tilings,
    puzzles.pictures,
    puzzles.exports,
    jobs.jobs,
    jobs.claims,
):
    router.include_router(group)
