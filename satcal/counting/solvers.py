"""The SAT solvers of PySAT by name, and how each is set up for enumeration."""

from __future__ import annotations

from typing import Any

from pysat.solvers import NoSuchSolverError, Solver, SolverNames

from satcal.errors import Missing, OptionError, UnknownName, did_you_mean

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
