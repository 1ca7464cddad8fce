"""The application, the parts of the service put together, and the server that listens for it."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import uvicorn
from fastapi import Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware

from satcal.service import api, health, pages, problems
from satcal.service.children import AtOnce
from satcal.service.config import Config
from satcal.service.connections import protocol
from satcal.service.diagrams import Diagrams
from satcal.service.health import Metrics
from satcal.service.limits import BodyLimit, Shares
from satcal.service.puzzles import Shelf
from satcal.service.queue import JobQueue
from satcal.service.routing import Service, check_query
from satcal.service.security import Guard
from satcal.service.writing import Changes, only_server
from satcal.store.jobs import Jobs
from satcal.store.location import Location
from satcal.store.results import Store
from satcal.version import __version__

BACKLOG = 1024  # connections that are accepted in one turn
FILES = 4096  # more than those, and all that are there already, before the oldest give way
DESCRIPTION = (
    "Counts, lists and proves the tilings of calendar puzzles. Errors are problem+json "
    "(RFC 9457); what never changes has an ETag."
)


def create_app(config: Config) -> Guard:
    """The service as an ASGI application, its store open; both end when it shuts down.

    Raises a StoreError if the store cannot be used, or its unfinished jobs not be taken up.
    """
    with ExitStack() as opened:
        location = config.store
        if location is None:
            folder = tempfile.TemporaryDirectory(prefix="satcal-", ignore_cleanup_errors=True)
            location = Location(Path(opened.enter_context(folder)) / "store.sqlite")
        store = opened.enter_context(Store(location))
        hold = opened.enter_context(only_server(store, location))
        kept, changes = Jobs(store), Changes(location, hold)
        limits, at_once = config.limits, AtOnce(config.limits)
        jobs = JobQueue(kept, changes, location, limits, config.cluster)
        # before anything is served, so that whoever starts the server is told what is wrong
        jobs.take_up()
        shelf, diagrams = Shelf(kept, changes, at_once, limits), Diagrams(limits)
        streams = Shares("event streams", limits.streams)
        answers = Shares("bytes of unread answers", limits.answers)
        service = Service(config, shelf, diagrams, jobs, at_once, streams, answers, asyncio.Lock())
        return _app(service, location, opened.pop_all())


def _app(service: Service, location: Location, opened: ExitStack) -> Guard:
    """The application around a service; ``opened`` is closed when it shuts down."""

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
        title="satcal",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        dependencies=[Depends(check_query)],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.service = service
    problems.install(app, location)
    for part in (api, health, pages):
        app.include_router(part.router)
    app.state.metrics = Metrics(service)
    packed = GZipMiddleware(BodyLimit(app, service.config.limits), 1000, compresslevel=6)
    return Guard(packed, service.config, app.state.metrics.note, service.jobs.end_streams)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises OSError if the address is in use, or not ours."""
    family, kind, number, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with ExitStack() as opened:
        bound = opened.enter_context(socket.socket(family, kind, number))
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(1024)
        opened.pop_all()
    return bound


class Server(uvicorn.Server):
    """uvicorn that ends the event streams before it waits for the answers that are on their way."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._end_streams()
        await super().shutdown(sockets)


def server(app: Guard, config: Config) -> Server:
    """uvicorn with the limits of the service."""
    with suppress(ImportError, OSError, ValueError):  # of Unix only, and as far as it is allowed
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= soft < FILES:
            more = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    listening = uvicorn.Config(
        app,
        http=protocol(config.limits),
        loop="asyncio",
        ws="none",
        lifespan="on",
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        access_log=False,
        log_level="error",  # warnings are of what strangers send: they would fill the log
        server_header=False,
    )
    return Server(listening, app.end_streams)
