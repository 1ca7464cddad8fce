"""A launcher: ``launcher.py MEMORY OUTPUT SECONDS PARENT PROGRAM ARGUMENT…``.

It limits the resources of its process and then executes the program. It imports little, so that it
starts quickly. Code between fork and exec would not be safe in a process with threads.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # of prctl(2): the signal to get when the parent dies


def limit_resource(name: str, maximum: int) -> None:
    """Limit a resource of this process; a lower limit of the user stays.

    Where the system has no such limits, as on Windows, this does nothing.
    """
    try:
        import resource
    except ImportError:
        return
    kind = getattr(resource, f"RLIMIT_{name}")
    _, hard_limit = resource.getrlimit(kind)
    limit = maximum if hard_limit == resource.RLIM_INFINITY else min(maximum, hard_limit)
    # a signal warns the program at the soft limit of CPU time
    resource.setrlimit(kind, (limit, hard_limit if kind == resource.RLIMIT_CPU else limit))


def die_with_parent(name: str = "SIGKILL") -> None:
    """Let Linux end this process, by a signal, with the thread that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, getattr(signal, name))


def main(memory: str, output: str, seconds: str, parent: str, *command: str) -> None:
    """Set the limits (bytes, bytes, seconds of processor time) and become the program."""
    limit_resource("AS", int(memory))
    limit_resource("FSIZE", int(output))
    limit_resource("CPU", int(seconds))
    limit_resource("CORE", 0)
    die_with_parent()
    if os.getppid() != int(parent):
        sys.exit("the parent process has ended")  # before this one asked for the signal
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
