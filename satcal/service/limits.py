"""Limits on what clients send: size and speed of bodies and headers, requests a second."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from satcal.service.config import Limits
from satcal.service.problems import of_status

CLIENTS = 10_000  # whose rate is remembered
LONGEST_HEAD = 65_536  # bytes of a request before its body
LONGEST_TARGET = 16_384  # bytes of a path with its query: a board full of placements has 2,000


class BodyLimit:
    """Refuses bodies that are too large (413) or come too slowly (408), whatever they announce.

    The body is read before the application sees the request, so that a refusal is a whole
    answer; no route has use for a part of a body.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on a request whose body is read."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        limits = self._limits
        most = limits.upload if scope["path"].endswith("/certificates") else limits.body
        try:
            body = await asyncio.wait_for(_read(receive, most), limits.body_seconds)
        except TimeoutError:
            response = of_status(
                408, f"the body did not arrive within {limits.body_seconds:g} seconds",
                {"Connection": "close"},
            )  # fmt: skip
            await response(scope, receive, send)
            return
        if body is None:
            response = of_status(
                413, f"the body is larger than {most:,} bytes", {"Connection": "close"}
            )
            await response(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)


async def _read(receive: Receive, most: int) -> bytes | None:
    """Return the body; None where it is too large. A client that leaves has sent what it sent."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that gives a body once, then what comes after it."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


class Rate:
    """A token bucket per client: ``rate`` requests a second, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str, now: float | None = None) -> bool:
        """Return whether a client may ask now, and note that it did."""
        now = time.monotonic() if now is None else now
        left, before = self._clients.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - before) * self._rate)
        self._clients[client] = (max(0.0, left - 1), now)
        if len(self._clients) > CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1


def protocol(seconds: float) -> type[HttpToolsProtocol]:
    """Return uvicorn's protocol with limits on the time and size of a request's head."""

    class Impatient(HttpToolsProtocol):
        """Closes connections whose head comes too slowly, or does not end."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._wait_for_head()

        def _wait_for_head(self) -> None:
            self._head: int | None = 0  # bytes of it so far; None after its end
            self._patience = self.loop.call_later(seconds, self.transport.close)

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
            super().connection_lost(exc)

    return Impatient
