"""Limits on what clients send: their shares, bodies, requests a second."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcal.errors import Stopped
from satcal.service.config import Limits
from satcal.service.problems import of_error

CLIENTS = 10_000  # whose rate is remembered
LONGEST_TARGET = 16_384  # bytes of a path with its query: a board full of placements has 2,000
OPEN = ("/health", "/ready")  # what a supervisor asks, without a token and however busy we are
LARGE = 16_384  # bytes of a body whose reading others notice
CLOSE = {"Connection": "close"}


def client_of(scope: Scope) -> str:
    """The client by its address; of IPv6, all of the network that one household has."""
    address: str = scope["client"][0] if scope.get("client") else ""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
    return address


class Shares:
    """What all clients share, and no client has more of than a quarter; ``what`` is in errors."""

    def __init__(self, what: str, most: int) -> None:
        self._what, self._most, self._each = what, most, max(1, most // 4)
        self._taken: Counter[str] = Counter()

    def take(self, client: str, amount: int = 1) -> None:
        """Take some; raise Stopped where this client, or all, would have more than allowed."""
        if self._taken[client] + amount > self._each:
            raise Stopped(
                f"you may have at most {self._each:,} {self._what} at a time; try again in a moment"
            )
        if self._taken.total() + amount > self._most:
            raise Stopped(
                f"the service allows at most {self._most:,} {self._what} at a time; try again in a "
                "moment"
            )
        self._taken[client] += amount

    def give(self, client: str, amount: int = 1) -> None:
        """Give back what was taken."""
        self._taken[client] -= amount
        if not self._taken[client]:
            del self._taken[client]

    @contextmanager
    def lent(self, client: str, amount: int = 1) -> Iterator[None]:
        """Context manager in which a client holds some of what there is."""
        self.take(client, amount)
        try:
            yield
        finally:
            self.give(client, amount)

    def __len__(self) -> int:
        return self._taken.total()


class BodyLimit:
    """Refuses bodies that are too large (413), too slow (408), or too many at a time (503).

    They are read before the application sees the request: a refusal is a whole answer. Only a
    certificate is left to its route, which writes it to a file as it comes.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._shares = Shares("bytes on their way", limits.bodies)
        self._turn = asyncio.Lock()  # of large bodies: between two of them others are answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, then pass the request on."""
        bodiless = scope["type"] == "lifespan" or scope["method"] == "GET"
        if bodiless or scope["path"].endswith("/certificates"):
            await self._app(scope, receive, send)
            return
        limits, client, body, app = self._limits, client_of(scope), bytearray(), self._app
        try:
            async for part in arriving(receive, limits.body, limits.body_seconds):
                self._shares.take(client, len(part))
                body += part
            if len(body) > LARGE:
                async with self._turn:
                    await asyncio.sleep(0)
        except (HTTPException, Stopped) as error:
            app = of_error(error)
        messages = iter([{"type": "http.request", "body": bytes(body), "more_body": False}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        try:
            await app(scope, replay, send)
        finally:
            self._shares.give(client, len(body))


async def arriving(receive: Receive, most: int, seconds: float) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they come."""
    size, until, more = 0, asyncio.get_running_loop().time() + seconds, True
    while more:
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            text = f"the body did not arrive within {seconds:g} seconds"
            raise HTTPException(408, text, CLOSE) from None
        if message["type"] == "http.disconnect":
            raise HTTPException(400, "the client left before its body arrived")
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise HTTPException(413, f"the body is larger than {most:,} bytes", CLOSE)
        yield part
        more = message.get("more_body", False)


class Rate:
    """A token bucket per client: ``rate`` requests a second, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str, now: float | None = None) -> bool:
        """Whether a client may ask now; if so, that it asked is noted."""
        now = time.monotonic() if now is None else now
        left, before = self._clients.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - before) * self._rate)
        self._clients[client] = (max(0.0, left - 1), now)
        if len(self._clients) > CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1
