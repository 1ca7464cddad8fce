"""Checking what strangers send: in a process of its own, with bounds on memory and time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import TimeoutError as TooSlow
from pathlib import Path

from satcal.counting.executors import executing
from satcal.errors import BudgetExhausted, Stopped
from satcal.evidence.checking import Report, check
from satcal.files import read_bytes
from satcal.processes import limit_address_space
from satcal.proof.archive import MAX_FILE
from satcal.proof.certificate import MAX_CONTENT

MEMORY = 4 * 1024**3
SECONDS = 3600.0


def check_within(
    data: bytes,
    checkers: Sequence[str] = (),
    *,
    limit: int = MAX_CONTENT,
    memory: int = MEMORY,
    seconds: float = SECONDS,
    export: Path | None = None,
) -> Report:
    """Return what a certificate proves; see :func:`satcal.evidence.checking.check`.

    Raises:
        CertificateRefused, TooLarge, Missing: as there.
        Stopped: the memory, in bytes, or the time does not suffice; nothing is said of it.
    """
    with executing(1) as executor:
        try:
            job = executor.submit(_limited, data, tuple(checkers), limit, memory, export)
            return job.result(seconds)
        except TooSlow as error:
            raise BudgetExhausted(
                f"not checked to the end within {seconds:g} s; raise --time-limit"
            ) from error
        except MemoryError as error:
            raise Stopped("not checked to the end: out of memory; raise --memory-limit") from error


def read(path: Path) -> bytes:
    """Return the bytes of a certificate file, no more than an archive may have and one.

    Raises:
        FileTrouble: it cannot be read.
    """
    return read_bytes(path, "certificate", MAX_FILE + 1)


def _limited(
    data: bytes, checkers: tuple[str, ...], limit: int, memory: int, export: Path | None
) -> Report:
    limit_address_space(memory)
    return check(data, checkers, limit, export=export)
