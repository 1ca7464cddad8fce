"""The routes under ``/api/v1``, a file for each group."""

from __future__ import annotations

from fastapi import APIRouter

from satcal.service.api import counts, files, jobs, puzzles
from satcal.service.models import Problem

PREFIX = "/api/v1"
_PROBLEM = {"model": Problem, "content": {"application/problem+json": {}}}

router = APIRouter(
    prefix=PREFIX,
    responses={
        "4XX": {"description": "What is wrong with the request", **_PROBLEM},
        "5XX": {"description": "Why there is no answer now", **_PROBLEM},
    },
)
for group in (
    puzzles.puzzles, counts.counts, counts.tilings, files.pictures, files.exports,
    jobs.jobs, jobs.claims,
):  # fmt: skip
    router.include_router(group)
