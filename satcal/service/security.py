"""Who may ask, and what a browser is told: hosts, tokens, origins, rates, and headers."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from fastapi import Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcal.service.config import Config, is_loopback
from satcal.service.limits import LONGEST_HEAD, LONGEST_TARGET, Rate
from satcal.service.problems import of_status

COOKIE = "satcal_token"
OPEN = ("/health", "/ready")  # what a supervisor asks without a token
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# an SVG opened by itself is a document: it may show itself, and nothing else
ALONE = "default-src 'none'; sandbox"


class Guard:
    """Lets a request through, or refuses it; adds the headers to every answer."""

    def __init__(self, app: ASGIApp, config: Config) -> None:
        self._app, self._config = app, config
        self._rate = Rate(config.limits.rate, config.limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message)
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that is refused."""
        headers = Headers(scope=scope)
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_TARGET:
            return of_status(414, f"the address is longer than {LONGEST_TARGET} bytes")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEAD:
            return of_status(431, f"the headers have more than {LONGEST_HEAD} bytes")
        if not self._knows(headers.get("host", "")):
            return of_status(421, "this service does not go by that name; see --name")
        client = scope["client"][0] if scope.get("client") else ""
        if not is_loopback(client) and not self._rate.allows(client):
            return of_status(429, "too many requests; slow down", {"Retry-After": "1"})
        if scope["path"] not in OPEN and self._config.token is not None:
            refusal = self._without_token(scope, headers)
            if refusal is not None:
                return refusal
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and _from_elsewhere(headers):
            return of_status(403, "a page of another site must not change anything here")
        return None

    def _knows(self, host: str) -> bool:
        """Whether a Host header is a name of ours: others come from rebound DNS."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        if not self._config.loopback and not self._config.names:
            return True  # the token protects it, and we do not know how it is called
        known = {"localhost", self._config.host, *self._config.names}
        return name in known or is_loopback(name)

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request without the token; a link with it sets a cookie."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._fits(given):
            return None
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None and self._fits(cookie.value):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and self._fits(query.pop("token", [""])[0]):
            # the token must not stay in the address, where it would be copied with the link
            rest = urlencode(query, doseq=True)
            answer = Response(
                status_code=303, headers={"Location": scope["path"] + (f"?{rest}" if rest else "")}
            )
            answer.set_cookie(
                COOKIE, self._config.token or "", httponly=True, samesite="strict", path="/",
                secure=scope["scheme"] == "https", max_age=30 * 86400,
            )  # fmt: skip
            return answer
        return of_status(
            401, "send the token: Authorization: Bearer TOKEN, or open /?token=TOKEN once",
            {"WWW-Authenticate": "Bearer"},
        )  # fmt: skip

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self._config.token or "").encode())


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that a page of another origin sends this."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


def _add_headers(message: Message) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if headers.get("content-type", "").startswith("image/svg"):
        headers["Content-Security-Policy"] = ALONE
