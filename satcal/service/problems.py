"""Errors as problem documents (RFC 9457): satcal's, the framework's, and unexpected ones."""

from __future__ import annotations

import json
import logging
import re
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from satcal.errors import FileTrouble, SatcalError, StoreError

log = logging.getLogger(__name__)
CLOSING_STATUSES = (401, 408, 411, 413)
"""After these answers the rest of the body could still arrive, so the connection closes."""
RETRY_AFTER = "2"  # seconds
FOLDER = re.compile(r"(?:/[^/\s:]+)+/(?=[^/\s:]+)")


class Problem(JSONResponse):
    """A problem document."""

    media_type = "application/problem+json"

    def __init__(self, status: int, detail: str, type: str = "urn:satcal:RequestError") -> None:
        headers = {"Cache-Control": "no-store"}
        headers |= {"Connection": "close"} if status in CLOSING_STATUSES else {}
        headers |= {"Retry-After": RETRY_AFTER} if status == 503 else {}
        headers |= {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        title = HTTPStatus(status).phrase
        fields = {"type": type, "title": title, "status": status, "detail": detail}
        super().__init__(fields, status, headers)


def problem_fields(error: Exception) -> dict[str, str]:
    """Return the type and the detail of an error, without the folder of the store."""
    kind, text = type(error).__name__, str(error)
    if isinstance(error, StoreError | FileTrouble):
        text = FOLDER.sub("", text)
    elif not isinstance(error, SatcalError):
        kind, text = "InternalError", f"internal error: {kind}; the server's log says more"
    return {"type": f"urn:satcal:{kind}", "detail": text}


def install(app: FastAPI, missing_page: bytes) -> None:
    """Answer every error of an application with a problem document.

    A browser that opens a page that does not exist gets ``missing_page``.
    """

    @app.exception_handler(SatcalError)
    @app.exception_handler(Exception)
    async def handle_error(request: Request, error: Exception) -> Response:
        status = error.http_status if isinstance(error, SatcalError) else 500
        if status == 404 and wants_page(request):
            return HTMLResponse(missing_page, 404)
        fields = problem_fields(error)
        return Problem(status, fields["detail"], fields["type"])

    @app.exception_handler(RequestValidationError)
    async def handle_validation_error(_: Request, error: RequestValidationError) -> Problem:
        mistake = error.errors()[0]
        kind, (place, *path), message = mistake["type"], mistake["loc"], mistake["msg"]
        if kind == "json_invalid":
            return Problem(400, f"the body is not JSON: {mistake['ctx']['error']}")
        field = ".".join(map(str, path)) or place
        # what was sent; where a field is missing, pydantic has all the others
        sent = (
            "" if kind == "missing" else f", not {json.dumps(mistake['input'], default=repr):.40}"
        )
        return Problem(422, f"{field}: {message}{sent}; /docs describes what is expected")

    @app.exception_handler(HTTPException)
    async def handle_http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and wants_page(request):
            return HTMLResponse(missing_page, 404)
        detail = str(error.detail)
        if detail == HTTPStatus(error.status_code).phrase:  # the framework's
            detail = f"{request.method} {request.url.path}: {detail}; /docs lists the routes"
        problem = Problem(error.status_code, detail)
        problem.headers.update(error.headers or {})  # such as Allow
        return problem


def wants_page(request: Request) -> bool:
    """Return whether a browser opens an address that is not the API's."""
    is_api = request.url.path.startswith("/api/")
    return not is_api and "text/html" in request.headers.get("accept", "")
