"""Pages from templates; everything is escaped that a template does not make itself."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Any

from fastapi import Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from satcal.version import __version__


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("satcal.service", "html"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals["version"] = __version__
    environment.globals["assets"] = assets()
    return environment


@cache
def assets() -> str:
    """Return what names the present static files: they are kept by browsers for ever."""
    digest = hashlib.sha256()
    for file in sorted((resources.files("satcal.service") / "static").iterdir(), key=str):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def render(name: str, request: Request, status: int = 200, **values: Any) -> Response:
    """Return a page."""
    text = _environment().get_template(name).render(path=request.url.path, **values)
    return Response(
        text, status, {"Cache-Control": "private, no-cache"}, "text/html; charset=utf-8"
    )
