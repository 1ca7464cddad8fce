"""Packages from PyPI that count tilings: one function for each, to compare and to measure.

``python -m satcal.external.packages NAME FILE ANSWER`` runs one in a process that can be
limited. The number goes to a file, because some packages print other text.
"""

from __future__ import annotations

import itertools
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pysat.formula import CNF


class Covering(NamedTuple):
    """How often each item is to be covered, and the items of each option."""

    copies: list[int]
    options: list[list[int]]


Tell = Callable[[Iterable[int]], object]
"""Called with the options, as indices, of each solution."""


def read_clauses(path: str) -> tuple[CNF, list[int]]:
    """Return a DIMACS file's formula, and the variables to count over."""
    formula = CNF(from_file=path)
    (shown,) = (line for line in formula.comments if line.startswith("c p show "))
    return formula, [int(token) for token in shown.split()[3:-1]]


def read_covering(path: str) -> Covering:
    """Return the exact cover of a text in Knuth's form."""
    items, *options = (
        line.split() for line in Path(path).read_text().splitlines() if line[0] != "|"
    )
    copies = [int(token.partition(":")[0]) if "|" in token else 1 for token in items]
    number = {token.rpartition("|")[2]: n for n, token in enumerate(items)}
    return Covering(copies, [[number[item] for item in option] for option in options])


def d4(path: str) -> int:
    """Count with d4, a compiler of formulas; it projects on the variables shown."""
    from py_d4 import Solver

    return int(Solver(path).count().getResult())


def ganak(path: str) -> int:
    """Count with Ganak, projected."""
    from pyganak import Counter

    formula, shown = read_clauses(path)
    counter = Counter()
    counter.new_vars(formula.nv)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(shown)
    return int(counter.count())


def xcover(table: Covering, tell: Tell) -> None:
    """Enumerate with xcover's dancing cells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from xcover import covers

        for chosen in covers(table.options, primary=list(range(len(table.copies)))):
            tell(chosen)


def miniexact(table: Covering, tell: Tell) -> None:
    """Enumerate with miniexact: Knuth's Algorithm M, dancing links with multiplicities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of SWIG, from Python 3.12 on
        from miniexact import miniexacts_m
    problem = miniexacts_m()
    items = [problem.primary(f"i{n}", copies, copies) for n, copies in enumerate(table.copies)]
    for option in table.options:
        problem.add([items[item] for item in option])
    while problem.solve() == 10:  # SATISFIABLE
        tell(problem.selected_options())


def cp_sat(table: Covering, tell: Tell, enumerate_all: bool = True) -> None:
    """Enumerate with OR-Tools' CP-SAT, or find one solution."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in table.options]
    inside: list[list[Any]] = [[] for _ in table.copies]
    for variable, items in zip(used, table.options, strict=True):
        for item in items:
            inside[item].append(variable)
    for variables, copies in zip(inside, table.copies, strict=True):
        if copies == 1:
            model.add_exactly_one(variables)
        else:
            model.add(sum(variables) == copies)

    class Listener(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            tell(n for n, variable in enumerate(used) if self.boolean_value(variable))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = enumerate_all
    solver.parameters.num_workers = 1
    status = solver.solve(model, Listener())
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")


def main(name: str, path: str, answer: str) -> None:
    """Count the solutions in the file ``path`` with a package, and write it to ``answer``."""

    def number(enumerated: Callable[[Covering, Tell], None]) -> int:
        numbers = itertools.count()
        enumerated(read_covering(path), lambda chosen: next(numbers))
        return next(numbers)

    count: dict[str, Callable[[], int]] = {
        "d4": lambda: d4(path),
        "ganak": lambda: ganak(path),
        "miniexact": lambda: number(miniexact),
        "xcover": lambda: number(xcover),
        "cp-sat": lambda: number(cp_sat),
    }
    Path(answer).write_text(f"{count[name]()}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
