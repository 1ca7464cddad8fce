"""What the service is told when it starts: where it listens, what it keeps, what it allows."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from satcal.errors import OptionError
from satcal.processes import cores
from satcal.store.location import Location

MIB = 2**20
TOO_MUCH_MEMORY = "this takes more memory than the service allows; choose a smaller board"


@dataclass(frozen=True)
class Limits:
    """What one request or job may cost, and all together; sizes in bytes, times in seconds.

    Of what clients share, none has more than a quarter: see :class:`satcal.service.limits.Shares`.
    """

    body: int = MIB // 2  # a definition has at most half of that
    bodies: int = 16 * MIB  # all that are on their way
    answers: int = 128 * MIB  # all large ones that clients have not read yet
    upload: int = 32 * MIB  # of a certificate: the largest that was made has 2 MiB
    uploads: int = 256 * MIB  # all that are on their way or wait for their verdict
    body_seconds: float = 10.0
    answer_seconds: float = 30.0  # of a question to a diagram that is built
    build_seconds: float = 120.0
    job_seconds: float = 3600.0
    memory: int = 3 * 2**30  # address space of one process; the largest diagram takes a third
    cells: int = 256  # of a posted board
    small: int = 100  # cells of a board that is posted without the token
    pieces: int = 64
    reveals: int = 10_000  # of a posted board, and rows of an answer
    posted: int = 500  # puzzles that are kept
    diagrams: int = 6  # puzzles whose diagram is kept hot, each in its own process
    waiting: int = 200  # questions to one diagram
    running: int = max(1, cores() - 1)  # jobs at a time
    at_once: int = 2  # exports and PNG pictures, for which a request waits
    waiting_at_once: int = 20
    queued: int = 50
    kept_jobs: int = 500
    streams: int = 64
    connections: int = 512
    header_seconds: float = 10.0
    rate: float = 20.0  # requests a second of one client, beyond loopback
    burst: float = 200.0


@dataclass(frozen=True)
class Means:
    """What a job has: the store, its upload, and bytes and seconds for each of its processes."""

    store: Location
    upload: Path
    memory: int
    seconds: float
    cluster: str | None = None


@dataclass(frozen=True)
class Config:
    """Where the service listens, what it keeps, and where its jobs work.

    Raises OptionError if it would be open to other machines without a token, or jobs cannot
    share the cluster; Missing for a cluster without distributed.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    tokens: tuple[str, ...] = ()  # each is a client of its own, who sees its own jobs
    board: str = "a-puzzle-a-day"
    store: Location | None = None
    names: tuple[str, ...] = ()  # by which clients may call the service, in a Host header
    limits: Limits = field(default_factory=Limits)
    today: Callable[[], datetime.date] = datetime.date.today
    cluster: str | None = None  # the scheduler whose workers do the tasks of jobs
    public: bool = False  # whether everybody may play without a token: all but jobs

    def __post_init__(self) -> None:
        if any(len(token) < 16 or not token.isascii() for token in self.tokens):
            raise OptionError("--token: use at least 16 ASCII characters that nobody can guess")
        if not self.private and not self.tokens:
            opening = f"--name {self.names[0]}" if is_loopback(self.host) else f"--host {self.host}"
            raise OptionError(
                f"{opening} is open to other machines: give --token SECRET, which "
                "clients must then send, or stay with 127.0.0.1"
            )
        if self.cluster is not None:
            from satcal.counting.cluster import LOCAL, check_address

            if self.cluster == LOCAL:
                raise OptionError(
                    "--cluster local: every job would start workers of its own; start `dask "
                    "scheduler` and `dask worker` on this machine and give the scheduler's address"
                )
            check_address(self.cluster)

    @property
    def private(self) -> bool:
        """Whether only this machine reaches the service: a name is for those beyond a proxy."""
        return is_loopback(self.host) and not self.names


def is_loopback(host: str) -> bool:
    """Whether an address, or ``localhost``, is this machine's own."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
