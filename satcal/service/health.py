"""Health, readiness and figures, for supervisors and Prometheus."""

from __future__ import annotations

import asyncio
import time
from collections import Counter as Tally
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcal.errors import Stopped
from satcal.service.answers import Position
from satcal.service.routing import Running, Service, Worker

PATIENCE = 5.0  # seconds that the store has for a number
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")
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

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self.registry = CollectorRegistry()
        self.registry.register(self)
        self._requests = Counter(
            "satcal_requests", "Requests", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "satcal_seconds", "Seconds to the start of an answer", ["route"],
            buckets=BUCKETS, registry=self.registry,
        )  # fmt: skip

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield what is counted when somebody asks: jobs by state, diagrams, open streams."""
        jobs = GaugeMetricFamily("satcal_jobs", "Jobs by state", labels=["state"])
        for state, number in sorted(Tally(j.state for j in self._service.jobs.all()).items()):
            jobs.add_metric([state], number)
        yield jobs
        hot, streams = len(self._service.diagrams), len(self._service.streams)
        yield GaugeMetricFamily("satcal_diagrams", "Diagrams that are kept hot", hot)
        yield GaugeMetricFamily("satcal_streams", "Open event streams", streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Time a request."""
        start = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "other")
                method = scope["method"] if scope["method"] in METHODS else "other"
                self._requests.labels(method, route, message["status"]).inc()
                self._seconds.labels(route).observe(time.perf_counter() - start)
            await send(message)

        await self._app(scope, receive, counted)
