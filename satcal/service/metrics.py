"""Metrics for Prometheus: requests and their seconds by route, jobs by state, dates counted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

from satcal.service.job import STATES
from satcal.version import __version__

METHODS = ("GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")


class Metrics:
    """The metrics; requests are labelled by the template of their route, so labels stay few."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._requests = Counter("satcal_requests", "Requests", labels, registry=self.registry)
        text = "Seconds to the start of an answer"
        self._seconds = Histogram("satcal_seconds", text, ["route"], registry=self.registry)
        self.dates = Counter("satcal_dates", "Dates that jobs counted", registry=self.registry)
        self.store_errors = Counter(
            "satcal_store_errors", "Errors of the store", registry=self.registry
        )
        Info("satcal", "The program", registry=self.registry).info({"version": __version__})

    def watch_jobs(self, count_jobs: Callable[[str], int]) -> None:
        """Report ``count_jobs(state)`` for each state of a job."""
        jobs = Gauge("satcal_jobs", "Jobs by state", ["state"], registry=self.registry)
        for state in STATES:
            jobs.labels(state).set_function(partial(count_jobs, state))

    def record(self, scope: Any, status: int, seconds: float) -> None:
        """Record a request: its status, and the seconds until the answer started."""
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)
