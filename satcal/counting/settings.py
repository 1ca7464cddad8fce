"""What to count by, how and within which budgets; and how a count ends."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from satcal.errors import OptionError, did_you_mean
from satcal.puzzle.place import Demand

METHODS = ("diagram", "sat", "search", "verified")


class Status(enum.Enum):
    """How a count ended: only ``EXACT`` is a count, ``UNKNOWN`` a lower bound at most."""

    EXACT = "exact"
    UNKNOWN = "unknown"
    ERROR = "error"


@dataclass(frozen=True)
class Outcome:
    """What one method says of one reveal: ``tilings`` is exact, a lower bound, or 0 by status."""

    status: Status
    tilings: int
    message: str = ""
    exit_code: int = 0


@dataclass(frozen=True)
class Settings:
    """How to count: by which method, under which conditions, within which budgets.

    ``demands`` is what ``--place`` asks for, ``up_to_symmetry`` counts one tiling of each
    class under the puzzle's own symmetries, ``time_limit`` is in seconds for a whole run,
    ``conflicts`` bounds each reveal's SAT conflicts, ``jobs`` is a number of processes,
    ``memory_limit`` bounds the diagram in bytes, ``use_cache`` is about its files. ``cluster``
    is the address of a Dask scheduler, or ``local``; None for processes of this machine.
    ``cubes`` is how many tilings a task may have, by the diagram, before it is cut; None for no
    cuts.
    """

    method: str = "diagram"
    encoding: str = "ladder"
    solver: str | None = None
    lemmas: str = "auto"
    order: str = "static"
    pruning: str = "sums"
    demands: tuple[Demand, ...] = field(default=())
    up_to_symmetry: bool = False
    conflicts: int | None = None
    time_limit: float | None = None
    jobs: int | None = None
    memory_limit: int | None = None
    use_cache: bool = True
    cluster: str | None = None
    cubes: int | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise OptionError(
                f"no method '{self.method}'; the methods are {', '.join(METHODS)}"
                + did_you_mean(self.method, METHODS)
            )
        if self.method == "verified":
            from satcal.counting.verified import refuse

            refuse(bool(self.demands), self.up_to_symmetry)
        if self.cubes is not None and (self.up_to_symmetry or self.demands):
            raise OptionError("--cubes cuts whole dates; leave out --place and --up-to-symmetry")
        if self.up_to_symmetry and self.demands:
            raise OptionError(
                "--up-to-symmetry turns the board, so what is placed would move; leave out --place"
            )


DEFAULTS = Settings()
