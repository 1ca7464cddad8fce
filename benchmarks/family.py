"""Five solvers on the benchmark family: ``python -m benchmarks.family``.

Each row of ``encodings/family/times.csv`` is one solver on one instance, in a fresh process under a
limit of CPU seconds; what is in the file already is not measured again, so a run that was stopped
goes on where it was. ``--rows 1`` measures one more, and exits with 3 while there are others.
"""

from __future__ import annotations

import argparse
import csv
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Ended, run
from satcal.external import family
from satcal.external.family import DECIDE, Instance
from satcal.processes import limited

LIMIT = 100  # CPU seconds
PATIENCE = 3600  # seconds of wall time: other work may have the machine
MEMORY = 8 * 2**30
FIELDS = ("file", "solver", "status", "seconds")
SOLVERS: dict[str, tuple[str, ...]] = {
    "cadical": ("cnf:decide",),
    "clasp": ("cnf:decide", "cnf:count", "opb:decide", "opb:count"),
    "cp-sat": ("cnf:decide", "cnf:count", "opb:decide", "opb:count"),
    "d4": ("cnf:decide", "cnf:count", "cnf:project"),
    "ganak": ("cnf:decide", "cnf:count", "cnf:project"),
}
"""Of each solver, the formats and tasks that it can be asked."""


def command(solver: str, path: Path, task: str) -> list[str]:
    """Return how a solver is called."""
    if solver == "cadical":
        return ["cadical", "-q", str(path)]
    if solver == "clasp":
        return ["clasp", "-q", "-n", "1" if task == DECIDE else "0", str(path)]
    return [sys.executable, "-m", "benchmarks.family_solvers", solver, str(path), task]


def answer_of(ended: Ended, task: str) -> str:
    """Return a solver's answer in the words of the list, or nothing."""
    if task == DECIDE:
        said = re.search(r"^s (SATISFIABLE|UNSATISFIABLE)$", ended.output, re.M)
        return said[1] if said else ""
    said = re.search(r"^(?:c )?Models +: (\d+)$|^c s exact (\d+)$", ended.output, re.M)
    return (said[1] or said[2]) if said else ""


def measured(instance: Instance, solver: str, path: Path) -> dict[str, str]:
    """Return the row of a solver on an instance."""
    called = limited(command(solver, path, instance.task), MEMORY, seconds=LIMIT)
    ended = run(called, PATIENCE)
    answer = answer_of(ended, instance.task)
    # a process that runs out of CPU time is killed, or told so first, as clasp says; the clocks
    # that say so differ a little
    killed = ended.code in (None, -signal.SIGXCPU, -signal.SIGKILL)
    killed |= "INTERRUPTED by signal" in ended.errors
    late = killed or ended.cpu >= 0.95 * LIMIT
    status = "right" if answer == instance.answer else "late" if late else "failed"
    if answer and answer != instance.answer:
        status = f"wrong: {answer}"
    if status == "failed":
        print(ended.code, ended.errors[-500:], file=sys.stderr)
    row = (instance.file, solver, status, f"{ended.cpu:.2f}")
    return dict(zip(FIELDS, row, strict=True))


def questions(done: set[tuple[str, str]]) -> Iterator[tuple[Instance, str]]:
    """Yield what is still to be measured: by the list's order."""
    for instance in family.instances():
        asked = f"{Path(instance.file).suffix[1:]}:{instance.task}"
        for solver, can in SOLVERS.items():
            if asked in can and (instance.file, solver) not in done:
                yield instance, solver


def main() -> int:
    """Measure what is missing; return 3 if some is left."""
    parser = argparse.ArgumentParser(prog="benchmarks.family", description=__doc__)
    parser.add_argument("--rows", type=int, default=10**6, help="at most so many")
    parser.add_argument("--only", default="", help="instances whose names contain this")
    parser.add_argument("--solver", default="", help="this one alone")
    options = parser.parse_args()
    path = family.folder() / family.TIMES
    rows = list(csv.DictReader(path.open())) if path.exists() else []
    done = {(row["file"], row["solver"]) for row in rows}
    left = [
        (instance, solver)
        for instance, solver in questions(done)
        if options.only in instance.file and options.solver in solver
    ]
    for instance, solver in left[: options.rows]:
        with tempfile.TemporaryDirectory() as folder:
            formula = Path(folder, instance.file)
            formula.write_text(instance.text())
            row = measured(instance, solver, formula)
        print(*row.values(), flush=True)
        with path.open("a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            if not rows:
                writer.writeheader()
            writer.writerow(row)
            rows.append(row)
    return 3 if left[options.rows :] else 0


if __name__ == "__main__":
    sys.exit(main())
