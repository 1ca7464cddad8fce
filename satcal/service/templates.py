"""Pages that are made here, of the templates in ``html``: the API's description, and problems."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

HTML = "text/html; charset=utf-8"


@cache
def _environment() -> Environment:
    """Return what makes pages; everything is escaped that a template does not make itself."""
    environment = Environment(
        loader=PackageLoader("satcal.service", "html"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["marked"] = marked
    return environment


def html(template: str, **values: object) -> bytes:
    """Return a page."""
    return _environment().get_template(template).render(**values).encode()


def marked(text: str) -> Markup:
    """Return a text of ours as HTML: what stands in backticks is code."""
    return Markup(re.sub(r"(`+)(.+?)\1", r"<code>\2</code>", str(escape(text))))
