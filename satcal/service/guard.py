"""Limits that granian does not offer: on a body, on the time of an answer, on requests at once.

The guard is plain ASGI around the application. It also adds the headers that tell a browser what a
page of ours may do, names each complete answer by its digest, and reports it.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

CHUNK = 65_536
"""Bytes handed to the server at a time: the most of an unread answer that stays in memory."""
MAX_BODY = 524_288
"""Bytes of a body; a posted board has at most half of that."""
MAX_UPLOAD = 8 * 2**20
"""Bytes of a certificate: the largest of one date has two million."""
MAX_BODIES = 32 * 2**20
"""Bytes of all bodies that are on their way or being answered."""
CACHING = "private, no-cache"
"""Kept, but asked about: a 304 costs nothing."""
UPLOADS = "/certificates"
ALWAYS = ("/health", "/ready")
"""What a supervisor asks, however busy the service is."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
ALONE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of a picture that is opened by itself: it may show itself, and nothing else."""


class Refused(Exception):
    """A request that is refused before the application sees it."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


class Guard:
    """Bound what a request may cost; the application sees only whole bodies.

    ``refuse`` makes the answer to a refused request. ``note`` is called with the request, its
    status and the seconds to the start of the answer.
    """

    def __init__(
        self,
        app: App,
        refuse: Callable[[Refused], App],
        note: Callable[[Any, int, float], None],
        body_seconds: float = 10,
        answer_seconds: float = 30,
        requests: int = 256,
    ) -> None:
        self._app, self._refuse, self._note = app, refuse, note
        self._body_seconds, self._answer_seconds = body_seconds, answer_seconds
        self._free, self._room = requests, MAX_BODIES

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Read the body, pass the request on, and send the answer in chunks."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # answered as GET; the server leaves the body out
            scope["method"] = "GET"
        app, body, began, size = self._app, b"", time.monotonic(), 0
        start: list[Message] = []  # waits for the body, whose digest is its name

        async def reply(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.append(message)
                return
            if start:
                first = start.pop()
                if first["status"] == 200 and not message.get("more_body"):
                    message = name_by_digest(scope, first, message)
                add_headers(first)
                self._note(scope, first["status"], time.monotonic() - began)
                await self._send(first, send)
            await self._send(message, send)

        try:
            size = self._take_room(scope)
            body = await self._read(size, receive)
            if self._free <= 0 and scope["path"] not in ALWAYS:
                raise Refused(503, "too many requests at once; try again in a moment")
        except Refused as refused:
            app = self._refuse(refused)
        except BaseException:
            self._room += size
            raise
        self._free -= 1  # only now: a slow body takes nobody's place
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        try:
            await app(scope, replay, reply)
        except* TimeoutError:
            pass  # the client does not read; what is left unsent makes the server close
        finally:
            self._free += 1
            self._room += size

    def _take_room(self, scope: Any) -> int:
        """Return the size of the body, for which room is taken, or raise Refused."""
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            raise Refused(411, "send the body with a Content-Length, not in chunks")
        length = headers.get(b"content-length", b"0")
        limit = MAX_UPLOAD if scope["path"].endswith(UPLOADS) else MAX_BODY
        if not length.isdigit() or len(length) > 12 or int(length) > limit:
            raise Refused(413, f"the body is larger than {limit:,} bytes")
        if int(length) > self._room:
            raise Refused(503, "too many large requests at once; try again in a moment")
        self._room -= int(length)
        return int(length)

    async def _read(self, size: int, receive: Receive) -> bytes:
        """Return the whole body, or raise Refused."""
        body, more = bytearray(), size > 0
        try:
            async with asyncio.timeout(self._body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Refused(400, "the client left before its body arrived")
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
        except TimeoutError:
            text = f"the body did not arrive within {self._body_seconds:g} seconds"
            raise Refused(408, text) from None
        return bytes(body)

    async def _send(self, message: Message, send: Send) -> None:
        """Send a message in chunks; raise TimeoutError if the client does not take one."""
        body = message.get("body", b"")
        async with asyncio.timeout(self._answer_seconds):
            while len(body) > CHUNK:
                await send({**message, "body": body[:CHUNK], "more_body": True})
                body = body[CHUNK:]
            await send({**message, "body": body} if "body" in message else message)


def name_by_digest(scope: Any, start: Message, message: Message) -> Message:
    """Add an ETag to the start of an answer; leave its body out if the client has it."""
    body = message.get("body", b"")
    headers = MutableHeaders(scope=start)
    headers["ETag"] = tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers.setdefault("Cache-Control", CACHING)
    known = Headers(scope=scope).get("if-none-match", "").split(",")
    if tag not in (other.strip().removeprefix("W/") for other in known):
        return message
    start["status"] = 304
    del headers["Content-Length"]
    return {**message, "body": b""}


def add_headers(message: Message) -> None:
    """Add our headers to the start of an answer, where a route has not set them."""
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if headers.get("content-type", "").startswith("image/svg"):
        headers["Content-Security-Policy"] = ALONE
