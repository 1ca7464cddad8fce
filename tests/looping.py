"""Running what makes a loop of its own, in a thread of its own.

A browser's driver that other tests have started keeps its loop running in this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def apart(work: Callable[..., Answer], *arguments: Any) -> Answer:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work, *arguments).result()


def awaited(work: Coroutine[Any, Any, Answer]) -> Answer:
    return apart(asyncio.run, work)
