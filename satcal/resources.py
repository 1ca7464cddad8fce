"""The processors and the memory of this machine, and programs under limits."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

NO_LIMIT = sys.maxsize


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_to_use() -> int | None:
    """Return three quarters of the bytes that the machine, the container and limits leave free."""
    free = []
    with suppress(OSError, KeyError):
        free.append(read_figures("/proc/meminfo")["MemAvailable:"] * 1024)
    with suppress(OSError, KeyError, ValueError):  # "max" is not a number: no limit
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        # cached files count as used, but can be evicted
        free.append(limit - used + read_figures(group / "memory.stat")["inactive_file"])
    with suppress(OSError, ImportError):
        import resource  # only on Unix

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            free.append(limit - pages * resource.getpagesize())
    return max(0, min(free) * 3 // 4) if free else None


def read_figures(path: str | Path) -> dict[str, int]:
    """Return the number of each line of a system file, by the name in the line."""
    lines = Path(path).read_text().splitlines()
    return {name: int(number) for name, number, *_ in map(str.split, lines)}


def limit_command(
    command: Sequence[str], memory: int = NO_LIMIT, output: int = NO_LIMIT, seconds: int = NO_LIMIT
) -> list[str]:
    """Return the command that runs a program under limits, and ends it with this thread.

    The limits are bytes of address space, bytes of a file, and seconds of processor time.
    """
    script = str(Path(__file__).with_name("launcher.py"))
    limits = map(str, (memory, output, seconds, os.getpid()))
    return [sys.executable, "-I", script, *limits, *command]
