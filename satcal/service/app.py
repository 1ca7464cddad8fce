"""The application: the parts of the service, put together."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from satcal.service import api, health, pages, problems
from satcal.service.children import AtOnce
from satcal.service.config import Config
from satcal.service.diagrams import Diagrams
from satcal.service.health import Metrics
from satcal.service.limits import BodyLimit, Shares
from satcal.service.puzzles import Shelf
from satcal.service.queue import JobQueue
from satcal.service.routing import Service
from satcal.service.security import Guard
from satcal.service.uploads import Uploads, folder_of
from satcal.store.jobs import Jobs
from satcal.store.location import Location
from satcal.store.results import Store
from satcal.version import __version__

DESCRIPTION = (
    "Counts, lists and proves the tilings of calendar puzzles. Errors are problem+json "
    "(RFC 9457); what never changes has an ETag."
)


def create_app(config: Config) -> ASGIApp:
    """Return the service as an ASGI application, its store open; both end when it shuts down.

    Raises:
        UnknownName: the configured board is not in the library.
        StoreError: the store cannot be used, or its unfinished jobs cannot be taken up.
    """
    with ExitStack() as opened:
        location = config.store or _temporary(opened)
        kept = Jobs(opened.enter_context(Store(location)))
        limits, at_once = config.limits, AtOnce(config.limits)
        uploads = Uploads(folder_of(location), limits)
        jobs = JobQueue(kept, location, uploads, limits, config.cluster)
        service = Service(
            config=config,
            shelf=Shelf(kept, at_once, limits),
            diagrams=Diagrams(limits),
            jobs=jobs,
            at_once=at_once,
            streams=Shares("event streams", limits.streams),
        )
        # before anything is served, so that whoever starts the server is told what is wrong
        jobs.take_up()
        return _app(service, opened.pop_all())


def _temporary(opened: ExitStack) -> Location:
    """Return a store in a folder that is gone in the end."""
    folder = tempfile.TemporaryDirectory(prefix="satcal-", ignore_cleanup_errors=True)
    return Location(Path(opened.enter_context(folder)) / "store.sqlite")


def _app(service: Service, opened: ExitStack) -> ASGIApp:
    """Return the application around a service; ``opened`` is closed when it shuts down."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with opened:
            try:
                service.jobs.start()
                yield
            finally:
                await service.jobs.close()
                await service.diagrams.close()

    app = FastAPI(
        title="satcal", version=__version__, description=DESCRIPTION, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url=f"{api.PREFIX}/openapi.json",
    )  # fmt: skip
    app.state.service = service
    problems.install(app)
    for part in (api, health, pages):
        app.include_router(part.router)
    pages.mount_static(app)
    config = service.config
    metrics = app.state.metrics = Metrics(Guard(BodyLimit(app, config.limits), config), service)
    return _answering_heads(metrics)


def _answering_heads(app: ASGIApp) -> ASGIApp:
    """Return an application that answers HEAD as it answers GET; the server sends no body."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        head = scope["type"] == "http" and scope["method"] == "HEAD"
        await app({**scope, "method": "GET"} if head else scope, receive, send)

    return answer
