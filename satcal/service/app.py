"""The application: the parts of the service, put together."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp

from satcal import __version__
from satcal.service import api, documentation, health, pages, problems
from satcal.service.config import Config
from satcal.service.core import Service
from satcal.service.diagrams import Diagrams
from satcal.service.jobs import AtOnce, JobRunner
from satcal.service.limits import BodyLimit
from satcal.service.metrics import Metrics
from satcal.service.puzzles import Shelf
from satcal.service.security import Guard
from satcal.store.jobs import Jobs
from satcal.store.location import Location
from satcal.store.results import Store

DESCRIPTION = (
    "Counts, lists and proves the tilings of calendar puzzles. Errors are problem+json "
    "(RFC 9457); what never changes has an ETag."
)


def create_app(config: Config) -> ASGIApp:
    """Return the service as an ASGI application; it opens its store when it starts.

    Raises:
        UnknownName: the configured board is not in the library.
        StoreError: the store cannot be used.
    """
    folder = tempfile.mkdtemp(prefix="satcal-") if config.store is None else None
    location = config.store or Location(Path(str(folder)) / "store.sqlite")
    store = Store(location)
    kept = Jobs(store)
    service = Service(
        config=config,
        shelf=Shelf(kept, config.limits),
        diagrams=Diagrams(config.limits),
        jobs=JobRunner(kept, location, config.limits, config.cluster),
        at_once=AtOnce(config.limits),
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.jobs.start()
        try:
            yield
        finally:
            await service.jobs.close()
            await service.diagrams.close()
            store.close()
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)

    app = FastAPI(
        title="satcal", version=__version__, description=DESCRIPTION, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url=f"{api.PREFIX}/openapi.json",
    )  # fmt: skip
    app.state.service = service
    problems.install(app)
    for part in (api, health, documentation, pages):
        app.include_router(part.router)
    pages.mount_static(app)
    metrics = Metrics(Guard(BodyLimit(app, config.limits), config))
    metrics.watch(service)
    app.state.metrics = metrics
    return metrics
