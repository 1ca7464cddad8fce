"""Health, readiness and figures, for supervisors and Prometheus."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from satcal.errors import Stopped
from satcal.service.core import Running, Worker
from satcal.service.metrics import MEDIA

PATIENCE = 5.0  # seconds that the store has for a number
router = APIRouter(tags=["health"])


@router.get("/health")
async def get_health() -> dict[str, str]:
    """Say that the server answers."""
    return {"status": "alive"}


@router.get("/ready")
async def get_ready(service: Running) -> dict[str, str]:
    """Say that the server can work: its store can be read, its default board answers."""
    try:
        await asyncio.wait_for(asyncio.to_thread(service.jobs.kept.probe), PATIENCE)
    except TimeoutError:
        raise Stopped(f"the store has not answered within {PATIENCE:g} seconds") from None
    board = await service.shelf.find(service.config.board, "")
    await service.diagrams.ask(board, {"ask": "warm", "labels": []})
    return {"status": "ready"}


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request, _: Worker) -> Response:
    """Return the figures in Prometheus' text format."""
    return Response(request.app.state.metrics.text(), media_type=MEDIA)
