"""Errors as problem documents (RFC 9457): satcal's, the framework's, and unexpected ones."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from satcal.errors import FileTrouble, SatcalError, StoreError, did_you_mean, quote

log = logging.getLogger(__name__)
CLOSING_STATUSES = (401, 408, 411, 413)
"""After these answers the rest of the body could still arrive, so the connection closes."""
RETRY_AFTER = "2"  # seconds
FOLDER = re.compile(r"(?:/[^/\s:]+)+/(?=[^/\s:]+)")
OPTION = re.compile(r"--([a-z][a-z-]*)")
"""An option of the command line; the detail of an answer names the field instead."""


class Problem(JSONResponse):
    """A problem document."""

    media_type = "application/problem+json"

    def __init__(
        self, status: int, detail: str, type: str = "urn:satcal:RequestError", **extensions: Any
    ) -> None:
        headers = {"Cache-Control": "no-store"}
        headers |= {"Connection": "close"} if status in CLOSING_STATUSES else {}
        headers |= {"Retry-After": RETRY_AFTER} if status == 503 else {}
        headers |= {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        title = HTTPStatus(status).phrase
        fields = {"type": type, "title": title, "status": status, "detail": detail}
        super().__init__(fields | extensions, status, headers)


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
        detail = OPTION.sub(lambda option: option[1].replace("-", "_"), fields["detail"])
        return Problem(status, detail, fields["type"])

    @app.exception_handler(RequestValidationError)
    async def handle_validation_error(_: Request, error: RequestValidationError) -> Problem:
        return make_validation_problem(error.errors()[0])

    @app.exception_handler(HTTPException)
    async def handle_http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and wants_page(request):
            return HTMLResponse(missing_page, 404)
        detail = str(error.detail)
        if detail == HTTPStatus.NOT_FOUND.phrase:
            detail = f"there is nothing at {request.url.path}; /api/v1/ lists the routes"
        elif error.status_code == 405:
            detail = f"{request.url.path} does not take {request.method}; /api/v1/ lists the routes"
        elif error.status_code == 400:
            detail = "the body cannot be read; send JSON in UTF-8"
        problem = Problem(error.status_code, detail)
        problem.headers.update(error.headers or {})  # such as Allow
        return problem


def wants_page(request: Request) -> bool:
    """Return whether a browser opens an address that is not the API's."""
    is_api = request.url.path.startswith("/api/")
    return not is_api and "text/html" in request.headers.get("accept", "")


def make_validation_problem(mistake: Mapping[str, Any]) -> Problem:
    """Return the problem document for a mistake that pydantic reports."""
    kind, (place, *path), value = mistake["type"], mistake["loc"], mistake["input"]
    if kind == "json_invalid":
        return Problem(400, f"the body is not JSON: {mistake['ctx']['error']}")
    if kind.startswith("union_tag"):  # if the kind is unknown, pydantic reports the whole body
        path, value = ["kind"], value.get("kind")
    elif len(path) > 1 and path[0] in JOB_KINDS:
        del path[0]
    field = ".".join(map(str, path)) or place
    text = quote(value) if isinstance(value, str) else f"{json.dumps(value):.40}"
    if kind == "extra_forbidden":
        candidates = [name for name in FIELDS if name != field]  # perhaps a field of other requests
        message = "this request has no such field" + did_you_mean(field, candidates)
    else:
        found = "missing" if kind in ("missing", "union_tag_not_found") else text
        message = f"{MESSAGES.get(kind) or SUBJECT.sub('must', mistake['msg'])}; it is {found}"
    detail = f"{field}: {message}; /docs describes what is expected"
    return Problem(422, detail, field=field, value=text)


JOB_KINDS = ("count", "certificate")
"""The kinds of posted jobs; pydantic puts the kind before the field."""
MESSAGES = {
    "missing": "must be given",
    "model_attributes_type": "must be a JSON object",
    "union_tag_invalid": "must be count or certificate",
    "union_tag_not_found": "must be count or certificate",
}
"""The messages that replace those of pydantic."""
SUBJECT = re.compile(r"\w+ should")
"""The beginning of the other messages of pydantic; the detail names the field instead."""
FIELDS = (
    *("date", "dates", "year", "reveal", "all_reveals", "place", "offset", "limit", "seed", "rank"),
    *("format", "encoding", "open", "theme", "size", "definition", "kind", "puzzle", "method"),
)
"""The fields of all requests, for suggestions."""
