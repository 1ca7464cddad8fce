"""Health, readiness and figures, for supervisors and Prometheus."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from satcal.service.core import Running
from satcal.service.metrics import MEDIA

router = APIRouter(tags=["health"])


@router.get("/health")
async def get_health() -> dict[str, str]:
    """Say that the server answers."""
    return {"status": "alive"}


@router.get("/ready")
async def get_ready(service: Running) -> dict[str, str]:
    """Say that the server can work: its store can be read, its default board answers."""
    await asyncio.wait_for(asyncio.to_thread(service.jobs.kept.all), 5)
    await service.diagrams.counts(await service.shelf.find(service.config.board))
    return {"status": "ready"}


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request) -> Response:
    """Return the figures in Prometheus' text format."""
    return Response(request.app.state.metrics.text(), media_type=MEDIA)
