"""Progress on stderr: a live display by rich on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import click

from satcal.progress import Progress

PLAIN_EVERY = 5.0  # seconds between plain lines: a log should not drown in them

Advance = Callable[[str], None]
"""Says that one more of the total is done, and which."""


def quiet() -> bool:
    """Whether the command line has ``--quiet``."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get("quiet", False)


def say(text: str) -> None:
    """Say something that is no result."""
    click.echo(text, err=True)


def note(text: str) -> None:
    """Say what ``--quiet`` leaves out."""
    if not quiet():
        say(text)


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show progress towards a total; one step is too little to talk about."""
    if quiet() or total <= 1:
        yield lambda text: None
    elif sys.stderr.isatty():
        from rich import progress as rich
        from rich.console import Console
        from rich.table import Column

        columns = (  # on a narrow terminal the bar shrinks, and no number
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.MofNCompleteColumn(table_column=Column(no_wrap=True)),
            rich.TimeRemainingColumn(table_column=Column(no_wrap=True)),
            rich.TextColumn("{task.fields[text]}", markup=False),
        )
        with rich.Progress(*columns, console=Console(stderr=True), transient=True) as display:
            task = display.add_task(what, total=total, text="")
            yield lambda text: display.update(task, advance=1, text=text)
    else:
        yield _lines(what, total)


def _lines(what: str, total: int) -> Advance:
    """A function that writes a line for the last step, and now and then for others."""
    done, last_line = 0, time.monotonic()
    say(f"{what}: 0 of {total}")

    def advance(text: str) -> None:
        nonlocal done, last_line
        done += 1
        if done == total or time.monotonic() - last_line >= PLAIN_EVERY:
            last_line = time.monotonic()
            say(f"{what}: {done} of {total}" + (f", {text}" if text else ""))

    return advance


def layers() -> AbstractContextManager[Progress]:
    """Show how far a diagram is built, if that takes more than a second."""
    return now_and_then(
        lambda n, total, what: f"building the diagram: layer {n} of {total}, {what}"
    )


@contextmanager
def now_and_then(words: Callable[[int, int, str], str]) -> Iterator[Progress]:
    """Show how far work is, in some words, if it takes more than a second."""
    live = sys.stderr.isatty()
    begun = last_line = time.monotonic()
    with ExitStack() as ends:
        show: Callable[[str], None] | None = None

        def step(done: int, total: int, what: str) -> None:
            nonlocal last_line, show
            now = time.monotonic()
            if quiet() or now - begun < 1 or now - last_line < (0 if live else PLAIN_EVERY):
                return
            last_line = now
            line = words(done, total, what)
            if live and show is None:
                from rich.console import Console

                show = ends.enter_context(Console(stderr=True, markup=False).status("")).update
            (show or say)(line)

        yield step


class Pace:
    """How fast a cluster works, in words; processes of this machine say nothing.

    A cluster is an executor that knows its ``workers``; ``noun`` is what is counted.
    """

    def __init__(
        self, executor: Any, noun: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask, self._noun, self._clock = getattr(executor, "workers", None), noun, clock
        self._begun = self._asked = clock()
        self._done, self._workers = 0, self._ask() if self._ask else 0

    def after(self, text: str) -> str:
        """A text with the pace after one more."""
        if self._ask is None:
            return text
        self._done += 1
        now = self._clock()
        if now - self._asked >= PLAIN_EVERY:
            self._asked, self._workers = now, self._ask()
        rate = 60 * self._done / max(now - self._begun, 1e-9)
        workers = "1 worker" if self._workers == 1 else f"{self._workers:,} workers"
        return f"{text}; {workers}, {rate:,.1f} {self._noun} a minute"
