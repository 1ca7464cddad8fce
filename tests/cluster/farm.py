"""A scheduler, or a worker, as a process of its own: says its address and works until killed.

    python farm.py scheduler
    python farm.py worker ADDRESS [VERSION]

VERSION is what the worker takes for the version of satcal that it has.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import sys
from typing import Any


async def main(role: str, *arguments: str) -> None:
    from distributed import Scheduler, Worker

    made: Any
    if role == "scheduler":
        made = Scheduler(host="127.0.0.1", port=0, dashboard=False)
    else:
        made = Worker(arguments[0], nthreads=1, memory_limit=0, dashboard=False)
    async with made:
        print(made.address, flush=True)
        await made.finished()


def pretend(version: str) -> None:
    real = importlib.metadata.version
    importlib.metadata.version = lambda name: version if name == "satcal" else real(name)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        pretend(sys.argv.pop())
    asyncio.run(main(*sys.argv[1:]))
