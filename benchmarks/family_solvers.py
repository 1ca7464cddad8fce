"""Packages that answer a file of the benchmark family, in the words of the competitions.

``python -m benchmarks.family_solvers cp-sat|d4|ganak FILE decide|count|project``
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pysat.formula import CNF


def cp_sat(path: str, task: str) -> int:
    """Return the number of models; at most one is looked for if the task is to decide."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    if path.endswith(".opb"):
        equations = [line for line in Path(path).read_text().splitlines() if line[0] != "*"]
        names = sorted({int(x) for x in re.findall(r"x(\d+)", " ".join(equations))})
        variable = {number: model.new_bool_var("") for number in names}
        for line in equations:
            terms, relation, bound = re.fullmatch(r"(.*) (=|>=) (-?\d+) ;", line).groups()
            found = re.findall(r"([+-]\d+) x(\d+)", terms)
            total = sum(int(factor) * variable[int(number)] for factor, number in found)
            model.add(total == int(bound) if relation == "=" else total >= int(bound))
    else:
        formula = CNF(from_file=path)
        variable = {number: model.new_bool_var("") for number in range(1, formula.nv + 1)}
        for clause in formula.clauses:
            model.add_bool_or([variable[x] if x > 0 else ~variable[-x] for x in clause])

    class Listener(cp_model.CpSolverSolutionCallback):
        models = 0

        def on_solution_callback(self) -> None:
            self.models += 1

    solver, listener = cp_model.CpSolver(), Listener()
    solver.parameters.enumerate_all_solutions = task != "decide"
    solver.parameters.num_workers = 1
    status = solver.solve(model, listener)
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE, cp_model.FEASIBLE):
        raise SystemExit(f"CP-SAT ended with {solver.status_name(status)}")
    return listener.models


def d4(path: str, task: str) -> int:
    """Return the number of models, projected if the file says so."""
    from py_d4 import Solver

    return int(Solver(path).count().getResult())


def ganak(path: str, task: str) -> int:
    """Return the number of models, projected if the file says so."""
    from pyganak import Counter

    formula = CNF(from_file=path)
    counter = Counter()
    counter.new_vars(formula.nv)
    counter.add_clauses(formula.clauses)
    shown = next((line for line in formula.comments if line.startswith("c p show ")), None)
    every = range(1, formula.nv + 1)
    counter.set_sampling_set([int(x) for x in shown.split()[3:-1]] if shown else list(every))
    return int(counter.count())


def main(solver: str, path: str, task: str) -> None:
    """Print the answer as a competition wants it."""
    number = {"cp-sat": cp_sat, "d4": d4, "ganak": ganak}[solver](path, task)
    if task == "decide":
        print("s SATISFIABLE" if number else "s UNSATISFIABLE")
    else:
        print(f"c s exact {number}")


if __name__ == "__main__":
    main(*sys.argv[1:])
