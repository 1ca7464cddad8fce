"""Errors as problem+json (RFC 9457): ours, the framework's, and those nobody expected."""

from __future__ import annotations

import json
import logging
import re
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from satcal.errors import SatcalError

MEDIA = "application/problem+json"
_OPTION = re.compile(r"--([a-z][a-z-]*)")
_log = logging.getLogger(__name__)


def problem(
    status: int, kind: str, title: str, detail: str, headers: dict[str, str] | None = None
) -> Response:
    """Return a problem; its type is an URN of the error's class."""
    fields = {"type": f"urn:satcal:{kind}", "title": title, "status": status, "detail": detail}
    body = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, status, {"Cache-Control": "no-store"} | (headers or {}), MEDIA)


def of_error(error: SatcalError, headers: dict[str, str] | None = None) -> Response:
    """Return the problem of an error of ours; what it calls options are parameters here."""
    text = _OPTION.sub(lambda option: option[1].replace("-", "_"), str(error))
    kind = type(error)
    title = (kind.__doc__ or kind.__name__).splitlines()[0].rstrip(".")
    later = {"Retry-After": "2"} if kind.http_status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return problem(kind.http_status, kind.__name__, title, text, later | (headers or {}))


def of_status(status: int, detail: str = "", headers: dict[str, str] | None = None) -> Response:
    """Return the problem of a bare HTTP status."""
    phrase = HTTPStatus(status).phrase
    return problem(status, phrase.title().replace(" ", ""), phrase, detail or phrase, headers)


def install(app: FastAPI) -> None:
    """Answer every error of an application with a problem."""

    async def of_satcal(_: Request, error: Any) -> Response:
        return of_error(error)

    async def of_framework(request: Request, error: Any) -> Response:
        detail = "" if error.detail == HTTPStatus(error.status_code).phrase else str(error.detail)
        if error.status_code == HTTPStatus.BAD_REQUEST and "parsing the body" in detail:
            detail = "the body cannot be read; send JSON in UTF-8"
        if error.status_code == HTTPStatus.NOT_FOUND and not detail:
            detail = f"there is nothing at {request.url.path}; /docs describes what there is"
        return of_status(error.status_code, detail, dict(error.headers or {}))

    async def invalid(_: Request, error: Any) -> Response:
        mistakes = "; ".join(_validation(each) for each in error.errors()[:5])
        return problem(422, "RequestError", "The request is not as described", mistakes)

    async def unexpected(_: Request, error: Exception) -> Response:
        _log.error("unexpected", exc_info=error)
        return of_status(500, f"internal error: {type(error).__name__}; the log says more")

    app.add_exception_handler(SatcalError, of_satcal)
    app.add_exception_handler(HTTPException, of_framework)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, unexpected)


def _validation(error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
    return f"{where}: {error['msg']}"
