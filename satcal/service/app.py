"""The application, the parts of the service put together, and the server that listens for it."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from satcal.errors import Stopped
from satcal.service import api, health, pages, problems
from satcal.service.children import AtOnce
from satcal.service.config import Config, Limits, is_loopback
from satcal.service.diagrams import Diagrams
from satcal.service.health import Metrics
from satcal.service.limits import CLOSE, LONGEST_HEAD, OPEN, BodyLimit, Shares, client_of
from satcal.service.puzzles import Shelf
from satcal.service.queue import JobQueue
from satcal.service.routing import Service
from satcal.service.security import Guard
from satcal.store.jobs import Jobs
from satcal.store.location import Location
from satcal.store.results import Store
from satcal.version import __version__

PARTING = 1.0  # seconds that a connection too many has to send its head and be told so
DESCRIPTION = (
    "Counts, lists and proves the tilings of calendar puzzles. Errors are problem+json "
    "(RFC 9457); what never changes has an ETag."
)


def create_app(config: Config) -> ASGIApp:
    """Return the service as an ASGI application, its store open; both end when it shuts down.

    Raises a StoreError if the store cannot be used, or its unfinished jobs not be taken up.
    """
    with ExitStack() as opened:
        location = config.store
        if location is None:
            folder = tempfile.TemporaryDirectory(prefix="satcal-", ignore_cleanup_errors=True)
            location = Location(Path(opened.enter_context(folder)) / "store.sqlite")
        kept = Jobs(opened.enter_context(Store(location)))
        limits, at_once = config.limits, AtOnce(config.limits)
        jobs = JobQueue(kept, location, limits, config.cluster)
        # before anything is served, so that whoever starts the server is told what is wrong
        jobs.take_up()
        shelf, diagrams = Shelf(kept, at_once, limits), Diagrams(limits)
        streams = Shares("event streams", limits.streams)
        answers = Shares("bytes of answers that are not read", limits.answers)
        service = Service(config, shelf, diagrams, jobs, at_once, streams, answers, asyncio.Lock())
        return _app(service, opened.pop_all())


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
    app.state.metrics = Metrics(service)
    packed = GZipMiddleware(BodyLimit(app, service.config.limits), 1000, compresslevel=6)
    return Guard(packed, service.config, app.state.metrics.note)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise OSError if the address is in use, or not ours."""
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


def server(app: ASGIApp, config: Config) -> uvicorn.Server:
    """Return uvicorn with the limits of the service."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol(config.limits, not config.private),
            ws="none",
            lifespan="on",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=3,
            access_log=False,
            log_level="error",  # warnings are of what strangers send: they would fill the log
            server_header=False,
        )
    )


def protocol(limits: Limits, proxied: bool) -> type[HttpToolsProtocol]:
    """Return uvicorn's protocol with limits on connections, and on the time and size of heads.

    A connection too many is told so, and has less time, unless those are too many as well. If
    ``proxied``, a connection from this machine may be a proxy's.
    """
    admitted = Shares("connections", limits.connections)
    refused = Shares("connections too many", limits.connections)

    class Impatient(HttpToolsProtocol):
        """Closes connections whose head comes too slowly, or does not end."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._seconds, self._held = limits.header_seconds, ExitStack()
            client = client_of({"client": self.client})
            if proxied and is_loopback(client):
                client = str(id(self))  # its requests have shares by whom they are from
            try:
                self._held.enter_context(admitted.lent(client))
            except Stopped as reason:
                self._seconds, self.app = PARTING, _busy(self.app, reason)
                try:
                    self._held.enter_context(refused.lent(client))
                except Stopped:
                    self.transport.abort()
            self._wait_for_head()

        def _wait_for_head(self) -> None:
            self._head: int | None = 0  # bytes of it so far; None after its end
            self._patience = self.loop.call_later(self._seconds, self.transport.close)

        def on_message_begin(self) -> None:
            self._patience.cancel()
            self._wait_for_head()
            super().on_message_begin()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._head is not None:
                self._head += len(data)
                if self._head > LONGEST_HEAD:
                    self.transport.close()

        def on_headers_complete(self) -> None:
            self._patience.cancel()
            self._head = None
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._patience.cancel()
            self._held.close()
            super().connection_lost(exc)

    return Impatient


def _busy(app: ASGIApp, reason: Stopped) -> ASGIApp:
    """Return an application that answers a supervisor, and tells others why it does not."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        refused = scope["type"] == "http" and scope["path"] not in OPEN
        await (problems.of_error(reason, CLOSE) if refused else app)(scope, receive, send)

    return answer
