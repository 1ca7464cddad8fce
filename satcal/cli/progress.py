"""What a command says on stderr beside its result: warnings, notes, and how far work is."""

from __future__ import annotations

from contextlib import AbstractContextManager

import click

from satcal.progress import Progress, reporting


def warn(text: str) -> None:
    """Print something that the user must see."""
    click.echo(text, err=True)


def info(text: str) -> None:
    """Print something that ``--quiet`` leaves out."""
    if not click.get_current_context().meta.get("quiet"):
        click.echo(text, err=True)


def quiet() -> bool:
    """Return whether the command line has ``--quiet``."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("quiet"))


def progress(what: str) -> AbstractContextManager[Progress]:
    """Show how far work is, once it has taken a second: ``step(done, total, text)``.

    The layers of a diagram and the dates of a range are reported in the same way.
    """
    return reporting(not quiet(), what)
