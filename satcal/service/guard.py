"""Limits that granian does not offer: on bodies, on concurrent requests, on slow clients.

The guard is ASGI middleware. It ends the work for a client that left. It also adds the security
headers and an ETag to each answer, and records its status and time.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from satcal.service.problems import Problem

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

CHUNK = 65_536
"""Bytes passed to the server at a time, so that an unread answer takes little memory."""
MAX_BODY = 524_288
"""Limit on the bytes of a body; a posted board has at most half of them."""
MAX_TOTAL = 32 * 2**20
"""Limit on the bytes of the bodies of all concurrent requests."""
BODY_SECONDS = 10
"""The time in which a body has to arrive."""
ANSWER_SECONDS = 30
"""The time in which a client has to take each part of its answer."""
MAX_REQUESTS = 256
"""Limit on the requests that run."""
PLACE_SECONDS = 5
"""The time that further requests wait for a place."""
CACHE_CONTROL = "private, no-cache"
"""A browser caches an answer, but revalidates it: a 304 costs nothing."""
CLIENT_LEFT = 499
"""The status that stands in the metrics for a request whose client left."""
PROBES = ("/health", "/ready")
"""Paths that supervisors request; the limit on concurrent requests excludes them."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of an SVG that is opened as a document: it runs nothing and loads nothing."""


class UnreadAnswer(Exception):
    """The client does not read its answer."""


class Guard:
    """Middleware that limits what a request may cost and passes only complete bodies on.

    ``record`` is called with the scope, the status and the seconds until the answer starts.
    """

    def __init__(self, app: App, record: Callable[[Any, int, float], None]) -> None:
        self._app, self._record = app, record
        self._places = asyncio.Semaphore(MAX_REQUESTS)
        self._free_bytes = MAX_TOTAL

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Read the body, call the application, and send its answer in chunks."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # answered as GET; the server leaves the body out
            scope["method"] = "GET"
        app, body, start_time = self._app, bytearray(), time.monotonic()
        pending: list[Message] = []  # the start of the answer waits for the body, for its ETag

        async def reply(message: Message) -> None:
            if message["type"] == "http.response.start":
                pending.append(message)
                return
            if pending:
                start = pending.pop()
                if start["status"] == 200 and not message.get("more_body"):
                    message = add_etag(scope, start, message)
                add_headers(start)
                self._record(scope, start["status"], time.monotonic() - start_time)
                await self._send(start, send)
            await self._send(message, send)

        try:
            try:
                await self._read(scope, body, receive)
            except HTTPException as error:
                app = Problem(error.status_code, error.detail)
            has_left = await self._answer(app, scope, bytes(body), receive, reply)
        except ClientDisconnect:
            has_left = True
        finally:
            self._free_bytes += len(body)
        if has_left:
            self._record(scope, CLIENT_LEFT, time.monotonic() - start_time)

    async def _answer(
        self, app: App, scope: Any, body: bytes, receive: Receive, send: Send
    ) -> bool:
        """Call an application; cancel it and return True when the client leaves."""
        left = asyncio.create_task(wait_until_left(receive))
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return messages.pop() if messages else await asyncio.shield(left)

        answering = asyncio.create_task(self._call(app, scope, replay, send))
        try:
            await asyncio.wait([answering, left], return_when=asyncio.FIRST_COMPLETED)
        finally:
            left.cancel()
            if has_left := not answering.done():
                answering.cancel()
                await asyncio.wait([answering])
        if not answering.cancelled():
            answering.result()
        return has_left

    async def _call(self, app: App, scope: Any, receive: Receive, send: Send) -> None:
        """Call an application at a place among the requests that run; probes need none."""
        async with AsyncExitStack() as place:
            try:
                # not earlier: a slow upload must not block other requests
                async with asyncio.timeout(PLACE_SECONDS):
                    if scope["path"] not in PROBES:
                        await place.enter_async_context(self._places)
            except TimeoutError:
                app = Problem(503, "too many requests at once; try again in a moment")
            try:
                await app(scope, receive, send)
            except* UnreadAnswer:
                pass  # the server closes the incomplete answer

    async def _read(self, scope: Any, body: bytearray, receive: Receive) -> None:
        """Read the complete body, and count its bytes as they arrive; or raise HTTPException."""
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            raise HTTPException(411, "send the body with a Content-Length, not in chunks")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 12 or int(length) > MAX_BODY:
            raise HTTPException(413, f"the body is larger than {MAX_BODY:,} bytes")
        more = int(length) > 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnect
                    part = message.get("body", b"")
                    if len(part) > self._free_bytes:
                        raise HTTPException(503, "too many large requests at once; try again")
                    self._free_bytes -= len(part)
                    body += part
                    more = message.get("more_body", False)
        except TimeoutError:
            detail = f"the body did not arrive within {BODY_SECONDS:g} seconds"
            raise HTTPException(408, detail) from None

    async def _send(self, message: Message, send: Send) -> None:
        """Send a message in chunks; raise UnreadAnswer if the client does not read it in time."""
        body = message.get("body", b"")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while len(body) > CHUNK:
                    await send({**message, "body": body[:CHUNK], "more_body": True})
                    body = body[CHUNK:]
                await send({**message, "body": body} if "body" in message else message)
        except TimeoutError:
            raise UnreadAnswer from None


async def wait_until_left(receive: Receive) -> Message:
    """Return the message that the client has left."""
    while (message := await receive())["type"] != "http.disconnect":
        pass
    return message


def add_etag(scope: Any, start: Message, message: Message) -> Message:
    """Add an ETag to the start of an answer; return an empty body if the client has the answer."""
    body = message.get("body", b"")
    headers = MutableHeaders(scope=start)
    headers["ETag"] = tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers.setdefault("Cache-Control", CACHE_CONTROL)
    cached = Headers(scope=scope).get("if-none-match", "").split(",")
    if tag not in (text.strip().removeprefix("W/") for text in cached):
        return message
    start["status"] = 304
    del headers["Content-Length"]
    return {**message, "body": b""}


def add_headers(message: Message) -> None:
    """Add the security headers that the route has not set."""
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if headers.get("content-type", "").startswith("image/svg"):
        headers["Content-Security-Policy"] = PICTURE_POLICY
