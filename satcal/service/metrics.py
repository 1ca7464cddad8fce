"""Figures for Prometheus: requests by route and status, their times, jobs, diagrams."""

from __future__ import annotations

import time
from collections import Counter as Tally

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcal.service.core import Service

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)


class State:
    """What is counted when somebody asks: jobs by state, diagrams, open streams."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> list[GaugeMetricFamily]:
        """Return the gauges."""
        jobs = GaugeMetricFamily("satcal_jobs", "Jobs by state", labels=["state"])
        for state, number in sorted(Tally(j.state for j in self._service.jobs.all()).items()):
            jobs.add_metric([state], number)
        hot = len(self._service.diagrams)
        return [
            jobs,
            GaugeMetricFamily("satcal_diagrams", "Diagrams that are kept hot", hot),
            GaugeMetricFamily("satcal_streams", "Open event streams", len(self._service.streams)),
        ]


class Metrics:
    """Counts and times requests by the template of their route, never by what clients write."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "satcal_requests", "Requests", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "satcal_seconds", "Seconds to the start of an answer", ["route"],
            buckets=BUCKETS, registry=self.registry,
        )  # fmt: skip

    def watch(self, service: Service) -> None:
        """Add the figures of a service."""
        self.registry.register(State(service))

    def text(self) -> bytes:
        """Return all figures in Prometheus' text format."""
        return generate_latest(self.registry)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Time a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "other")
                method = scope["method"] if scope["method"] in _METHODS else "other"
                self._requests.labels(method, route, message["status"]).inc()
                self._seconds.labels(route).observe(time.perf_counter() - start)
            await send(message)

        await self._app(scope, receive, counted)


_METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")
