"""How far long work is: told to a caller's function, or shown on a line of stderr.

A function of :data:`Progress` is called with the number of steps done, their total, and a text
about the last. :func:`reporting` makes one: the line appears when the work has taken a second.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[int, int, str], None]
ProgressOption = Progress | bool | None
"""What ``progress=`` takes: a function, or True for a line in a notebook or on stderr."""

FIRST_SECONDS = 1.0
LIVE_SECONDS = 0.1
PLAIN_SECONDS = 5.0
"""Between two lines of a log, which should not drown in them."""


@contextmanager
def reporting(progress: ProgressOption, what: str = "") -> Iterator[Progress]:
    """Yield the function that steps are reported to; a line that changes is gone at the end."""
    if callable(progress):
        yield progress
        return
    line = Line(what) if progress else None
    try:
        yield line or ignore
    finally:
        if line:
            line.clear()


def ignore(done: int, total: int, text: str) -> None:
    """Report nothing."""


class Line:
    """One line that changes, on a terminal or below a notebook's cell; elsewhere, a line at times.

    ``what`` is the work: "counting by sat".
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.what = what
        self.clock = clock
        self.display = notebook_display()
        self.live = self.display is not None or sys.stderr.isatty()
        self.next = clock() + FIRST_SECONDS
        self.shown = False

    def __call__(self, done: int, total: int, text: str) -> None:
        """Show how far the work is, if the last time was long enough ago."""
        if self.clock() < self.next:
            return
        self.next = self.clock() + (LIVE_SECONDS if self.live else PLAIN_SECONDS)
        self.shown = True
        head = f"{self.what}: " if self.what else ""
        self.show(f"{head}{done:,} of {total:,}" + (f", {text}" if text else ""))

    def clear(self) -> None:
        """Leave nothing behind."""
        if self.shown and self.live:
            self.show("")

    def show(self, text: str) -> None:
        """Show a text in place of the last one."""
        if self.display:
            self.display.update({"text/plain": text}, raw=True)
        elif self.live:
            print(f"\r\x1b[K{text:.79}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


def notebook_display() -> Any:
    """Return a display of IPython that can be updated; None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if not shell or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call]
