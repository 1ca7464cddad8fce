"""Progress on stderr: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

PLAIN_EVERY = 5.0  # seconds between plain lines: a log should not drown in them


class Progress(Protocol):
    """What a command tells while it works."""

    def advance(self, text: str) -> None:
        """Say that one more of the total is done."""


class _Silent:
    def advance(self, text: str) -> None:
        """Say nothing."""


class _Plain:
    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._said = time.monotonic()
        self._say("")

    def _say(self, text: str) -> None:
        line = f"{self._what}: {self._done} of {self._total}"
        print(f"{line}, {text}" if text else line, file=sys.stderr, flush=True)

    def advance(self, text: str) -> None:
        """Say so if it is the last one, or if nothing was said for some seconds."""
        self._done += 1
        now = time.monotonic()
        if self._done == self._total or now - self._said >= PLAIN_EVERY:
            self._said = now
            self._say(text)


class _Live:
    def __init__(self, what: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Display

        self.display = Display(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[text]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self.display.add_task(what, total=total, text="")

    def advance(self, text: str) -> None:
        """Move the bar."""
        self.display.update(self._task, advance=1, text=text)


@contextmanager
def progress(what: str, total: int, quiet: bool = False) -> Iterator[Progress]:
    """Show progress towards a total; one step is too little to talk about."""
    if quiet or total <= 1:
        yield _Silent()
    elif sys.stderr.isatty():
        live = _Live(what, total)
        with live.display:
            yield live
    else:
        yield _Plain(what, total)
