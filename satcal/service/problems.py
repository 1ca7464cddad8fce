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

from satcal.errors import FileTrouble, SatcalError, StoreError
from satcal.service.writing import without_folder
from satcal.store.location import Location

_OPTION = re.compile(r"--([a-z][a-z-]*)")
_log = logging.getLogger(__name__)


class ProblemResponse(Response):
    """A problem, whose type is an URN of the error's class."""

    media_type = "application/problem+json"

    def __init__(
        self,
        status: int,
        kind: str,
        title: str,
        detail: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        fields = {"type": f"urn:satcal:{kind}", "title": title, "status": status, "detail": detail}
        body = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
        super().__init__(body, status, {"Cache-Control": "no-store", **(headers or {})})


def of_error(error: SatcalError | HTTPException, headers: dict[str, str] | None = None) -> Response:
    """The problem of an error; what it calls options are parameters here."""
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase
        kind = phrase.title().replace(" ", "")
        return ProblemResponse(
            error.status_code, kind, phrase, error.detail, dict(error.headers or {})
        )
    text = _OPTION.sub(lambda option: option[1].replace("-", "_"), str(error))
    status, kind = error.http_status, type(error).__name__
    title = (type(error).__doc__ or kind).splitlines()[0].rstrip(".")
    later = {"Retry-After": "2"} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return ProblemResponse(status, kind, title, text, later | (headers or {}))


def install(app: FastAPI, location: Location) -> None:
    """Answer every error of an application with a problem; where its store is stays unsaid."""

    @app.exception_handler(SatcalError)
    @app.exception_handler(HTTPException)
    async def expected(request: Request, error: Any) -> Response:
        if isinstance(error, HTTPException):
            if error.status_code == 400 and "parsing the body" in error.detail:
                error.detail = "the body cannot be read; send JSON in UTF-8"
            if error.detail == HTTPStatus.NOT_FOUND.phrase:
                path = request.url.path
                error.detail = f"there is nothing at {path}; /docs describes what there is"
        if isinstance(error, StoreError | FileTrouble):
            error = type(error)(without_folder(str(error), location))
        return of_error(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        mistakes = "; ".join(map(_mistake, error.errors()[:5]))
        return ProblemResponse(422, "RequestError", "The request is not as described", mistakes)

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> Response:
        _log.error("unexpected", exc_info=error)
        name = type(error).__name__
        return of_error(HTTPException(500, f"internal error: {name}; the log says more"))


def _mistake(error: dict[str, Any]) -> str:
    where = ".".join(map(str, error["loc"][1:])) or str(error["loc"][0])
    return f"{where}: {error['msg']}"
