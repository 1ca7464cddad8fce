"""Limits of a process: ``launcher.py MEMORY OUTPUT SECONDS PARENT PROGRAM ARGUMENT…`` sets them.

It then becomes the program; it starts at once, since it imports next to nothing. A function
between fork and exec would not be safe where there are threads.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # of prctl(2): the signal to get when the parent dies


def limit_resource(name: str, maximum: int) -> None:
    """Bound what this process takes of a resource, to less where its user may have less."""
    import resource  # of Unix only, and not needed to count elsewhere

    kind = getattr(resource, f"RLIMIT_{name}")
    _, allowed = resource.getrlimit(kind)
    limit = maximum if allowed == resource.RLIM_INFINITY else min(maximum, allowed)
    # a program hears of its last second, and may say so
    resource.setrlimit(kind, (limit, allowed if kind == resource.RLIMIT_CPU else limit))


def die_with_parent() -> None:
    """Have the system end this process with the thread that started it, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(memory: str, output: str, seconds: str, parent: str, *command: str) -> None:
    """Set the limits (bytes, bytes, seconds of processor time) and become the program."""
    limit_resource("AS", int(memory))
    limit_resource("FSIZE", int(output))
    limit_resource("CPU", int(seconds))
    limit_resource("CORE", 0)
    die_with_parent()
    if os.getppid() != int(parent):
        sys.exit("who started this has gone")  # before the signal was asked for
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
