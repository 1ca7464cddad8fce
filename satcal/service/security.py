"""Who may ask what, and what a browser is told: hosts, tokens, origins, rates, and headers.

Who *plays* reads, counts by the diagram, takes hints and posts small boards; who has *jobs* needs
a token. On a machine of one's own nobody needs one; ``--public`` lets everybody play.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlencode

from fastapi import Request, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcal.errors import Stopped
from satcal.service.config import Config, is_loopback
from satcal.service.limits import CLOSE, LONGEST_TARGET, OPEN, Rate, Shares, client_of
from satcal.service.problems import of_error

Note = Callable[[Scope, int, float], None]
"""Called for each answer with its request, its status, and the seconds to its start."""
COOKIE = "satcal_token"
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
UNKNOWN = "send the token: Authorization: Bearer TOKEN, or open /?token=TOKEN once"
BEARER = {"WWW-Authenticate": "Bearer"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# an SVG opened by itself is a document: it may show itself, and nothing else
ALONE = "default-src 'none'; sandbox"


@dataclass(frozen=True)
class Caller:
    """Who asks: an address, and who they are if they may have jobs; on one's own machine ""."""

    address: str
    owner: str | None

    @property
    def client(self) -> str:
        """What shares are counted by."""
        return self.owner or self.address

    def owns(self, owner: str | None) -> bool:
        """Whether what belongs to an owner is the caller's own."""
        return self.owner in ("", owner)


def caller_of(request: Request) -> Caller:
    """The caller."""
    caller: Caller = request.scope["satcal.caller"]
    return caller


async def worker_of(request: Request) -> Caller:
    """The caller, if they may have jobs."""
    caller = caller_of(request)
    if caller.owner is None:
        raise HTTPException(401, f"jobs need a token; {UNKNOWN}", BEARER)
    return caller


class Guard:
    """Lets a request through, or refuses it; adds the headers to every answer, and notes it."""

    def __init__(
        self, app: ASGIApp, config: Config, note: Note, end_streams: Callable[[], None]
    ) -> None:
        self._app, self._config, self._note, self.end_streams = app, config, note, end_streams
        self._rate = Rate(config.limits.rate, config.limits.burst)
        self._shares = Shares("requests", config.limits.connections)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        # HEAD is answered as GET is; the server sends no body
        scope = {**scope, "method": scope["method"].replace("HEAD", "GET")}
        begun = time.perf_counter()
        answered = False
        coming = Headers(scope=scope).get("content-length", "0") != "0"

        async def received() -> Message:
            nonlocal coming
            message = await receive()
            coming = coming and message.get("more_body", False)
            return message

        async def guarded(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                _add_headers(message)
                if coming:  # nobody would read the rest of the body, nor wait for its end
                    MutableHeaders(scope=message).update(CLOSE)
                self._note(scope, message["status"], time.perf_counter() - begun)
            await send(message)

        with ExitStack() as held:
            try:
                answer = self._admit(scope) or self._app
                if scope["path"] not in OPEN:
                    held.enter_context(self._shares.lent(scope["satcal.caller"].address))
            except (HTTPException, Stopped) as error:
                answer = of_error(error)
            try:
                await answer(scope, received, guarded)
            except asyncio.CancelledError:  # by the server, which ends and has waited long enough
                if not answered:
                    await of_error(Stopped("the server is shutting down; try again later"))(
                        scope, received, guarded
                    )

    def _admit(self, scope: Scope) -> Response | None:
        """Note who asks, or refuse them; whoever opens a link with the token is sent on."""
        headers, config, address = Headers(scope=scope), self._config, client_of(scope)
        supervised = scope["path"] in OPEN
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_TARGET:
            raise HTTPException(414, f"the address is longer than {LONGEST_TARGET} bytes")
        if not self._knows(headers.get("host", "")):
            raise HTTPException(
                421,
                "this service does not answer to that host name; add it with satcal serve --name",
            )
        exempt = is_loopback(address) and (config.private or supervised)
        if not exempt and not self._rate.allows(address):
            raise HTTPException(429, "too many requests; slow down", {"Retry-After": "1"})
        if _foreign(scope, headers):
            raise HTTPException(403, "requests from pages of other sites are refused")
        owner = self._owner(scope, headers)
        scope["satcal.caller"] = Caller(address, owner)
        return None if supervised or owner is not None else self._without_token(scope, headers)

    def _knows(self, host: str) -> bool:
        """Whether a Host header is a name of ours: others come from rebound DNS."""
        if not is_loopback(self._config.host) and not self._config.names:
            return True  # the token protects it, and we do not know how it is called
        name = re.sub(r":\d+$", "", host)
        return name in ("localhost", self._config.host, *self._config.names) or is_loopback(name)

    def _owner(self, scope: Scope, headers: Headers) -> str | None:
        """The owner of the token that is sent; "" where nobody needs one, None without it."""
        if not self._config.tokens:
            forwarded = any(name in headers for name in FORWARDED)
            return None if forwarded else ""  # for somebody who is not at this machine
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            given = Request(scope).cookies.get(COOKIE, "")
        return self._named(given)

    def _named(self, given: str) -> str | None:
        """The owner of a token, which is no secret; None if it is none of ours."""
        fits = [
            hmac.compare_digest(given.encode(), token.encode()) for token in self._config.tokens
        ]
        return hashlib.sha256(given.encode()).hexdigest()[:16] if any(fits) else None

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Let whoever has no token play, where all may; turn a token in the link into a cookie."""
        if not self._config.tokens:
            text = "this request came through a proxy: start satcal serve with --name and --token"
            raise HTTPException(403, text)
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.pop("token", [""])[0]
        if scope["method"] == "GET" and self._named(given) is not None:
            # the token must not stay in the address, where it would be copied with the link; with
            # two slashes in front it would be the address of another host
            rest = urlencode(query, doseq=True)
            there = "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
            answer = Response(status_code=303, headers={"Location": there})
            answer.set_cookie(
                COOKIE,
                given,
                httponly=True,
                samesite="strict",
                path="/",
                secure=scope["scheme"] == "https",
                max_age=30 * 86400,
            )
            return answer
        if self._config.public and "authorization" not in headers:
            return None
        raise HTTPException(401, UNKNOWN, BEARER)


def _foreign(scope: Scope, headers: Headers) -> bool:
    """Whether a page of another origin sends this, other than by a link to a page of ours."""
    site, origin = headers.get("sec-fetch-site", "none"), headers.get("origin")
    if site in ("same-origin", "none") and (
        origin is None or origin.partition("://")[2] == headers.get("host")
    ):
        return False
    return not (
        scope["method"] == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not scope["path"].startswith("/api/")
    )


def _add_headers(message: Message) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if headers.get("content-type", "").startswith("image/svg"):
        headers["Content-Security-Policy"] = ALONE
