"""What to count by, how and within which budgets; and how a count ends."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from satcal.errors import (
    BY_EXIT_CODE,
    BudgetExhausted,
    OptionError,
    SatcalError,
    unknown,
)
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Reveal

METHODS = ("diagram", "sat", "search", "verified")
DEFAULT = "cadical195"
NATIVE = ("gluecard4", "gluecard3", "minicard")
CONFLICT_BUDGET = (
    "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42", "maplechrono", "maplecm",
    "maplesat", "mergesat3", "minicard", "minisat22",
)  # fmt: skip
NOT_INCREMENTAL = ("kissat404",)


@dataclass(frozen=True)
class Settings:
    """How to count: by which method, under which conditions, within which budgets.

    ``demands`` is what is placed already; ``up_to_symmetry`` counts one tiling of each class
    under the puzzle's own symmetries. ``time_limit`` is in seconds for a whole run, ``jobs``
    a number of processes, ``cluster`` the address of a Dask scheduler, or ``local``; None
    for this machine. A task of more than ``cubes`` tilings, by the diagram, is cut.

    Of the diagram: ``memory_limit`` in bytes; ``use_cache`` is about its files. Of sat:
    ``lemmas`` is none, single, pair, closed, or auto, the strongest that the board can have;
    ``order`` is static (decide along the cells, where the solver can) or free; ``conflicts``
    bounds those of each reveal.
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
            raise unknown("method", self.method, METHODS, OptionError)
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


def solver_names() -> list[str]:
    """Return PySAT's solvers that can enumerate, sorted."""
    from pysat.solvers import SolverNames

    names = (name for name in vars(SolverNames) if not name.startswith("_"))
    return sorted(name for name in names if name not in NOT_INCREMENTAL)


def chosen_solver(settings: Settings) -> str:
    """Return the name of the settings' solver; the default depends on the encoding.

    Raises:
        UnknownName: there is no such solver or encoding.
        OptionError: the solver cannot do what the settings ask of it.
    """
    from satcal.encoding import encoding

    native = encoding(settings.encoding).name == "native"
    budget = settings.conflicts is not None
    fallback = NATIVE[0] if native else "glucose4" if budget else DEFAULT
    name, names = settings.solver or fallback, solver_names()
    if name in NOT_INCREMENTAL:
        raise OptionError(
            f"solver {name} is not incremental, so it cannot enumerate; use {DEFAULT}"
        )
    if name not in names:
        raise unknown("solver", name, names)
    if native and name not in NATIVE:
        raise OptionError(f"solver {name} takes no native constraints; use {', '.join(NATIVE)}")
    if budget and name not in CONFLICT_BUDGET:
        raise OptionError(
            f"solver {name} takes no conflict budget; use --time-limit, or one of "
            f"{', '.join(CONFLICT_BUDGET)}"
        )
    return name


WORK = ("nodes", "prunings", "placements tried", "propagations", "conflicts")
"""What methods count of their work. Nodes are those of the diagram, the partial tilings that
search visits, the decisions of sat; what a method does not have, it does not count."""


def add_work(total: dict[str, float], more: Mapping[str, float]) -> None:
    """Add what one task took to what others took."""
    for name, number in more.items():
        total[name] = total.get(name, 0) + number


class Status(enum.Enum):
    """How a count ended: ``EXACT`` is a count, ``UNKNOWN`` a lower bound at most."""

    EXACT = "exact"
    UNKNOWN = "unknown"
    ERROR = "error"


@dataclass(frozen=True)
class Outcome:
    """What one method says of a reveal: ``tilings`` is exact, a lower bound, or 0.

    ``work`` is what it took: seconds, and numbers that are named in ``WORK``.
    """

    status: Status
    tilings: int
    message: str = ""
    exit_code: int = 0
    work: Mapping[str, float] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, error: SatcalError, tilings: int = 0) -> Outcome:
        """Return the outcome of a count that an error ended; a budget's is UNKNOWN."""
        status = Status.UNKNOWN if isinstance(error, BudgetExhausted) else Status.ERROR
        return cls(status, tilings, str(error), error.exit_code)

    def require(self, reveal: Reveal) -> int:
        """Return the exact count of a reveal.

        Raises:
            BudgetExhausted: it is UNKNOWN.
            InputError, Disagreement, Stopped, Missing: the count failed.
        """
        if self.status is Status.EXACT:
            return self.tilings
        text = f"{' '.join(reveal) or 'the board'}: {self.message}"
        if self.status is Status.UNKNOWN:
            raise BudgetExhausted(text, self.tilings)
        raise BY_EXIT_CODE[self.exit_code](text)
