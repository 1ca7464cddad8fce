"""Every tiling of a date, by satcal and by others: ``python -m benchmarks.enumeration``.

Every rival gets the same exact cover, the same lemmas where it takes clauses, and the best of
the settings that were tried; ``RIVALS`` has them. One core each, a fresh process for each
measurement, interleaved: all rivals on a date, then the next date, and all of that ``--repeat``
times. The table has the medians. All counts are compared; the exit code is 1 if one differs.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial, reduce
from importlib.metadata import version
from operator import or_
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import RESULTS, cpu_seconds, machine, run, table
from benchmarks.peers import compiled, covering, yardstick_input
from satcal.counting.method import Meter
from satcal.counting.methods import method_named
from satcal.encoding import encode_with_lemmas
from satcal.encoding.export import export_text
from satcal.encoding.lemmas import apply_lemmas
from satcal.external import packages
from satcal.external.solvers import parse_clasp
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import load
from satcal.puzzle.placements import Cover, cover_of

DATES = {
    "rhombus Thu,Apr,2": 49,
    "a-puzzle-a-day Jan,25": 216,
    "weekday Fri,Mar,31": 512,
    "rhombus Fri,Oct,23": 1073,
    "tetromino Jan,17": 1216,
    "rhombus Tue,Nov,5": 1606,
}


def by_satcal(cover: Cover, method: str, **settings: str) -> int:
    """Count with a method of satcal."""
    assert cover.reveal is not None
    by = method_named(method, **settings)
    return sum(1 for _ in by.tilings(cover.puzzle, cover.reveal, (), Meter()))


def bit_sets(cover: Cover) -> int:
    """Count by Knuth's rule in ten lines: sets of options are integers; for single pieces only."""
    needs = [*cover.by_cell.values(), *(item.options for item in cover.items)]
    sets = [sum(1 << option for option in need) for need in needs]
    fits = [~reduce(or_, (one for one in sets if one >> n & 1)) for n in range(len(cover.options))]

    def count(sets: list[int]) -> int:
        if not sets:
            return 1
        least, total = min(sets, key=int.bit_count), 0
        while least:
            option = least & -least
            least ^= option
            fit = fits[option.bit_length() - 1]
            total += count([one & fit for one in sets if not one & option])
        return total

    return count(sets)


def by_cp_sat(cover: Cover, lemmas: str = "none", ordered: bool = False, **settings: Any) -> int:
    """Count with CP-SAT; ``ordered`` decides along the cells, true first, as the loop does."""
    from ortools.sat.python import cp_model

    cover, pairs = apply_lemmas(cover, lemmas)
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in cover.options]
    for options in [*cover.by_cell.values(), *(item.options for item in cover.items)]:
        model.add_exactly_one([used[option] for option in options])
    for a, b in pairs:
        model.add_bool_or([used[-a - 1].negated(), used[-b - 1].negated()])
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions, solver.parameters.num_workers = True, 1
    for name, value in settings.items():
        setattr(solver.parameters, name, value)
    if ordered:
        order = sorted(range(len(used)), key=lambda option: min(cover.options[option].cells))
        first, true = cp_model.CHOOSE_FIRST, cp_model.SELECT_MAX_VALUE
        model.add_decision_strategy([used[option] for option in order], first, true)
        solver.parameters.search_branching = cp_model.FIXED_SEARCH
    found: list[None] = []

    class Listener(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            found.append(None)

    solver.solve(model, Listener())
    return len(found)


def by_cryptominisat(cover: Cover) -> int:
    """Count with CryptoMiniSat in the loop, on the same formula with closed lemmas."""
    import pycryptosat

    _, formula = encode_with_lemmas(cover, "ladder", "closed")
    solver = pycryptosat.Solver(threads=1)
    solver.add_clauses(formula.clauses)
    found = 0
    while True:
        is_satisfiable, model = solver.solve()
        if not is_satisfiable:
            return found
        found += 1
        solver.add_clause([-v for v in range(1, formula.shown + 1) if model[v]])


def by_clasp(cover: Cover, lemmas: str) -> int:
    """Count with clasp on the ladder; its configurations and static orders are slower."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tilings.cnf")
        path.write_text(export_text(cover.puzzle, cover.reveal, lemmas=lemmas))
        command = ["clasp", "-n", "0", "-q", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return parse_clasp(done.stdout, sys.maxsize)


def by_miniexact(cover: Cover) -> int:
    """Count with miniexact's dancing links, in C."""
    found: list[object] = []
    packages.miniexact(covering(cover), found.append)
    return len(found)


def by_pyxcc(cover: Cover) -> int:
    """Count with pyxcc's dancing cells, in Rust."""
    from pyxcc import Option, Problem, solve

    table = covering(cover)
    options = [Option(str(n), list(map(str, items)), []) for n, items in enumerate(table.options)]
    items = list(map(str, range(len(table.copies))))
    return len(solve(Problem(items, [], options), True).all())


@cache
def in_c(source: str) -> tuple[tempfile.TemporaryDirectory[str], str]:
    """Return a program in C, and the folder that goes with this process."""
    folder = tempfile.TemporaryDirectory()
    return folder, compiled(source, Path(folder.name))


def run_in_c(source: str, text: str) -> int:
    """Return the number that a program in C prints for an input."""
    command = [in_c(source)[1]]
    return int(
        subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout
    )


def by_yardstick(cover: Cover) -> int:
    """Count with the search in C that covers the first cell."""
    return run_in_c(FIRST_CELL, yardstick_input(True, cover.puzzle, cover.reveal))


def by_bit_sets(cover: Cover, lemmas: str) -> int:
    """Count with Knuth's rule in C, for single pieces only; sets of options are words."""
    cover, pairs = apply_lemmas(cover, lemmas)
    needs = [*cover.by_cell.values(), *(item.options for item in cover.items)]
    rows = [[len(cover.options), len(needs)], *([len(need), *need] for need in needs)]
    rows += [[len(pairs)], *([-a - 1, -b - 1] for a, b in pairs)]
    return run_in_c(BIT_SETS, "".join(f"{' '.join(map(str, row))}\n" for row in rows))


TWO: dict[str, Any] = {"linearization_level": 0, "cp_model_presolve": False}
FIRST_CELL, BIT_SETS = "yardstick.c", "bitsets.c"
Rival = Callable[[Cover], int]
RIVALS: dict[str, dict[str, Rival]] = {
    "without lemmas": {
        "SAT loop": partial(by_satcal, method="sat", lemmas="none"),
        "CP-SAT as it comes": by_cp_sat,
        "CP-SAT, 2 settings": partial(by_cp_sat, **TWO),
        "CP-SAT, 2 settings, in the loop's order": partial(by_cp_sat, ordered=True, **TWO),
        "clasp": partial(by_clasp, lemmas="none"),
        "`search`": partial(by_satcal, method="search"),
        "bit sets, ten lines": bit_sets,
        "dancing links in C": by_miniexact,
        "dancing cells in Rust": by_pyxcc,
        "first cell in C": by_yardstick,
        "bit sets in C": partial(by_bit_sets, lemmas="none"),
        "`listing`": partial(by_satcal, method="listing"),
    },
    "with closed lemmas": {
        "SAT loop": partial(by_satcal, method="sat", lemmas="closed"),
        "the loop with CryptoMiniSat": by_cryptominisat,
        "CP-SAT, 2 settings": partial(by_cp_sat, lemmas="closed", **TWO),
        "CP-SAT, 2 settings, in the loop's order": partial(
            by_cp_sat, lemmas="closed", ordered=True, **TWO
        ),
        "clasp": partial(by_clasp, lemmas="closed"),
        "bit sets in C": partial(by_bit_sets, lemmas="closed"),
    },
}
Figures = dict[str, dict[str, dict[str, list[float]]]]
"""CPU seconds by date, kind and rival."""


def one(kind: str, rival: str, date: str) -> None:
    """Print the tilings and the CPU seconds of one rival on one date, children included."""
    board, _, reveal = date.partition(" ")
    cover = cover_of(load(board), tuple(reveal.split(",")))
    if "CP-SAT" in rival:
        import ortools.sat.python.cp_model  # noqa: F401 - importing is not counted
    if rival.endswith(" in C"):
        in_c(BIT_SETS if rival.startswith("bit sets") else FIRST_CELL)  # nor is compiling
    before = cpu_seconds()
    tilings = RIVALS[kind][rival](cover)
    print(json.dumps([tilings, cpu_seconds() - before]))


def measure(dates: Sequence[str], repeat: int, limit: float) -> Figures:
    """Return the CPU seconds of all rivals; infinite for one that is late."""
    found: Figures = {}
    for date in list(dates) * repeat:
        for kind, rivals in RIVALS.items():
            for rival in rivals:
                command = [
                    sys.executable,
                    "-m",
                    "benchmarks.enumeration",
                    "--one",
                    kind,
                    rival,
                    date,
                ]
                ended = run(command, limit)
                if ended.code:
                    sys.exit(f"{rival}, {date}: exit {ended.code}\n{ended.errors[-2000:]}")
                tilings, seconds = (
                    json.loads(ended.output) if ended.code == 0 else (DATES[date], float("inf"))
                )
                if tilings != DATES[date]:
                    sys.exit(f"DIFFERENT: {rival}, {date}: {tilings} instead of {DATES[date]}")
                cells = found.setdefault(date, {}).setdefault(kind, {})
                cells.setdefault(rival, []).append(seconds)
                print(f"{date}, {kind}, {rival}: {seconds:.2f} s", file=sys.stderr, flush=True)
    return found


def multiples(found: Figures, kind: str, rival: str) -> str:
    """Return how many times longer a rival takes than the SAT loop; empty if it was not asked."""
    if rival not in RIVALS[kind]:
        return ""
    times = sorted(
        median(cells[kind][rival]) / median(cells["with closed lemmas"]["SAT loop"])
        for cells in found.values()
    )
    return f"{median(times):.2f} ({times[0]:.2f}-{times[-1]:.2f})"


def markdown(found: Figures, about: str) -> str:
    """Return the report."""
    rivals = dict.fromkeys(rival for each in RIVALS.values() for rival in each)
    rows = [[rival, *(multiples(found, kind, rival) for kind in RIVALS)] for rival in rivals]
    return "\n".join([HEAD, about, table(["CPU seconds", *RIVALS], rows)])


def write(found: Figures, folder: Path) -> None:
    """Write the median of each date and rival as CSV."""
    with open(folder / "enumeration.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["date", "tilings", "lemmas", "rival", "seconds"])
        for date, kinds in found.items():
            for kind, cells in kinds.items():
                for rival, measured in cells.items():
                    figures = f"{median(measured):.2f}"
                    writer.writerow([date.replace(",", " "), DATES[date], kind, rival, figures])


HEAD = """\
# Every tiling of a date: the SAT loop and others

`python -m benchmarks.enumeration` measures CPU seconds to the last tiling, lemmas and files
included, as multiples of those of the SAT loop with closed lemmas: the median over some dates
(`enumeration.csv`), the least and the greatest. All get the same exact cover, the same lemmas
(other searches take none) and the best settings found: CP-SAT `linearization_level=0` and
`cp_model_presolve=False` (*2 settings*) and a fixed search along the cells (*the loop's order*),
clasp the ladder encoding. *Dancing links in C* is miniexact, *dancing cells in Rust* pyxcc, *first
cell in C* `yardstick.c`, *bit sets in C* `bitsets.c` with the rule of `search`.
"""


def about(repeat: int) -> str:
    """Return the machine, the versions and the rounds as a list."""
    names = "satcal", "ortools", "python-sat", "numpy", "miniexact", "pyxcc"
    used = ", ".join(f"{name} {version(name)}" for name in names)
    import pycryptosat  # without metadata, if it was built from source

    used += f", pycryptosat {pycryptosat.__version__}"
    clasp = subprocess.run(["clasp", "--version"], capture_output=True, text=True, check=False)
    return (
        f"- date: {datetime.date.today()}\n"
        f"- machine: {machine()}\n"
        f"- Python {platform.python_version()}, {used}, {clasp.stdout.splitlines()[0]}\n"
        f"- rounds: {repeat}; load average: {os.getloadavg()[2]:.0f}\n"
    )


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write both tables."""
    parser = argparse.ArgumentParser(prog="benchmarks.enumeration", description=__doc__)
    parser.add_argument("--one", nargs=3, metavar=("KIND", "RIVAL", "DATE"), help="one measurement")
    parser.add_argument("--repeat", type=int, default=3, help="rounds over all dates (3)")
    parser.add_argument("--limit", type=float, default=300, help="seconds per measurement (300)")
    parser.add_argument("--date", action="append", choices=DATES, help="only this date")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder of enumeration.md")
    options = parser.parse_args(arguments)
    if options.one:
        one(*options.one)
        return
    for date, tilings in DATES.items():
        board, _, reveal = date.partition(" ")
        assert shipped_counts(load(board))[tuple(reveal.split(","))] == tilings
    found = measure(options.date or list(DATES), options.repeat, options.limit)
    write(found, options.output)
    text = markdown(found, about(options.repeat))
    (options.output / "enumeration.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
