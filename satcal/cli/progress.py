"""Progress on stderr: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

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


class _Layers:
    """What a diagram tells while it is built; small ones are done before there is time to look."""

    def __init__(self) -> None:
        self._begun = self._said = time.monotonic()
        self._live = sys.stderr.isatty()
        self._shown = False

    def __call__(self, name: str, layer: int, layers: int, states: int) -> None:
        """Say which layer is being built, from the first second on."""
        now = time.monotonic()
        every = 0.2 if self._live else PLAIN_EVERY
        if now - self._begun < 1 or now - self._said < every:
            return
        self._said, self._shown = now, True
        line = f"building the diagram: {name}, layer {layer} of {layers}, {states:,} states"
        print(f"\r{line:<79}" if self._live else line, end="" if self._live else "\n",
              file=sys.stderr, flush=True)  # fmt: skip

    def clear(self) -> None:
        """Leave a terminal's line as it was."""
        if self._live and self._shown:
            print("\r" + " " * 79 + "\r", end="", file=sys.stderr, flush=True)


@contextmanager
def layers(quiet: bool = False) -> Iterator[Callable[[str, int, int, int], None] | None]:
    """Show the progress of a diagram."""
    told = _Layers()
    try:
        yield None if quiet else told
    finally:
        told.clear()


class Pace:
    """How fast a cluster works, as words for the progress; nothing for processes of this machine.

    Args:
        executor: the cluster, if it can say how many ``workers`` it has.
        noun: what is counted.
        clock: in seconds.
    """

    def __init__(
        self, executor: Any, noun: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._executor = executor if hasattr(executor, "workers") else None
        self._noun, self._clock = noun, clock
        self._begun = self._asked = clock()
        self._done, self._workers = 0, self._executor.workers() if self._executor else 0

    def after(self, text: str) -> str:
        """Return a text with what is known after one more; workers are asked for now and then."""
        if self._executor is None:
            return text
        self._done += 1
        now = self._clock()
        if now - self._asked >= PLAIN_EVERY:
            self._asked, self._workers = now, self._executor.workers()
        rate = 60 * self._done / max(now - self._begun, 1e-9)
        workers = "1 worker" if self._workers == 1 else f"{self._workers:,} workers"
        return f"{text}; {workers}, {rate:,.1f} {self._noun} a minute"


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
