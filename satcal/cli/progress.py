"""The output of a command on stderr: warnings, information and progress."""

from __future__ import annotations

from contextlib import AbstractContextManager

import click

from satcal.progress import Progress, reporting


def escape(text: str) -> str:
    """Return a text with all invisible characters but line feeds escaped."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def warn(text: str) -> None:
    """Print a warning."""
    click.echo(escape(text), err=True)


def info(text: str) -> None:
    """Print a message, unless the command line has ``--quiet``."""
    if not click.get_current_context().meta.get("quiet"):
        click.echo(escape(text), err=True)


def is_quiet() -> bool:
    """Return whether the command line has ``--quiet``."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("quiet"))


def progress(title: str) -> AbstractContextManager[Progress]:
    """Return a context whose value, ``step(done, total, text)``, shows progress after a second."""
    return reporting(not is_quiet(), title)
