"""Where the service listens: its socket, its server, and limits on connections and heads."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from satcal.errors import Stopped
from satcal.service.config import Config, Limits, is_loopback
from satcal.service.limits import CLOSE, LONGEST_HEAD, OPEN, Shares, client_of
from satcal.service.problems import of_error

PARTING = 1.0  # seconds that a connection too many has to send its head and be told so


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
            await of_error(reason, CLOSE)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return answer
