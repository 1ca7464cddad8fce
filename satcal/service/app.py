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
from satcal.service.uploads import Uploads, folder_of
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
    config = service.config
    packed = GZipMiddleware(BodyLimit(app, config.limits), minimum_size=1000, compresslevel=6)
    metrics = app.state.metrics = Metrics(Guard(packed, config), service)
    return _answering_heads(pages.Readable(metrics))


def _answering_heads(app: ASGIApp) -> ASGIApp:
    """Return an application that answers HEAD as it answers GET; the server sends no body."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        head = scope["type"] == "http" and scope["method"] == "HEAD"
        await app({**scope, "method": "GET"} if head else scope, receive, send)

    return answer


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, bound before anything is said about it.

    Raises:
        OSError: the address is in use, or not ours.
    """
    family, kind, number, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, number)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
        bound.listen(1024)
    except OSError:
        bound.close()
        raise
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
            h11_max_incomplete_event_size=65536,
        )
    )


def protocol(limits: Limits, proxied: bool) -> type[HttpToolsProtocol]:
    """Return uvicorn's protocol with limits on connections, and on the time and size of heads.

    A connection too many is told so, and has less time; where those are too many, too, there
    are no more words.

    Args:
        limits: how many connections, and how long a head may take.
        proxied: whether a connection from this machine may be a proxy's, and so everybody's.
    """
    admitted = Shares("connections", limits.connections)
    refused = Shares("connections too many", limits.connections)

    class Impatient(HttpToolsProtocol):
        """Closes connections whose head comes too slowly, or does not end."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._whose = client_of({"client": self.client})
            if proxied and is_loopback(self._whose):
                self._whose = str(id(self))  # its requests have shares by whom they are from
            self._seconds = limits.header_seconds
            self._place: Shares | None = admitted
            try:
                admitted.take(self._whose)
            except Stopped as error:
                self._refuse(error)
            self._wait_for_head()

        def _refuse(self, reason: Stopped) -> None:
            self._seconds, self._place = PARTING, refused
            self.app = _busy(self.app, reason)
            try:
                refused.take(self._whose)
            except Stopped:
                self._place = None
                self.transport.abort()

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
            if self._place is not None:
                self._place.give(self._whose)
            super().connection_lost(exc)

    return Impatient


def _busy(app: ASGIApp, reason: Stopped) -> ASGIApp:
    """Return an application that answers a supervisor, and tells others why it does not."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in OPEN:
            await problems.of_error(reason, CLOSE)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return answer
