"""The progress of long work: passed to a function, or shown on a line of stderr.

A :data:`Progress` function is called with the number of steps done, their total, and a text about
the last step. :func:`reporting` makes one that shows a line after a second.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Progress = Callable[[int, int, str], None]
ProgressOption = Progress | bool | None
"""The values of ``progress=``: a function, or True for a line on stderr."""

FIRST_SECONDS = 1.0
LIVE_SECONDS = 0.1
PLAIN_SECONDS = 5.0
"""The time between two lines in a log, so that it has few of them."""


def reporting(progress: ProgressOption, title: str = "") -> AbstractContextManager[Progress]:
    """Return a context whose value is a progress function; a line is removed at its end."""
    return Line(title) if progress is True else nullcontext(progress or ignore)


def ignore(done: int, total: int, text: str) -> None:
    """Report nothing."""


class Line(AbstractContextManager[Progress]):
    """A line on a terminal that is updated; elsewhere, such as in a notebook, one now and then.

    ``title`` describes the work, such as "counting by sat".
    """

    def __init__(self, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.title = title
        self.clock = clock
        self.is_live = sys.stderr.isatty()
        self.next_time = clock() + FIRST_SECONDS
        self.is_shown = False

    def __call__(self, done: int, total: int, text: str) -> None:
        """Show the progress, if the last update was long enough ago."""
        if self.clock() < self.next_time:
            return
        self.next_time = self.clock() + (LIVE_SECONDS if self.is_live else PLAIN_SECONDS)
        self.is_shown = True
        prefix = f"{self.title}: " if self.title else ""
        self.show(f"{prefix}{done:,} of {total:,}" + (f", {text}" if text else ""))

    def __exit__(self, *error: object) -> None:
        if self.is_shown and self.is_live:
            self.show("")

    def show(self, text: str) -> None:
        """Replace the text of the line."""
        if self.is_live:
            print(f"\r\x1b[K{text:.79}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)
