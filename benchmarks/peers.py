"""The programs that are measured: one function each from a puzzle to its numbers of tilings.

A *library* counts inside the process that is measured; a *program* is measured as a process
of its own, with its input written beforehand. All get the same exact cover: for all reveals
the open one, in which a label is an option and a category is an item.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.peer import Counts, Peer, Program, Tally, Unsuitable, matrix
from satcal.puzzle.model import Label, Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover

YARDSTICK = Path(__file__).with_name("yardstick.c")
COMPILER = ("gcc", "-O3", "-march=native")


# --- satcal ------------------------------------------------------------------------------------


def satcal_diagram(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Build the diagram from nothing (no cache) and count on it."""
    from satcal.diagram.puzzle import PuzzleDiagram

    reveals = None if reveal is None else [reveal]
    return list(PuzzleDiagram.build(puzzle, reveals).counts().values())


def satcal_by(method: str) -> Callable[[Puzzle, Reveal | None], Counts]:
    """Return satcal's count of one reveal after another by a method."""

    def count(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
        import satcal

        wanted = list(puzzle.reveals()) if reveal is None else [reveal]
        return [satcal.count(puzzle, one, method=method) for one in wanted]

    return count


def satcal_sat(lemmas: str) -> Callable[[Puzzle, Reveal | None], Counts]:
    """Return satcal's SAT loop with lemmas of one level."""

    def count(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
        from satcal.counting.settings import Settings
        from satcal.counting.tilings import tilings

        settings = Settings(method="sat", lemmas=lemmas)
        wanted = list(puzzle.reveals()) if reveal is None else [reveal]
        return [sum(1 for _ in tilings(puzzle, one, settings)) for one in wanted]

    return count


# --- exact cover libraries ---------------------------------------------------------------------


def xcover(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Enumerate with xcover's dancing cells."""
    from xcover import covers

    whole = cover(puzzle, reveal)
    tally = Tally(whole)
    for chosen in covers(matrix(whole)):
        tally.add(chosen)
    return tally.counts()


def xcover_zdd(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Build xcover's memoized ZDD and count its paths.

    Its memo identifies subproblems by a 32-bit hash that is never checked, so that counts
    may be wrong: of the 25,061 tilings of a-puzzle-a-day it finds 25,058 (version 0.2.6).
    """
    from xcover import covers_zdd

    paths = [0, 1]
    for index, _, low, high in covers_zdd(matrix(cover(puzzle, reveal)), use_memo_cache=True):
        paths += [0] * (index + 1 - len(paths))
        paths[index] = paths[low] + paths[high]
    return paths[-1] if len(paths) > 2 else 0


def exact_cover(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Count with exact-cover's dancing links; it tells the sum only."""
    import numpy as np
    from exact_cover import get_solution_count

    rows = matrix(cover(puzzle, reveal))
    table = np.zeros((len(rows), 1 + max(map(max, rows))), bool)
    for number, row in enumerate(rows):
        table[number, row] = True
    return int(get_solution_count(table))


def pyxcc(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Enumerate with pyxcc; its labels are texts, and all solutions are kept in memory."""
    from pyxcc import Option, Problem, solve

    whole = cover(puzzle, reveal)
    rows = matrix(whole)
    items = sorted({item for row in rows for item in row})
    options = [Option(str(n), [str(item) for item in row], []) for n, row in enumerate(rows)]
    tally = Tally(whole)
    for chosen in solve(Problem([str(item) for item in items], [], options), True).all():
        tally.add(map(int, chosen))
    return tally.counts()


# --- constraint and SAT solvers ----------------------------------------------------------------


def cp_sat(puzzle: Puzzle, reveal: Reveal | None, every: bool = True) -> Counts:
    """Let CP-SAT enumerate, which it does with one worker only, or find just one tiling."""
    from ortools.sat.python import cp_model

    whole = cover(puzzle, reveal)
    model, tally = cp_model.CpModel(), Tally(whole)
    used = [model.new_bool_var("") for _ in whole.options]
    for options in whole.by_cell.values():
        model.add_exactly_one(used[n] for n in options)
    for _, copies, options in whole.items:
        model.add(sum(used[n] for n in options) == copies)

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            tally.add(n for n, variable in enumerate(used) if self.boolean_value(variable))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = every
    solver.parameters.num_workers = 1
    status = solver.solve(model, Listener())
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT stopped: {solver.status_name(status)}")
    return tally.counts()


def pysat_loop(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Do what published scripts do: plain clauses, solve, block the whole model, repeat."""
    from pysat.solvers import Solver

    from satcal.encoding import encode

    whole = cover(puzzle, reveal)
    formula, tally = encode(whole, "plain"), Tally(whole)
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            model = solver.get_model()[: formula.shown]
            tally.add(literal - 1 for literal in model if literal > 0)
            solver.add_clause([-literal for literal in model])
    return tally.counts()


def d4(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Let the model counter d4 count the ladder encoding, which suits it better than plain.

    It tells the sum only, and reads a file much faster than clauses from Python.
    """
    import tempfile

    from py_d4 import Solver

    from satcal.encoding.export import export

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tilings.cnf")
        path.write_text("".join(export(puzzle, reveal, format="dimacs", encoding="ladder")))
        return int(Solver(str(path)).count().getResult())


def prepare_clasp(puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
    """Write pseudo-Boolean equations for clasp: faster for it than clauses or ASP."""
    from satcal.encoding.export import export

    path = folder / "tilings.opb"
    path.write_text("".join(export(puzzle, reveal, format="opb")))
    return Program(["clasp", "--models=0", "--quiet", str(path)])


def prepare_clasp_cnf(puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
    """Write what ``satcal export`` writes by default: clauses of the ladder."""
    from satcal.encoding.export import export

    path = folder / "tilings.cnf"
    path.write_text("".join(export(puzzle, reveal)))
    return Program(["clasp", "-n", "0", "-q", str(path)])


def read_clasp(text: str) -> Counts:
    """Return the number of models; without a plus sign, which would mean that there are more."""
    found = re.search(r"^c? *Models +: (\d+) *$", text, re.MULTILINE)
    if found is None:
        raise RuntimeError("clasp did not finish")
    return int(found[1])


# --- the yardstick -----------------------------------------------------------------------------


def yardstick_input(whole: Cover, order: Iterable[int]) -> str:
    """Return an exact cover as yardstick.c reads it, its cells filled in an order (indices)."""
    place = {whole.cells[cell]: bit for bit, cell in enumerate(order)}
    if len(place) > 64:
        raise Unsuitable("at most 64 cells")
    categories = whole.puzzle.categories if whole.reveal is None else {}
    pieces = len(whole.items) - len(categories)
    number = {text: n for texts in categories.values() for n, text in enumerate(texts)}
    lines = [
        f"{len(place)} {pieces} {len(categories)}",
        " ".join(str(copies) for _, copies, _ in whole.items[:pieces]),
        " ".join(str(len(texts)) for texts in categories.values()),
        str(len(whole.options)),
    ]
    for option, item in zip(whole.options, whole.item_of, strict=True):
        label = number[option.text] if isinstance(option, Label) else 0
        lines.append(f"{item} {label} {sum(1 << place[cell] for cell in option.cells):x}")
    return "\n".join(lines) + "\n"


def prepare_yardstick(diagram: bool) -> Callable[[Puzzle, Reveal | None, Path], Program]:
    """Return what compiles the yardstick and writes its input, in one of two cell orders."""

    def prepare(puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
        from satcal.diagram.build import choose_order

        whole = cover(puzzle, reveal)
        at = {cell: number for number, cell in enumerate(whole.cells)}
        listed = [[at[cell] for cell in option.cells] for option in whole.options]
        order = choose_order(whole.cells, listed) if diagram else range(len(at))
        text = yardstick_input(whole, order)
        binary, path = folder / "yardstick", folder / "tilings.txt"
        subprocess.run([*COMPILER, "-o", str(binary), str(YARDSTICK)], check=True)
        path.write_text(text)
        return Program([str(binary)], path)

    return prepare


def read_yardstick(text: str) -> Counts:
    """Return the counts, one per line."""
    return list(map(int, text.split()))


_YARDSTICK = "first-empty-cell search in C, cells in"
_PEERS = (
    Peer(
        "satcal-diagram",
        "satcal, tiling diagram built from nothing",
        ("satcal.diagram.puzzle",),
        "satcal",
        count=satcal_diagram,
    ),
    Peer(
        "satcal-sat",
        "satcal, SAT loop",
        ("satcal.api", "satcal.counting.sat"),
        "satcal",
        count=satcal_by("sat"),
        suites=("date",),
    ),
    Peer(
        "satcal-search",
        "satcal, plain search with networkx",
        ("satcal.api", "satcal.counting.search"),
        "satcal",
        count=satcal_by("search"),
        suites=("date",),
    ),
    Peer(
        "c-rows",
        f"{_YARDSTICK} reading order",
        program="gcc",
        prepare=prepare_yardstick(False),
        read=read_yardstick,
    ),
    Peer(
        "c-diagram",
        f"{_YARDSTICK} the diagram's order",
        program="gcc",
        prepare=prepare_yardstick(True),
        read=read_yardstick,
    ),
    Peer("xcover", "dancing cells, compiled by numba", ("xcover",), count=xcover),
    Peer(
        "xcover-zdd",
        "its memoized ZDD; unchecked 32-bit hashes",
        ("xcover",),
        "xcover",
        count=xcover_zdd,
        exact=False,
    ),
    Peer("pyxcc", "dancing cells in Rust", ("pyxcc",), count=pyxcc),
    Peer("exact-cover", "dancing links in C", ("exact_cover", "numpy"), count=exact_cover),
    Peer(
        "cp-sat",
        "OR-Tools, enumerate all",
        ("ortools.sat.python.cp_model",),
        "ortools",
        count=cp_sat,
    ),
    Peer(
        "clasp",
        "enumerates pseudo-Boolean equations",
        program="clasp",
        prepare=prepare_clasp,
        read=read_clasp,
    ),
    *(
        Peer(
            f"satcal-sat-{lemmas}",
            f"satcal, SAT loop, lemmas: {lemmas}",
            ("satcal.counting.sat",),
            "satcal",
            count=satcal_sat(lemmas),
            suites=("enumeration",),
        )
        for lemmas in ("none", "single", "pair", "closed")
    ),
    Peer(
        "clasp-cnf",
        "enumerates what `satcal export` writes by default",
        program="clasp",
        prepare=prepare_clasp_cnf,
        read=read_clasp,
        suites=("enumeration",),
    ),
    Peer("d4", "model counter, ladder encoding", ("py_d4",), "d4Solver", count=d4),
    Peer(
        "pysat-loop",
        "cadical195, plain clauses, blocking clauses",
        ("pysat.solvers", "satcal.encoding"),
        "python-sat",
        count=pysat_loop,
    ),
)
PEERS = {peer.name: peer for peer in _PEERS}
