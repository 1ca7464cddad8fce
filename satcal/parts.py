"""The optional parts of satcal, and the command that adds one to this installation."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

PARTS = {
    "check-with": ("clingo", "d4Solver", "miniexact", "ortools", "pyganak", "xcover"),
    "cluster": ("distributed",),
    "draw": ("cairosvg", "pillow"),
    "postgres": ("psycopg[binary]",),
    "service": ("fastapi", "fastapi-offline", "granian", "prometheus-client"),
}
"""The packages of each part, which are those of the extra in pyproject.toml."""


def command_for(part: str) -> str:
    """Return the command that installs a part, by pipx or uv if they installed satcal, else by pip.

    It names packages and not an extra of satcal, because the name satcal may belong to another
    package on an index.
    """
    packages = PARTS[part]
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").exists():
        return f"pipx inject satcal {shlex.join(packages)}"
    if (home / "uv-receipt.toml").exists():
        options = " ".join(f"--with {shlex.quote(package)}" for package in packages)
        return f"uv tool install {options} {shlex.quote(_find_source())}"
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.join(packages)}"


def _find_source() -> str:
    """Return the source of the installation: a folder, a file, or the name on an index."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("satcal").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return "satcal"
    url = origin.get("url", "satcal")
    return url2pathname(urlsplit(url).path) if url.startswith("file:") else str(url)
