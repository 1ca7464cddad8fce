"""Waiting for a condition, or for the end of a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 240
"""Seconds after which what did not come never comes: a slow machine is no failure."""


def until(condition: Callable[[], Any], seconds: float = PATIENCE, what: str = "it") -> Any:
    """Wait until a condition holds, and return what it is; the limit is for what never comes."""
    end = time.monotonic() + seconds
    while not (held := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}; last seen: {held!r}"
        time.sleep(0.05)
    return held


def wait_for_value(read: Callable[[], Any], wanted: Any) -> None:
    """Wait until a reading gives a value: a page is laid out, and filled, bit by bit."""
    end = time.monotonic() + PATIENCE
    while (found := read()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    assert found == wanted, found


def alive(process: int) -> bool:
    """Return whether a process runs; one that was killed and not yet buried does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def gone(process: int) -> bool:
    """Return whether a process ends in a moment: a signal is sent before it takes effect."""
    return until(lambda: not alive(process))
