"""The programs that are measured: one function each from a puzzle to its numbers of tilings.

A *library* counts inside the process that is measured; a *program* is measured as a process
of its own, with its input written beforehand. All get the same exact cover: for all reveals
the open one, in which a label is an option and a category is an item.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from satcal.puzzle.model import Label, Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover

YARDSTICK = Path(__file__).with_name("yardstick.c")
COMPILER = ("gcc", "-O3", "-march=native")
Counts = list[int] | int
"""Tilings of each reveal in canonical order, or only their sum where a peer tells no more."""


class Unsuitable(Exception):
    """A peer cannot be asked this: it has no pieces with copies, or the board is too large."""


@dataclass(frozen=True)
class Program:
    """A command, the file for its standard input, and how its output is read."""

    command: list[str]
    stdin: Path | None = None


@dataclass(frozen=True)
class Peer:
    """A way to count tilings.

    Exactly one of ``count`` (a library, in-process) and ``prepare`` (a program, whose output
    ``read`` understands) is given. ``needs``: modules to be imported, distributions to be
    named, programs to be found. ``exact`` is False for a peer known to give wrong counts,
    which are then shown and not held against the run.
    """

    name: str
    what: str
    modules: tuple[str, ...] = ()
    distribution: str | None = None
    program: str | None = None
    count: Callable[[Puzzle, Reveal | None], Counts] | None = None
    prepare: Callable[[Puzzle, Reveal | None, Path], Program] | None = None
    read: Callable[[str], Counts] | None = None
    suites: tuple[str, ...] = ("date", "whole")
    exact: bool = True

    def version(self) -> str | None:
        """Return the installed version; None if the peer is missing."""
        if self.program is not None:
            return program_version(self.program)
        try:
            return importlib.metadata.version(self.distribution or self.name)
        except importlib.metadata.PackageNotFoundError:
            return None


def program_version(program: str) -> str | None:
    """Return the version that a program prints, None if there is no such program."""
    path = shutil.which(program)
    if path is None:
        return None
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+(\.\d+)+", said)
    return found[0] if found else "unknown"


# --- the exact cover, as most peers want it ----------------------------------------------------


def matrix(whole: Cover) -> list[list[int]]:
    """Return per option the numbers of what it covers: its cells, then its item.

    Raises:
        Unsuitable: a piece has copies, which exact cover without multiplicities cannot say.
    """
    if any(copies > 1 for _, copies, _ in whole.items):
        raise Unsuitable("no pieces with copies")
    at = {cell: number for number, cell in enumerate(whole.cells)}
    return [
        [*(at[cell] for cell in option.cells), len(at) + item]
        for option, item in zip(whole.options, whole.item_of, strict=True)
    ]


class Tally:
    """Counts solutions, given as sets of options (0-based), by the reveal that they name."""

    def __init__(self, whole: Cover) -> None:
        self._whole = whole
        options = enumerate(whole.options)
        self._label = {number: o.text for number, o in options if isinstance(o, Label)}
        self._found: Counter[frozenset[str]] = Counter()

    def add(self, chosen: Iterable[int]) -> None:
        """Count one solution."""
        labels = self._label
        self._found[frozenset(labels[n] for n in chosen if n in labels)] += 1

    def counts(self) -> list[int]:
        """Return the tilings of each reveal; of the only one where the cover is of one."""
        if self._whole.reveal is not None:
            return [self._found[frozenset()]]
        return [self._found[frozenset(reveal)] for reveal in self._whole.puzzle.reveals()]


# --- satcal ------------------------------------------------------------------------------------


def satcal_diagram(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Build the diagram from nothing (no cache) and count on it."""
    from satcal.counting.diagram.puzzle import PuzzleDiagram

    reveals = None if reveal is None else [reveal]
    return list(PuzzleDiagram.build(puzzle, reveals).counts().values())


def satcal_by(method: str) -> Callable[[Puzzle, Reveal | None], Counts]:
    """Return satcal's count of one reveal after another by a method."""

    def count(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
        import satcal

        wanted = list(puzzle.reveals()) if reveal is None else [reveal]
        return [satcal.count(puzzle, one, method=method) for one in wanted]

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
        from satcal.counting.diagram.order import choose_order

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
        ("satcal.counting.diagram.puzzle",),
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
