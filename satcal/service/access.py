"""Who may ask: without a token this machine, with one its holders; ``--public`` lets all read."""

from __future__ import annotations

import hmac
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from satcal.service.settings import Settings

LOCAL = ("localhost", "127.0.0.1", "[::1]", "::1")
"""The hosts that are this machine. Another name may be one that leads here from elsewhere."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
TOKEN = HTTPBearer(auto_error=False, description="the token that `satcal serve` was started with")
Sent = Annotated[HTTPAuthorizationCredentials | None, Depends(TOKEN)]
WAY = "send the token: 'Authorization: Bearer TOKEN'"


async def admit(request: Request, sent: Sent) -> None:
    """Refuse who may not read."""
    settings: Settings = request.app.state.settings
    if not holds_token(request, sent) and not settings.public:
        raise HTTPException(401, WAY)


async def admit_work(request: Request, sent: Sent) -> None:
    """Refuse who may not have jobs."""
    if not holds_token(request, sent):
        raise HTTPException(401, f"{request.url.path} needs the token; {WAY}")


def holds_token(request: Request, sent: HTTPAuthorizationCredentials | None) -> bool:
    """Return whether the token is sent, or none is needed.

    Raises:
        HTTPException: a wrong token; or none is needed, and the request is not from this machine.
    """
    token = request.app.state.settings.token
    if not token:
        # what a proxy sends on may be from anywhere, whatever host it says
        if request.url.hostname not in LOCAL or any(h in request.headers for h in FORWARDED):
            raise HTTPException(403, "without a token only this machine may ask, and no proxy")
        return True
    if sent is None:
        return False
    if not hmac.compare_digest(sent.credentials.encode(), token.encode()):
        raise HTTPException(401, f"this is not the token; {WAY}")
    return True


def expect(media: str) -> Any:
    """Return a dependency that answers 415 unless Content-Type is ``media``.

    A page of another site can send this type only after a preflight request, which we refuse.
    """

    async def check(request: Request) -> None:
        kind = request.headers.get("content-type", "")
        if kind.partition(";")[0].strip().lower() != media:
            what = f"is '{kind[:100]}'" if kind else "is missing"
            raise HTTPException(415, f"the header Content-Type {what}; send {media}")

    return Depends(check)
