"""How far long work is: reported to a caller's function, or on a line that changes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[int, int, str], None]
"""Called with the number of steps done, their total, and the name of the last."""

ProgressOption = Progress | bool | None
"""What ``progress=`` takes: a function, or True for a line in a notebook or on a terminal."""

OFTEN = 0.1  # seconds between two lines


@contextmanager
def reporting(progress: ProgressOption) -> Iterator[Progress]:
    """Yield the function that steps are reported to; a line that True shows is gone in the end."""
    if progress is None or isinstance(progress, bool):
        line = _Line() if progress else None
        try:
            yield line or (lambda done, total, what: None)
        finally:
            if line:
                line.clear()
    elif callable(progress):
        yield progress
    else:
        kind = type(progress).__name__
        raise TypeError(
            "progress: give True, or a function of (done, total, step), "
            f"not the {kind} {progress!r:.60}"
        )


class _Line:
    """One line that changes: an output of a notebook's cell, or the terminal's last line."""

    def __init__(self) -> None:
        self._display = _display()
        self._shown = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if done < total and now - self._shown < OFTEN:
            return
        self._shown = now
        self._show(f"{done:,} of {total:,}: {what}")

    def clear(self) -> None:
        """Leave nothing behind."""
        self._show("")

    def _show(self, text: str) -> None:
        if self._display:
            self._display.update({"text/plain": text}, raw=True)
        elif sys.stderr.isatty():
            print(f"\r\x1b[K{text:.79}", end="", file=sys.stderr, flush=True)


def _display() -> Any:
    """A display of IPython that can be updated, None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if not shell or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call]
