"""The ASGI application, assembled from the parts of the service."""

from __future__ import annotations

import datetime
import gc
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI

from satcal.launcher import die_with_parent
from satcal.processes import SINGLE_THREADED
from satcal.service import problems
from satcal.service.access import admit, admit_jobs
from satcal.service.answers import ProblemAnswer
from satcal.service.boards import Boards
from satcal.service.context import Service
from satcal.service.guard import Guard
from satcal.service.jobs import Jobs
from satcal.service.metrics import Metrics
from satcal.service.routes import jobs, page, probes, puzzles
from satcal.service.settings import SETTINGS_VARIABLE, Settings
from satcal.service.workers import Workers
from satcal.store.opening import open_store
from satcal.version import __version__

DESCRIPTION = "Counts and lists the solutions of calendar puzzles. Errors are problem documents."
API = "/api/v1"
PROBLEM_RESPONSE = {"model": ProblemAnswer, "content": {"application/problem+json": {}}}


def make_app(settings: Settings, today: Callable[[], datetime.date] = datetime.date.today) -> Guard:
    """Return the guarded application; it opens its store when it starts."""
    api = make_api(settings, today)
    return Guard(api, api.state.metrics.record)


def make_api(settings: Settings, today: Callable[[], datetime.date]) -> FastAPI:
    """Return the application without its guard."""
    metrics, boards = Metrics(), Boards()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = open_store(settings.store)
        executor = None
        if settings.cluster:
            from satcal.counting.cluster import Cluster

            executor = Cluster(settings.cluster, memory=settings.memory)
        workers = Workers(settings.workers, settings.memory, executor)
        tracked = Jobs(store, workers, boards, metrics, today)
        metrics.watch_jobs(lambda state: sum(job.state == state for job in tracked.all()))
        app.state.service = Service(boards, workers, tracked, today)
        try:
            workers.start()
            await tracked.start()
            yield
        finally:
            await tracked.stop()
            workers.close()
            store.close()

    app = FastAPI(
        title="satcal",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url=None,
        responses={
            "4XX": {"description": "What is wrong with the request", **PROBLEM_RESPONSE},
            "5XX": {"description": "Why there is no answer now", **PROBLEM_RESPONSE},
        },
    )
    app.state.settings, app.state.metrics = settings, metrics
    problems.install(app, page.make_missing_page())
    app.include_router(probes.router, tags=["service"])
    app.include_router(
        puzzles.router, prefix=f"{API}/puzzles", dependencies=[Depends(admit)], tags=["puzzles"]
    )
    app.include_router(jobs.router, prefix=API, dependencies=[Depends(admit_jobs)], tags=["jobs"])
    app.include_router(page.router, include_in_schema=False, dependencies=[Depends(admit)])
    return app


def make_child_app() -> Guard:
    """Return the application; granian calls this function in the server process."""
    die_with_parent()
    os.environ.update(SINGLE_THREADED)
    app = make_app(Settings(**json.loads(os.environ[SETTINGS_VARIABLE])))
    gc.freeze()  # exclude the modules loaded so far from garbage collection
    return app
