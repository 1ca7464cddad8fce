"""The output of a command on stderr: warnings, information and progress."""

from __future__ import annotations

from contextlib import AbstractContextManager

import click

from satcal.progress import Progress, reporting


def warn(text: str) -> None:
    """Print a warning."""
    click.echo(text, err=True)


def info(text: str) -> None:
    """Print a message, unless the command line has ``--quiet``."""
    if not click.get_current_context().meta.get("quiet"):
        click.echo(text, err=True)


def is_quiet() -> bool:
    """Return whether the command line has ``--quiet``."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("quiet"))


def progress(title: str) -> AbstractContextManager[Progress]:
    """Return a context whose value, ``step(done, total, text)``, shows progress after a second."""
    return reporting(not is_quiet(), title)
