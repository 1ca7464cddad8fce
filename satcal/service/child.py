"""The child's side of :mod:`.process`: limits, lines in, lines out, and no traceback."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

from satcal.errors import SatcalError, TooLarge
from satcal.limited import bound, die_with_parent

TOO_MUCH_MEMORY = "this takes more memory than the service allows; choose a smaller board"
# how a system library and the interpreter say that there is no room for code, or for a stack
NO_ROOM = ("failed to map segment", "can't start new thread")
_OUT = sys.stdout.buffer


def begin() -> None:
    """Accept the limits of the command line: bytes of address space, and niceness.

    Whatever is printed goes to stderr: only answers may reach the pipe.
    """
    memory, nice = int(sys.argv[1]), int(sys.argv[2])
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides what Ctrl-C means
    die_with_parent()
    if sys.platform == "linux":
        bound(resource.RLIMIT_AS, memory)
    os.nice(nice)


def lines() -> Any:
    """Yield the messages of the server until it is gone."""
    for line in sys.stdin.buffer:
        yield json.loads(line)


def say(kind: bytes, message: bytes) -> None:
    """Send a line."""
    _OUT.write(kind + message + b"\n")
    _OUT.flush()


def progress(**fields: object) -> None:
    """Tell how far the work is."""
    say(b"P", dumps(fields))


def dumps(value: object) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def answer(work: Callable[[], bytes]) -> bool:
    """Send what the work returns, or the error that it raises; return whether it went well."""
    try:
        say(b"K", work())
        return True
    except SatcalError as error:
        failed = error
    except MemoryError:
        failed = TooLarge(TOO_MUCH_MEMORY)
    except Exception as error:
        failed = _unexpected(error)
    say(b"E", dumps({"kind": type(failed).__name__, "detail": str(failed)}))
    return False


def _unexpected(error: Exception) -> SatcalError:
    """Return what the client hears of an error that is none of ours; the log has all of it."""
    if any(text in str(error) for text in NO_ROOM):
        return TooLarge(TOO_MUCH_MEMORY)
    import traceback

    traceback.print_exception(error)
    return SatcalError(f"internal error: {type(error).__name__}; the server's log says more")
