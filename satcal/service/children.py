"""Child processes of the service: each computes within limits, and can be killed at any time.

Parent and children pickle what they say to each other; nothing that a client sends is unpickled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any, TypeVar

from satcal.errors import BudgetExhausted, SatcalError, Stopped, TooLarge
from satcal.processes import Call, Worker
from satcal.service.config import TOO_MUCH_MEMORY, Limits
from satcal.service.limits import Shares

Answer = TypeVar("Answer")
NICE = 5  # what is computed waits for the server, and not the server for it
# how a system library and the interpreter say that there is no room for code, or for a stack
NO_ROOM = ("failed to map segment", "can't start new thread")
_log = logging.getLogger(__name__)


class Child:
    """A process with an address space of ``memory`` bytes."""

    def __init__(self, memory: int, nice: int = NICE) -> None:
        try:
            self._worker = Worker(memory, nice, fork=False)
        except OSError as error:
            raise Stopped(
                f"cannot start a process ({error.strerror or error}): too many are running, or "
                "memory is short; try again later"
            ) from error
        self._thread = ThreadPoolExecutor(1)
        self._closed = False

    async def ask(
        self,
        seconds: float,
        late: str,
        fn: Callable[..., Answer],
        *args: Any,
        tell: Callable[[Any], None] | None = None,
    ) -> Answer:
        """The value that a function returns in the process; ``tell`` gets what it tells on the way.

        Raises what the function raises, as a SatcalError; TooLarge if its memory does not suffice;
        BudgetExhausted, which is ``late``, after so many seconds, and kills the process; Stopped
        if the process was closed.
        """
        if self._closed:
            raise Stopped("its process was closed; try again")
        loop = asyncio.get_running_loop()

        def answered() -> Any:
            self._worker.ask(Call(fn, args, tells=tell is not None))
            while not (answer := self._worker.answer()).last:
                if tell is not None:
                    loop.call_soon_threadsafe(tell, answer.value)
            return answer.value

        try:
            async with asyncio.timeout(seconds):
                answer: Answer = await loop.run_in_executor(self._thread, answered)
            return answer
        except TimeoutError:
            self.kill()
            raise BudgetExhausted(late) from None
        except SatcalError:
            raise
        except Exception as error:
            if isinstance(error, MemoryError) or any(text in str(error) for text in NO_ROOM):
                raise TooLarge(TOO_MUCH_MEMORY) from None
            _log.error("in a process", exc_info=error)
            raise internal(error) from None

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._worker.process.is_alive()

    def kill(self) -> None:
        """End it, whatever it does at the moment."""
        self._worker.process.kill()

    async def aclose(self) -> None:
        """Kill it and wait for its end."""
        self._closed = True
        self.kill()
        ended = asyncio.wrap_future(self._thread.submit(self._worker.process.join))
        self._thread.shutdown(wait=False)
        await asyncio.shield(ended)  # it is waited for even if nobody waits for that


def internal(error: Exception) -> SatcalError:
    """The message to the client about an error that is not satcal's."""
    return SatcalError(f"internal error: {type(error).__name__}; the server's log says more")


class AtOnce:
    """Makes what a request waits for in processes of their own, a few at a time."""

    def __init__(self, limits: Limits) -> None:
        self._memory, most = limits.memory, limits.at_once + limits.waiting_at_once
        self._slots = asyncio.Semaphore(limits.at_once)
        self._asked = Shares("exports, pictures and puzzles being made", most)

    async def run(
        self, what: str, seconds: float, client: str, fn: Callable[..., Answer], *args: Any
    ) -> Answer:
        """The value that a function returns in a process."""
        late = f"{what}: not done within {seconds:g} seconds"
        with self._asked.lent(client):
            async with self._slots, aclosing(Child(self._memory)) as child:
                return await child.ask(seconds, late, fn, *args)
