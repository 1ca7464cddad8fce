"""Figures for Prometheus: requests and their seconds by route, jobs by state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from satcal.service.jobs import FINISHED, QUEUED, RUNNING

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
METHODS = ("GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")


class Metrics:
    """Counts and times requests by the template of their route, never by what clients write."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._requests = Counter("satcal_requests", "Requests", labels, registry=self._registry)
        self._seconds = Histogram(
            "satcal_seconds",
            "Seconds to the start of an answer",
            ["route"],
            buckets=BUCKETS,
            registry=self._registry,
        )

    def watch_jobs(self, number: Callable[[str], int]) -> None:
        """Report the number of jobs in each state, as a function says it."""
        jobs = Gauge("satcal_jobs", "Jobs by state", ["state"], registry=self._registry)
        for state in (QUEUED, RUNNING, *FINISHED):
            jobs.labels(state).set_function(partial(number, state))

    def record(self, scope: Any, status: int, seconds: float) -> None:
        """Count an answer and its seconds."""
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """Return all figures."""
        return generate_latest(self._registry)
