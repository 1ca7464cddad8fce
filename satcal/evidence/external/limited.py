"""Becomes a program under limits: ``limited.py MEMORY OUTPUT SECONDS PARENT PROGRAM ARGUMENT…``.

A script and no module, so that it starts at once; and a process of its own, since a function
between fork and exec is not safe where there are threads.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1  # of prctl(2): the signal to get when the parent dies


def main(memory: str, output: str, seconds: str, parent: str, *command: str) -> None:
    """Set the limits (bytes, bytes, seconds of processor time) and become the program.

    It dies with the process of the number ``parent``, which has started it.
    """
    for what, limit in (
        (resource.RLIMIT_AS, int(memory)),
        (resource.RLIMIT_FSIZE, int(output)),
        (resource.RLIMIT_CPU, int(seconds)),
        (resource.RLIMIT_CORE, 0),
    ):
        _, most = resource.getrlimit(what)
        resource.setrlimit(what, (limit if most < 0 else min(limit, most), most))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("who started this has gone")  # before the signal was asked for
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
