"""Write the routes of the service for the documentation: ``python -m tools.routes_page FILE``.

They are what the service says of itself as OpenAPI; nothing is written by hand.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satcal.service.app import make_api
from satcal.service.settings import Settings


def routes() -> dict[str, dict[str, Any]]:
    """Return the operations of each path, as OpenAPI has them."""
    app = make_api(Settings(store=""), datetime.date.today)
    paths: dict[str, dict[str, Any]] = app.openapi()["paths"]
    return paths


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# HTTP, route by route\n"
    yield "Generated from the service; [HTTP](http.md) has examples, errors and limits.\n"
    for path, operations in routes().items():
        yield f"## {path}\n"
        for method, operation in operations.items():
            yield f"**{method.upper()}** {operation['description']}\n"
            yield from parameters(operation)


def parameters(operation: dict[str, Any]) -> Iterator[str]:
    """Yield a table of the parameters of an operation, if it has any."""
    rows = operation.get("parameters", [])
    if not rows:
        return
    yield "| parameter | in | is |\n|---|---|---|"
    for row in rows:
        description = row.get("description", "required" if row["required"] else "")
        yield f"| `{row['name']}` | {row['in']} | {' '.join(description.split())} |"
    yield ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(page()) + "\n", encoding="utf-8")
