"""The diagrams that are kept hot, each in a process of its own."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from satcal.errors import Stopped
from satcal.service.answers import PageQuestion, answer, build
from satcal.service.children import Child
from satcal.service.config import Limits
from satcal.service.puzzles import ShelfEntry

T = TypeVar("T")


def _heard(asked: asyncio.Task[bytes]) -> None:
    """Take note of an error that nobody waits for any more: asyncio would print its traceback."""
    if not asked.cancelled():
        asked.exception()


class DiagramProcess:
    """One puzzle's diagram in a process; questions are answered in the order they come."""

    def __init__(self, entry: ShelfEntry, limits: Limits) -> None:
        self.entry, self._limits = entry, limits
        self._child = Child(limits.memory)
        self._turn = asyncio.Lock()
        asked = build, entry.puzzle, not entry.posted, limits.memory // 2
        self._ready = asyncio.create_task(
            self._within(limits.build_seconds, "its diagram was not built", *asked)
        )
        self.waiting = 0

    async def _within(self, seconds: float, what: str, fn: Callable[..., T], *args: Any) -> T:
        late = (
            f"{self.entry.puzzle.name}: {what} within {seconds:g} seconds; choose a smaller "
            "board, or count by a job"
        )
        return await self._child.ask(seconds, late, fn, *args)

    @property
    def usable(self) -> bool:
        """Whether it still answers, or will."""
        built = self._ready
        failed = built.done() and (built.cancelled() or built.exception() is not None)
        return not failed and self._child.alive

    async def ask(self, question: PageQuestion) -> bytes:
        """The answer to a question."""
        if self.waiting >= self._limits.waiting:
            raise Stopped("too many questions are waiting for this puzzle; try again in a moment")
        self.waiting += 1
        try:
            # shielded: who asked may leave, but whose answer is on its way must not be given up
            asked = asyncio.create_task(self._ask(question))
            asked.add_done_callback(_heard)
            return await asyncio.shield(asked)
        finally:
            self.waiting -= 1

    async def _ask(self, question: PageQuestion) -> bytes:
        await asyncio.shield(self._ready)
        async with self._turn:
            return await self._within(self._limits.answer_seconds, "no answer", answer, question)

    async def close(self) -> None:
        """Kill the process."""
        self._ready.cancel()
        await self._child.aclose()


class Diagrams:
    """The processes of the puzzles that were asked about last."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._processes: OrderedDict[str, DiagramProcess] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._processes)

    async def ask(self, entry: ShelfEntry, question: PageQuestion) -> bytes:
        """The answer to a question about a puzzle."""
        process = self._processes.get(entry.id)
        if process is None or not process.usable:
            if process is not None:
                self._close(entry.id)
            self._make_room(entry)
            process = self._processes[entry.id] = DiagramProcess(entry, self._limits)
        self._processes.move_to_end(entry.id)
        return await process.ask(question)

    def _make_room(self, entry: ShelfEntry) -> None:
        """Close the process that was asked longest ago, of those for which nobody waits.

        Posted puzzles have half of the places: they never take those of the library.
        """
        posted = {
            name: process for name, process in self._processes.items() if process.entry.posted
        }
        rivals: Mapping[str, DiagramProcess] = self._processes
        if entry.posted and len(posted) >= max(1, self._limits.diagrams // 2):
            rivals = posted
        elif len(self._processes) < self._limits.diagrams:
            return
        idle = [name for name, process in rivals.items() if not process.waiting]
        if not idle:
            raise Stopped(f"{len(rivals)} other puzzles are being counted; try again in a moment")
        self._close(idle[0])

    def _close(self, name: str) -> None:
        task = asyncio.create_task(self._processes.pop(name).close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Kill all processes."""
        for name in list(self._processes):
            self._close(name)
        await asyncio.gather(*self._closing, return_exceptions=True)
