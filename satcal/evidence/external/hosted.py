"""Counts by a package from PyPI in a process of its own, which can be limited and killed.

``python -m satcal.evidence.external.hosted NAME FORMULA ANSWER TOLERANCE`` writes one number
into the file ANSWER, since some packages print what they like. The readers of the formulas are
a few lines of their own: satcal's writers are among what is checked.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

DELTA, SEED = 0.05, 1  # of ApproxMC


class Clauses(NamedTuple):
    """A DIMACS file: variables, clauses, and the variables to count over."""

    variables: int
    clauses: list[list[int]]
    shown: list[int]


class Options(NamedTuple):
    """Knuth's exact-cover text: items, how often each is to be covered, options as indices."""

    items: list[str]
    copies: list[int]
    options: list[list[int]]


def read_clauses(path: str) -> Clauses:
    """Return what a DIMACS file says."""
    variables, clauses, shown = 0, [], []
    for line in Path(path).read_text().splitlines():
        tokens = line.split()
        if line.startswith("c p show"):
            shown = [int(token) for token in tokens[3:-1]]
        elif line.startswith("p cnf"):
            variables = int(tokens[2])
        elif not line.startswith("c"):
            clauses.append([int(token) for token in tokens[:-1]])
    return Clauses(variables, clauses, shown)


def read_options(path: str) -> Options:
    """Return what an exact-cover text says."""
    lines = [line.split() for line in Path(path).read_text().splitlines() if line[0] != "|"]
    items = [token.rpartition("|")[2] for token in lines[0]]
    copies = [int(token.partition(":")[0]) if "|" in token else 1 for token in lines[0]]
    number = {item: n for n, item in enumerate(items)}
    return Options(items, copies, [[number[item] for item in line] for line in lines[1:]])


def d4(path: str) -> int:
    """Count with d4, a compiler of formulas; it projects on the variables shown."""
    from py_d4 import Solver

    return int(Solver(path).count().getResult())


def ganak(path: str) -> int:
    """Count with Ganak, projected."""
    from pyganak import Counter

    formula, counter = read_clauses(path), Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(formula.shown)
    return int(counter.count())


def approxmc(path: str, tolerance: float) -> int:
    """Count with ApproxMC, projected (Chakraborty, Meel, Vardi, CP 2013).

    It is within a factor of 1 + tolerance with probability 1 - ``DELTA``; the seed makes it
    the same answer every time.
    """
    from pyapproxmc import Counter

    formula, counter = read_clauses(path), Counter(seed=SEED, epsilon=tolerance, delta=DELTA)
    for clause in formula.clauses:
        counter.add_clause(clause)
    cells, hashes = counter.count(formula.shown)
    return int(cells) << int(hashes)


def xcover(path: str) -> int:
    """Count with xcover's dancing cells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from xcover import covers

        table = read_options(path)
        return sum(1 for _ in covers(table.options, primary=list(range(len(table.items)))))


def exact_cover(path: str) -> int:
    """Count with exact-cover's dancing links."""
    import numpy as np
    from exact_cover import get_solution_count

    table = read_options(path)
    matrix = np.zeros((len(table.options), len(table.items)), bool)
    for number, option in enumerate(table.options):
        matrix[number, option] = True
    return int(get_solution_count(matrix))


def pyxcc(path: str) -> int:
    """Count with pyxcc's dancing cells."""
    from pyxcc import Option, Problem, solve

    table = read_options(path)
    options = [Option(str(n), list(map(str, row)), []) for n, row in enumerate(table.options)]
    items = list(map(str, range(len(table.items))))
    return sum(1 for _ in solve(Problem(items, [], options), True).all())


def cp_sat(path: str) -> int:
    """Count with OR-Tools' CP-SAT, which enumerates with one worker only."""
    from ortools.sat.python import cp_model

    table, model = read_options(path), cp_model.CpModel()
    used = [model.new_bool_var("") for _ in table.options]
    inside: list[list[Any]] = [[] for _ in table.items]
    for variable, option in zip(used, table.options, strict=True):
        for item in option:
            inside[item].append(variable)
    for variables, copies in zip(inside, table.copies, strict=True):
        model.add(sum(variables) == copies)

    class Listener(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        found = 0

        def on_solution_callback(self) -> None:
            """Count one more."""
            self.found += 1

    solver, listener = cp_model.CpSolver(), Listener()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    status = solver.solve(model, listener)
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
    return listener.found


HOSTED = {
    "d4": d4,
    "ganak": ganak,
    "xcover": xcover,
    "exact-cover": exact_cover,
    "pyxcc": pyxcc,
    "cp-sat": cp_sat,
}


def main(name: str, formula: str, answer: str, tolerance: str) -> None:
    """Count by the package of that name."""
    exact = HOSTED.get(name)
    number = exact(formula) if exact else approxmc(formula, float(tolerance))
    Path(answer).write_text(f"{number}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
