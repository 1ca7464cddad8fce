"""What to count by, how and within which budgets; and how a count ends."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from satcal.errors import BY_EXIT_CODE, BudgetExhausted, OptionError, SatcalError, did_you_mean
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Reveal

METHODS = ("diagram", "sat", "search", "verified")


@dataclass(frozen=True)
class Settings:
    """How to count: by which method, under which conditions, within which budgets.

    ``demands`` is what is placed already; ``up_to_symmetry`` counts one tiling of each class
    under the puzzle's own symmetries. ``time_limit`` is in seconds for a whole run, ``jobs`` a
    number of processes, ``cluster`` the address of a Dask scheduler, or ``local``; None for
    processes of this machine. A task of more than ``cubes`` tilings, by the diagram, is cut.

    Of the diagram: ``memory_limit`` in bytes; ``use_cache`` is about its files. Of sat: ``lemmas``
    is none, single, pair, closed, or auto, the strongest that the board and its options can have;
    ``order`` is static (decide along the cells, where the solver can be told so) or free;
    ``conflicts`` bounds each reveal's.
    """

    method: str = "diagram"
    encoding: str = "ladder"
    solver: str | None = None
    lemmas: str = "auto"
    order: str = "static"
    pruning: str = "sums"
    demands: tuple[Demand, ...] = ()
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
        if self.method == "verified" and self.up_to_symmetry:
            raise OptionError("the method verified counts all tilings; leave out --up-to-symmetry")
        if self.cubes is not None and (self.up_to_symmetry or self.demands):
            raise OptionError("--cubes cuts whole dates; leave out --place and --up-to-symmetry")
        if self.up_to_symmetry and self.demands:
            raise OptionError(
                "--up-to-symmetry turns the board, so what is placed would move; leave out --place"
            )

    @property
    def at_once(self) -> bool:
        """Whether one diagram counts all reveals, and lists no tilings to do so."""
        return self.method == "diagram" and not self.up_to_symmetry


DEFAULTS = Settings()


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

    @classmethod
    def of(cls, error: SatcalError, tilings: int = 0) -> Outcome:
        """Return the outcome of a count that an error ended: where it is a budget's, UNKNOWN."""
        status = Status.UNKNOWN if isinstance(error, BudgetExhausted) else Status.ERROR
        return cls(status, tilings, str(error), error.exit_code)

    def require(self, reveal: Reveal) -> int:
        """Return the exact count of a reveal.

        Raises:
            BudgetExhausted: it is UNKNOWN.
            InputError, Disagreement, Stopped, Missing: the count failed; the text says why.
        """
        if self.status is Status.EXACT:
            return self.tilings
        text = f"{' '.join(reveal)}: {self.message}"
        if self.status is Status.UNKNOWN:
            raise BudgetExhausted(text, self.tilings)
        raise BY_EXIT_CODE[self.exit_code](text)
