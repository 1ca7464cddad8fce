"""Packages from PyPI that count tilings: one function for each, also for benchmarks.

``python -m satcal.external.packages NAME FILE ANSWER`` runs one in a process that can be
limited. It writes the number to a file, because some packages print other text.
"""

from __future__ import annotations

import itertools
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pysat.formula import CNF


class MultiCover(NamedTuple):
    """An exact cover with multiplicities: the copies of each item, and the items of each option."""

    copies: list[int]
    options: list[list[int]]


OnSolution = Callable[[Iterable[int]], object]
"""A callback that gets the indices of the options of each solution."""


def read_clauses(path: str) -> tuple[CNF, list[int]]:
    """Return the formula of a DIMACS file and the variables to project on."""
    formula = CNF(from_file=path)
    (line,) = (line for line in formula.comments if line.startswith("c p show "))
    return formula, [int(token) for token in line.split()[3:-1]]


def read_cover(path: str) -> MultiCover:
    """Return the exact cover of a file in Knuth's format."""
    items, *options = (
        line.split() for line in Path(path).read_text().splitlines() if line[0] != "|"
    )
    copies = [int(token.partition(":")[0]) if "|" in token else 1 for token in items]
    number = {token.rpartition("|")[2]: n for n, token in enumerate(items)}
    return MultiCover(copies, [[number[item] for item in option] for option in options])


def d4(path: str) -> int:
    """Count with d4, a knowledge compiler, projected on the variables that the file shows."""
    from py_d4 import Solver

    return int(Solver(path).count().getResult())


def ganak(path: str) -> int:
    """Count with Ganak, a projected model counter."""
    from pyganak import Counter

    formula, variables = read_clauses(path)
    counter = Counter()
    counter.new_vars(formula.nv)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(variables)
    return int(counter.count())


def xcover(cover: MultiCover, on_solution: OnSolution) -> None:
    """Enumerate with xcover's dancing cells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from xcover import covers

        for solution in covers(cover.options, primary=list(range(len(cover.copies)))):
            on_solution(solution)


def miniexact(cover: MultiCover, on_solution: OnSolution) -> None:
    """Enumerate with miniexact: Knuth's Algorithm M, dancing links with multiplicities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SWIG warns from Python 3.12 on
        from miniexact import miniexacts_m
    problem = miniexacts_m()
    items = [problem.primary(f"i{n}", copies, copies) for n, copies in enumerate(cover.copies)]
    for option in cover.options:
        problem.add([items[item] for item in option])
    while problem.solve() == 10:  # SATISFIABLE
        on_solution(problem.selected_options())


def cp_sat(cover: MultiCover, on_solution: OnSolution) -> None:
    """Enumerate with OR-Tools' CP-SAT."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    option_variables = [model.new_bool_var("") for _ in cover.options]
    item_variables: list[list[Any]] = [[] for _ in cover.copies]
    for variable, items in zip(option_variables, cover.options, strict=True):
        for item in items:
            item_variables[item].append(variable)
    for variables, copies in zip(item_variables, cover.copies, strict=True):
        if copies == 1:
            model.add_exactly_one(variables)
        else:
            model.add(sum(variables) == copies)

    class Listener(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            on_solution(n for n, v in enumerate(option_variables) if self.boolean_value(v))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    status = solver.solve(model, Listener())
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")


COUNTERS = {"d4": d4, "ganak": ganak}
ENUMERATORS = {"miniexact": miniexact, "xcover": xcover, "cp-sat": cp_sat}


def main(name: str, path: str, answer: str) -> None:
    """Count the solutions of the file ``path`` by a package; write the number to ``answer``."""
    if name in COUNTERS:
        number = COUNTERS[name](path)
    else:
        numbers = itertools.count()
        ENUMERATORS[name](read_cover(path), lambda solution: next(numbers))
        number = next(numbers)
    Path(answer).write_text(f"{number}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
