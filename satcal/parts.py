"""The optional parts of satcal, and the command that adds one to this installation."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec

PARTS = {
    "check-with": ("clingo", "d4Solver", "miniexact", "ortools", "pyganak", "xcover"),
    "cluster": ("distributed",),
    "draw": ("cairosvg", "pillow"),
    "postgres": ("psycopg[binary]",),
    "service": ("fastapi", "fastapi-offline", "granian", "prometheus-client"),
}
"""The packages of each part, which are those of the extra in pyproject.toml."""


def command_for(part: str) -> str:
    """Return the command that installs a part, by pip or, in an environment without it, by uv.

    It names packages and not an extra of satcal, because the name satcal may belong to another
    package on an index.
    """
    packages, python = shlex.join(PARTS[part]), shlex.quote(sys.executable)
    if find_spec("pip") is None:
        return f"uv pip install --python {python} {packages}"
    return f"{python} -m pip install {packages}"
