"""Access control: by token, or for this machine only; ``--public`` lets everyone read."""

from __future__ import annotations

import hmac
import re
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from satcal.service.settings import Settings

LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
"""The Host headers of this machine. A foreign site may let any other name resolve to it."""
PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
TOKEN = HTTPBearer(auto_error=False, description="the token that `satcal serve` was started with")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(TOKEN)]
SEND_TOKEN = "send the token: 'Authorization: Bearer TOKEN'"


async def admit(request: Request, credentials: Credentials) -> None:
    """Refuse a client that may not read."""
    settings: Settings = request.app.state.settings
    if not holds_token(request, credentials) and not settings.public:
        raise HTTPException(401, SEND_TOKEN)


async def admit_jobs(request: Request, credentials: Credentials) -> None:
    """Refuse a client that may not run jobs, and a browser that another site made ask."""
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise HTTPException(403, f"a page of another site may not ask for {request.url.path}")
    if not holds_token(request, credentials):
        raise HTTPException(401, f"{request.url.path} needs the token; {SEND_TOKEN}")


def holds_token(request: Request, credentials: HTTPAuthorizationCredentials | None) -> bool:
    """Return whether the request has the token, or the service has none.

    Raises:
        HTTPException: the token is wrong; or the service has none, and the request is from another
            machine.
    """
    token = request.app.state.settings.token
    if not token:
        # the header as it came, because a framework replaces one that it cannot read; a proxy may
        # forward a request from anywhere, whatever its Host header says
        hosts = request.headers.getlist("host")
        is_local = len(hosts) == 1 and LOCAL_HOST.fullmatch(hosts[0])
        if not is_local or any(name in request.headers for name in PROXY_HEADERS):
            raise HTTPException(403, "without a token only this machine may ask, and no proxy")
        return True
    if credentials is None:
        return False
    if not hmac.compare_digest(credentials.credentials.encode(), token.encode()):
        raise HTTPException(401, f"this is not the token; {SEND_TOKEN}")
    return True
