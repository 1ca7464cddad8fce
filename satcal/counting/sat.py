"""The method ``sat``: solve, verify the model as a tiling, block it, until UNSAT."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pysolvers
from pysat.solvers import NoSuchSolverError, Solver, SolverNames

from satcal.encoding import encode, encoding
from satcal.encoding.formula import Clause, Formula
from satcal.encoding.lemmas import strengthened, strongest
from satcal.errors import (
    BudgetExhausted,
    Disagreement,
    Missing,
    OptionError,
    UnknownName,
    did_you_mean,
)
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Tiling
from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import cell_order

DEFAULT = "cadical195"
NATIVE = ("gluecard4", "gluecard3", "minicard")
CONFLICT_BUDGET = (
    "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42", "maplechrono", "maplecm",
    "maplesat", "mergesat3", "minicard", "minisat22",
)  # fmt: skip
# Decide along the cells, true first, without scores or other modes. Probing and vivification
# make conflicts fewer; the other inprocessing would start anew in each call of the loop and costs
# more than it gains. results/benchmarks/enumeration-notes.md has the figures. No other solver of
# PySAT that enumerates takes such options.
STATIC: dict[str, dict[str, int]] = {
    "cadical195": {
        "bump": 0,
        "stabilize": 0,
        "forcephase": 1,
        "phase": 1,
        "elim": 0,
        "subsume": 0,
        "ternary": 0,
        "transred": 0,
        "decompose": 0,
    }
}
NOT_INCREMENTAL = ("kissat404",)


class Answer(enum.Enum):
    """What a solver call says: UNKNOWN (budget, interrupt) is neither SAT nor UNSAT."""

    SAT = "SAT"
    UNSAT = "UNSAT"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class SatOptions:
    """How the method ``sat`` works.

    ``lemmas`` is none, single, pair, closed, or auto: the strongest that the board and its
    options can have. ``order`` is static (decide along the cells, where the solver can be told
    so) or free. ``conflicts``
    bounds each count's conflicts, ``deadline`` is a ``time.monotonic()`` reading.
    """

    encoding: str = "ladder"
    solver: str | None = None
    lemmas: str = "auto"
    order: str = "static"
    conflicts: int | None = None
    deadline: float | None = None

    def chosen_solver(self) -> str:
        """Return the solver's name, checked; the default depends on the encoding.

        Raises:
            UnknownName, OptionError: the solver is unknown or cannot do what is asked for.
        """
        native = encoding(self.encoding).name == "native"
        fallback = NATIVE[0] if native else "glucose4" if self.conflicts is not None else DEFAULT
        return check_solver(self.solver or fallback, native, self.conflicts is not None)


class Loop:
    """One incremental solver over a formula whose first variables are a cover's options."""

    def __init__(
        self, cover: Cover, formula: Formula, extra: Sequence[Clause], options: SatOptions
    ):
        static = options.order == "static"
        self._inside = numbering(cover, formula, static)
        self._outside = {self._inside[number]: number for number in range(1, formula.shown + 1)}
        self._solver = open_solver(options.chosen_solver(), static)
        self._conflicts = options.conflicts
        self._deadline = options.deadline
        for clause in formula.clauses:
            self.add(clause)
        for clause in extra:
            self.add(clause)
        for literals, bound in formula.atmosts:
            self._solver.add_atmost([self._translate(literal) for literal in literals], bound)

    def _translate(self, literal: int) -> int:
        return self._inside[literal] if literal > 0 else -self._inside[-literal]

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause over the formula's variables."""
        inside = self._inside
        self._solver.add_clause([inside[x] if x > 0 else -inside[-x] for x in clause])

    def solve(self, assumptions: Sequence[int] = ()) -> Answer:
        """Return what the solver says of all clauses so far."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return Answer.UNKNOWN
        inside = [self._translate(literal) for literal in assumptions]
        if self._conflicts is None:
            return Answer.SAT if self._asked(inside) else Answer.UNSAT
        spent = self._solver.accum_stats()["conflicts"]
        if spent >= self._conflicts:
            return Answer.UNKNOWN
        self._solver.conf_budget(self._conflicts - spent)
        said = self._solver.solve_limited(assumptions=inside)
        return Answer.UNKNOWN if said is None else Answer.SAT if said else Answer.UNSAT

    def _asked(self, assumptions: Sequence[int]) -> bool:
        try:
            return bool(self._solver.solve(assumptions=assumptions))
        except pysolvers.error as error:  # so PySAT says in its own words that Ctrl-C was pressed
            raise KeyboardInterrupt from error

    def chosen(self) -> list[int]:
        """Return the true option variables of the last model, in canonical order."""
        outside = self._outside
        return sorted(outside[v] for v in self._solver.get_model() if v > 0 and v in outside)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


def numbering(cover: Cover, formula: Formula, static: bool) -> list[int]:
    """Return the number inside the solver of each variable of a formula (index 0 unused).

    CaDiCaL without scores decides the last variable first: for the static order, auxiliary
    variables come first and options by falling first cell.
    """
    if not static:
        return list(range(formula.variables + 1))
    rank = {cell: number for number, cell in enumerate(cell_order(cover.cells))}
    first = [min(rank[cell] for cell in option.cells) for option in cover.options]
    options = sorted(range(1, formula.shown + 1), key=lambda v: (-first[v - 1], v))
    inside = [0] * (formula.variables + 1)
    for number, variable in enumerate([*range(formula.shown + 1, len(inside)), *options], start=1):
        inside[variable] = number
    return inside


def tilings(cover: Cover, options: SatOptions = SatOptions()) -> Iterator[Tiling]:
    """Yield every tiling of a reveal's cover once, each verified before it is yielded.

    Raises:
        BudgetExhausted: a budget ended the search; ``found`` tilings were yielded before.
        Disagreement: a model is no tiling, so the encoding or the solver is wrong.
    """
    if cover.reveal is None:
        raise ValueError("an open cover has no reveal; enumerate its formula with Loop")
    options.chosen_solver()
    verifier = Verifier(cover.puzzle, cover.reveal)
    level = strongest(cover) if options.lemmas == "auto" else options.lemmas
    rest, extra = strengthened(cover, level)
    loop = Loop(rest, encode(rest, options.encoding), extra, options)
    found = 0
    try:
        while (answer := loop.solve()) is Answer.SAT:
            chosen = loop.chosen()
            tiling = rest.tiling(variable - 1 for variable in chosen)
            fault = verifier.fault(tiling)
            if fault:
                raise Disagreement(f"a model of the formula is no tiling: {fault}")
            found += 1
            yield tiling
            # short, and valid for every other reveal too: only the true placements
            loop.add([-variable for variable in chosen])
    finally:
        loop.close()
    if answer is Answer.UNKNOWN:
        raise BudgetExhausted(f"stopped by its budget after {found} tilings", found)


def solver_names() -> list[str]:
    """Return the names of PySAT's solvers that can enumerate, sorted."""
    names = (name for name in vars(SolverNames) if not name.startswith("_"))
    return sorted(name for name in names if name not in NOT_INCREMENTAL)


def check_solver(name: str, native: bool = False, conflicts: bool = False) -> str:
    """Return a solver's name if it can do what is asked for.

    Raises:
        UnknownName: PySAT has no such solver, or it cannot enumerate.
        OptionError: it takes no native constraints, or no conflict budget.
    """
    names = solver_names()
    if name in NOT_INCREMENTAL:
        raise OptionError(
            f"solver {name} is not incremental, so it cannot enumerate; use {DEFAULT}"
        )
    if name not in names:
        raise UnknownName(
            f"no solver '{name}'; the solvers are {', '.join(names)}" + did_you_mean(name, names)
        )
    if native and name not in NATIVE:
        raise OptionError(f"solver {name} takes no native constraints; use {', '.join(NATIVE)}")
    if conflicts and name not in CONFLICT_BUDGET:
        raise OptionError(
            f"solver {name} takes no conflict budget; use --time-limit, or one of "
            f"{', '.join(CONFLICT_BUDGET)}"
        )
    return name


def open_solver(name: str, static: bool = False) -> Any:
    """Return a PySAT solver, with the static decision order where it has one.

    Raises:
        Missing: PySAT knows the solver, but was built without it.
    """
    try:
        solver = Solver(name=name)
    except NoSuchSolverError as error:
        raise Missing(
            f"solver {name}: this build of PySAT does not contain it "
            f"(cryptosat needs `pip install pycryptosat`); use {DEFAULT}"
        ) from error
    if static and name in STATIC:
        solver.configure(STATIC[name])
    return solver
