"""Health, readiness and figures, for supervisors and Prometheus."""

from __future__ import annotations

import asyncio
from functools import partial

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import Scope

from satcal.errors import Stopped
from satcal.service.answers import Position
from satcal.service.routing import Running, Service, Worker
from satcal.store.jobs import STATES

PATIENCE = 5.0  # seconds that the store has for a number
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
METHODS = ("GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")
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
    await service.diagrams.ask(board, Position(next(board.puzzle.reveals()), ()))
    return {"status": "ready"}


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request, _: Worker) -> Response:
    """Return the figures in Prometheus' text format."""
    text = generate_latest(request.app.state.metrics.registry)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


class Metrics:
    """Counts and times requests by the template of their route, never by what clients write."""

    def __init__(self, service: Service) -> None:
        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "satcal_requests", "Requests", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "satcal_seconds",
            "Seconds to the start of an answer",
            ["route"],
            buckets=BUCKETS,
            registry=registry,
        )
        jobs = Gauge("satcal_jobs", "Jobs by state", ["state"], registry=registry)
        for state in STATES:
            jobs.labels(state).set_function(partial(service.jobs.number, state))
        hot = Gauge("satcal_diagrams", "Diagrams that are kept hot", registry=registry)
        hot.set_function(lambda: len(service.diagrams))
        streams = Gauge("satcal_streams", "Open event streams", registry=registry)
        streams.set_function(lambda: len(service.streams))

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """Note an answer."""
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)
