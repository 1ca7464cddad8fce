"""What is asked, by which method, in what kind of run."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from satcal.errors import OptionError, unknown
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Puzzle, Reveal

DEFAULT = "cadical195"
NATIVE = ("gluecard4", "gluecard3", "minicard")
CONFLICT_BUDGET = (
    "gluecard3",
    "gluecard4",
    "glucose3",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplecm",
    "maplesat",
    "mergesat3",
    "minicard",
    "minisat22",
)
SOLVERS = (
    "cadical103",
    "cadical153",
    "cadical195",
    "cadical300",
    "ergo",
    "glucose3",
    "glucose4",
    "glucose42",
    "gluecard3",
    "gluecard4",
    "lingeling",
    "maplechrono",
    "maplecm",
    "maplesat",
    "mergesat3",
    "minicard",
    "minisat22",
    "minisatep",
)
"""PySAT's solvers that can enumerate; an older PySAT lacks some."""
NOT_INCREMENTAL = ("kissat404",)
PRUNINGS = ("none", "smallest", "sums")


@dataclass(frozen=True)
class Question:
    """Which tilings are asked for: those of each of some reveals.

    ``demands`` is what is placed already; ``up_to_symmetry`` takes one tiling of each class
    under the puzzle's own symmetries.
    """

    puzzle: Puzzle
    reveals: Collection[Reveal]
    demands: tuple[Demand, ...] = ()
    up_to_symmetry: bool = False

    def __post_init__(self) -> None:
        if self.up_to_symmetry and self.demands:
            raise OptionError(
                "--up-to-symmetry turns the board, so what is placed would move; leave out --place"
            )

    @property
    def reveal(self) -> Reveal:
        """The only reveal of a question about one."""
        (reveal,) = self.reveals
        return reveal

    def about(self, *reveals: Reveal) -> Question:
        """The same question about other reveals."""
        return replace(self, reveals=reveals)


@dataclass(frozen=True)
class Method:
    """An independent way to count. Its fields are all that it can be told."""

    name: ClassVar[str]
    lists: ClassVar[bool] = True  # tilings, and not only their number
    cuts: ClassVar[bool] = False  # dates into cubes, each a task

    def check_question(self, question: Question) -> None:
        """Raise OptionError for a question that the method cannot answer."""


@dataclass(frozen=True)
class ByDiagram(Method):
    """By the tiling diagram of at most ``memory_limit`` bytes; ``use_cache``: of its files."""

    name: ClassVar[str] = "diagram"
    memory_limit: int | None = None
    use_cache: bool = True


@dataclass(frozen=True)
class BySat(Method):
    """By a SAT solver, None for the one that suits the encoding.

    ``lemmas`` is none, single, pair, closed, or auto, the strongest that the board can have;
    ``order`` is static (decide along the cells, where the solver can) or free; ``conflicts``
    bounds those of each reveal.

    Raises:
        UnknownName: there is no such solver or encoding.
        OptionError: the solver cannot do what is asked of it.
    """

    name: ClassVar[str] = "sat"
    cuts: ClassVar[bool] = True
    encoding: str = "ladder"
    solver: str | None = None
    lemmas: str = "auto"
    order: str = "static"
    conflicts: int | None = None

    def __post_init__(self) -> None:
        if (self.encoding, self.solver, self.conflicts) != (BySat.encoding, None, None):
            self._check_solver()  # what the defaults need no import for

    @property
    def chosen_solver(self) -> str:
        """The name of the solver; the default depends on the encoding."""
        if self.solver is not None:
            return self.solver
        if self._native:
            return NATIVE[0]
        return DEFAULT if self.conflicts is None else "glucose4"

    @property
    def _native(self) -> bool:
        from satcal.encoding import encoding

        return encoding(self.encoding).name == "native"

    def _check_solver(self) -> None:
        native, name, names = self._native, self.chosen_solver, solver_names()
        if name in NOT_INCREMENTAL:
            raise OptionError(
                f"solver {name} is not incremental, so it cannot enumerate; use {DEFAULT}"
            )
        if name not in names:
            raise unknown("solver", name, names)
        if native and name not in NATIVE:
            raise OptionError(f"solver {name} takes no native constraints; use {', '.join(NATIVE)}")
        if self.conflicts is not None and name not in CONFLICT_BUDGET:
            raise OptionError(
                f"solver {name} takes no conflict budget; use --time-limit, or one of "
                f"{', '.join(CONFLICT_BUDGET)}"
            )


@dataclass(frozen=True)
class BySearch(Method):
    """By a depth-first search, which gives up branches as ``pruning`` says."""

    name: ClassVar[str] = "search"
    cuts: ClassVar[bool] = True
    pruning: str = "sums"

    def __post_init__(self) -> None:
        if self.pruning not in PRUNINGS:
            raise OptionError(f"no pruning '{self.pruning}'; use one of {', '.join(PRUNINGS)}")


@dataclass(frozen=True)
class ByVerified(Method):
    """By the program whose proofs are in ``theorem/``: the number of all tilings, and no list."""

    name: ClassVar[str] = "verified"
    lists: ClassVar[bool] = False

    def check_question(self, question: Question) -> None:
        """Raise OptionError for a condition, of which the definition knows nothing."""
        if question.up_to_symmetry:
            raise OptionError("the method verified counts all tilings; leave out --up-to-symmetry")
        if question.demands:
            raise OptionError(
                "the method verified does not support --place; leave it out, or use another method"
            )


DIAGRAM, SAT = ByDiagram(), BySat()
METHODS: dict[str, type[Method]] = {
    method.name: method for method in (ByDiagram, BySat, BySearch, ByVerified)
}
"""The methods by name, the default first."""


def method_of(name: str, use_cache: bool = True) -> Method:
    """The method of a name, with its defaults; ``use_cache`` is about the diagram's files.

    Raises:
        OptionError: there is no such method.
    """
    if not isinstance(name, str):
        kind = type(name).__name__
        raise TypeError(f"method: give a name such as 'sat', not the {kind} {name!r:.60}")
    if name not in METHODS:
        raise unknown("method", name, METHODS, OptionError)
    return ByDiagram(use_cache=use_cache) if name == ByDiagram.name else METHODS[name]()


@dataclass(frozen=True)
class Cutting:
    """Into which cubes dates are cut: of at most ``most`` tilings, as a diagram says."""

    most: int
    diagram: ByDiagram = DIAGRAM


@dataclass(frozen=True)
class Run:
    """By whom the work is done, and how long at most.

    ``jobs`` is a number of processes, None for all cores; ``cluster`` the address of a Dask
    scheduler, or ``local``, None for this machine; ``time_limit`` is in seconds for all.
    """

    jobs: int | None = None
    cluster: str | None = None
    cubes: Cutting | None = None
    time_limit: float | None = None

    def deadline(self) -> float | None:
        """The ``time.monotonic()`` at which a run that begins now has to end."""
        return None if self.time_limit is None else time.monotonic() + self.time_limit


@dataclass(frozen=True)
class Assignment:
    """A question, the method that answers it, and the run; what does not go together is refused.

    Raises:
        OptionError: the method cannot answer the question, or not in such a run.
    """

    question: Question
    method: Method = DIAGRAM
    run: Run = Run()

    def __post_init__(self) -> None:
        self.method.check_question(self.question)
        if self.run.cubes is None:
            return
        if not self.method.cuts:
            users = " and ".join(name for name, method in METHODS.items() if method.cuts)
            raise OptionError(
                f"--cubes only applies to the methods {users}, not to {self.method.name}"
            )
        if self.question.up_to_symmetry or self.question.demands:
            raise OptionError("--cubes cuts whole dates; leave out --place and --up-to-symmetry")

    @property
    def by_one_diagram(self) -> bool:
        """Whether one diagram counts all reveals, and lists no tilings to do so."""
        return isinstance(self.method, ByDiagram) and not self.question.up_to_symmetry

    def about(self, *reveals: Reveal) -> Assignment:
        """The same about other reveals."""
        return replace(self, question=self.question.about(*reveals))


def solver_names() -> list[str]:
    """The names of PySAT's solvers that can enumerate, sorted."""
    from pysat.solvers import SolverNames

    names = (name for name in vars(SolverNames) if not name.startswith("_"))
    return sorted(name for name in names if name not in NOT_INCREMENTAL)
