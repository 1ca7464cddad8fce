"""The optional parts of satcal, and the command that adds one to this installation."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

DRAW = ("cairosvg", "pillow")
PARTS = {
    "check-with": ("clingo", "d4Solver", "miniexact", "ortools", "pyganak", "xcover"),
    "cluster": ("distributed",),
    "draw": DRAW,
    "postgres": ("psycopg[binary]",),
    "service": (*DRAW, "fastapi", "fastapi-offline", "granian", "prometheus-client"),
}
"""Of each part the packages that it needs, as the extras of pyproject.toml name them."""


def command_for(part: str) -> str:
    """Return the command that adds a part: by pipx or uv if they installed satcal, else by pip.

    It names packages and no extra of satcal, whose name on a package index may be another's.
    """
    packages = PARTS[part]
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").exists():
        return f"pipx inject satcal {shlex.join(packages)}"
    if (home / "uv-receipt.toml").exists():
        added = " ".join(f"--with {shlex.quote(package)}" for package in packages)
        return f"uv tool install {added} {shlex.quote(_source())}"
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.join(packages)}"


def _source() -> str:
    """Return from where satcal was installed: a folder or file, or its name on an index."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("satcal").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return "satcal"
    url = origin.get("url", "satcal")
    return url2pathname(urlsplit(url).path) if url.startswith("file:") else str(url)
