"""Running what makes a loop of its own, whatever a browser's driver has left in this thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def apart(work: Callable[..., Answer], *arguments: Any) -> Answer:
    """Return what a function returns, in a thread of its own.

    A driver that other tests of this process have started keeps its loop running in this one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work, *arguments).result()


def awaited(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Return what a coroutine returns."""
    return apart(asyncio.run, work)
