"""The programs that are measured: one function each from a puzzle to its numbers of tilings.

A *library* counts inside the process that is measured; a *program* is measured as a process
of its own, with its input written beforehand. All get the same exact cover: for all reveals
the open one, in which a label is an option and a category is an item. Those that
``satcal cross-check`` asks, too, are asked by the same functions.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.peer import Counts, Peer, Program, Tally, Unsuitable, covering
from satcal.external import packages
from satcal.puzzle.model import Label, Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover_of, filling_order

YARDSTICK = Path(__file__).with_name("yardstick.c")
DOMINOES = Path(__file__).with_name("dominoes.c")
COMPILER = ("gcc", "-O3", "-march=native")
Count = Callable[[Puzzle, Reveal | None], Counts]


# --- satcal ------------------------------------------------------------------------------------


def satcal_diagram(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Build the diagram from nothing (no cache) and count on it."""
    from satcal.diagram.puzzle import PuzzleDiagram

    reveals = None if reveal is None else [reveal]
    return list(PuzzleDiagram.build(puzzle, reveals).counts().values())


def satcal_by(method: str, **more: Any) -> Count:
    """Return satcal's count of one reveal after another by a method."""

    def count(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
        from satcal.counting.method import Meter
        from satcal.counting.methods import method_named

        wanted = list(puzzle.reveals()) if reveal is None else [reveal]
        return list(method_named(method, **more).counts(puzzle, wanted, (), Meter()).values())

    return count


# --- packages ----------------------------------------------------------------------------------


def enumerated(enumerate_all: Callable[..., None], copies: bool = False, **more: Any) -> Count:
    """Return the count of what a package enumerates; ``copies`` says that it knows of them."""

    def count(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
        cover = cover_of(puzzle, reveal)
        tally = Tally(cover)
        enumerate_all(covering(cover, copies), tally.add, **more)
        return tally.counts()

    return count


def xcover_zdd(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Build xcover's memoized ZDD and count its paths.

    Its memo identifies subproblems by a 32-bit hash that is never checked, so that counts
    may be wrong: of the 25,061 tilings of a-puzzle-a-day it finds 25,058 (version 0.2.6).
    """
    from xcover import covers_zdd

    options = covering(cover_of(puzzle, reveal)).options
    paths = [0, 1]
    for index, _, low, high in covers_zdd(options, use_memo_cache=True):
        paths += [0] * (index + 1 - len(paths))
        paths[index] = paths[low] + paths[high]
    return paths[-1] if len(paths) > 2 else 0


def exact_cover(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Count with exact-cover's dancing links, which say the sum only."""
    import numpy as np
    from exact_cover import get_solution_count

    table = covering(cover_of(puzzle, reveal))
    matrix = np.zeros((len(table.options), len(table.copies)), bool)
    for number, option in enumerate(table.options):
        matrix[number, option] = True
    return int(get_solution_count(matrix))


def pyxcc(table: packages.Covering, tell: packages.Tell) -> None:
    """Enumerate with pyxcc's dancing cells; it keeps all solutions in memory."""
    from pyxcc import Option, Problem, solve

    options = [Option(str(n), list(map(str, items)), []) for n, items in enumerate(table.options)]
    items = list(map(str, range(len(table.copies))))
    for chosen in solve(Problem(items, [], options), True).all():
        tell(map(int, chosen))


def graphillion(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Count with Graphillion: families of sets of options (ZDDs), intersected item by item."""
    from graphillion import setset

    table = covering(cover_of(puzzle, reveal), copies=True)
    setset.set_universe(list(range(len(table.options))))
    solutions = setset({})
    for item, copies in enumerate(table.copies):
        used = [setset({})] + [setset([])] * copies  # so many of the options so far
        for option in (n for n, items in enumerate(table.options) if item in items):
            chosen, other = setset({"include": [option]}), setset({"exclude": [option]})
            used = [used[0] & other] + [
                (more & other) | (less & chosen) for less, more in pairwise(used)
            ]
        solutions &= used[copies]
    return int(solutions.len())


def pysat_loop(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Do what published scripts do: plain clauses, solve, block the whole model, repeat."""
    from pysat.solvers import Solver

    from satcal.encoding import encode

    cover = cover_of(puzzle, reveal)
    formula, tally = encode(cover, "plain"), Tally(cover)
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

    with tempfile.TemporaryDirectory() as folder:
        return packages.d4(str(exported(puzzle, reveal, Path(folder))))


def exported(puzzle: Puzzle, reveal: Reveal | None, folder: Path, format: str = "dimacs") -> Path:
    """Return a file with what `satcal export` writes: in DIMACS the clauses of the ladder."""
    from satcal.encoding.export import export

    path = folder / f"tilings.{format}"
    path.write_text(export(puzzle, reveal, format=format))
    return path


def prepare_clasp(
    program: str, format: str, puzzle: Puzzle, reveal: Reveal | None, folder: Path
) -> Program:
    """Write for clasp clauses, or equations, for which it is faster; for clingo rules."""
    path = exported(puzzle, reveal, folder, format)
    return Program([program, "-n", "0", "-q", str(path)])


def read_clasp(text: str) -> Counts:
    """Return the number of models; a plus sign would mean that there may be more."""
    from satcal.external import solvers

    return solvers.clasp_models(text, sys.maxsize)


# --- the yardstick -----------------------------------------------------------------------------


def yardstick_input(cover: Cover, order: Iterable[int]) -> str:
    """Return an exact cover as yardstick.c reads it, its cells filled in an order (indices)."""
    place = {cover.cells[cell]: bit for bit, cell in enumerate(order)}
    if len(place) > 64:
        raise Unsuitable("at most 64 cells")
    categories = cover.puzzle.categories if cover.reveal is None else {}
    pieces = len(cover.items) - len(categories)
    number = {text: n for texts in categories.values() for n, text in enumerate(texts)}
    lines = [
        f"{len(place)} {pieces} {len(categories)}",
        " ".join(str(copies) for _, copies, _ in cover.items[:pieces]),
        " ".join(str(len(texts)) for texts in categories.values()),
        str(len(cover.options)),
    ]
    for option, item in zip(cover.options, cover.item_of, strict=True):
        label = number[option.text] if isinstance(option, Label) else 0
        lines.append(f"{item} {label} {sum(1 << place[cell] for cell in option.cells):x}")
    return "\n".join(lines) + "\n"


def prepare_yardstick(diagram: bool) -> Callable[[Puzzle, Reveal | None, Path], Program]:
    """Return what compiles the yardstick and writes its input, in one of two cell orders."""

    def prepare(puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
        cover = cover_of(puzzle, reveal)
        order = filling_order(cover) if diagram else range(len(cover.cells))
        text = yardstick_input(cover, order)
        binary, path = folder / "yardstick", folder / "tilings.txt"
        subprocess.run([*COMPILER, "-o", str(binary), str(YARDSTICK)], check=True)
        path.write_text(text)
        return Program([str(binary)], path)

    return prepare


def read_yardstick(text: str) -> Counts:
    """Return the counts, one per line."""
    return list(map(int, text.split()))


def prepare_dominoes(puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
    """Compile the domino program; its input are the sides of a rectangle."""
    rows, columns = (max(each) + 1 for each in zip(*puzzle.cells, strict=True))
    sizes = [(len(piece.orientations[0]), piece.copies) for piece in puzzle.pieces]
    if sizes != [(2, len(puzzle.cells) // 2)] or rows * columns != len(puzzle.cells):
        raise Unsuitable("only dominoes on a rectangle")
    binary, path = folder / "dominoes", folder / "sides.txt"
    limbs = f"-DLIMBS={len(puzzle.cells) // 148 + 1}"
    subprocess.run([*COMPILER, limbs, "-o", str(binary), str(DOMINOES)], check=True)
    path.write_text(f"{rows} {columns}\n")
    return Program([str(binary)], path)


def read_dominoes(text: str) -> Counts:
    """Return the one count, which is hexadecimal."""
    return int(text, 16)


_SEARCH = "first-empty-cell search in C, cells in"
_OF_DATES = ("date",)
_LOOP = ("satcal.counting.sat",)
_PEERS = (
    Peer(
        "satcal-diagram",
        "satcal, tiling diagram built from nothing",
        ("satcal.diagram.puzzle",),
        "satcal",
        count=satcal_diagram,
    ),
    Peer(
        "satcal-sat", "satcal, SAT loop", _LOOP, "satcal", count=satcal_by("sat"), suites=_OF_DATES
    ),
    Peer(
        "satcal-search",
        "satcal, search by Knuth's rule",
        ("satcal.counting.search",),
        "satcal",
        count=satcal_by("search"),
        suites=_OF_DATES,
    ),
    Peer(
        "c-rows",
        f"{_SEARCH} reading order",
        program="gcc",
        prepare=prepare_yardstick(False),
        read=read_yardstick,
    ),
    Peer(
        "c-diagram",
        f"{_SEARCH} the diagram's order",
        program="gcc",
        prepare=prepare_yardstick(True),
        read=read_yardstick,
    ),
    Peer(
        "xcover", "dancing cells, compiled by numba", ("xcover",), count=enumerated(packages.xcover)
    ),
    Peer(
        "xcover-zdd",
        "its memoized ZDD; unchecked 32-bit hashes",
        ("xcover",),
        "xcover",
        count=xcover_zdd,
        exact=False,
    ),
    Peer("pyxcc", "dancing cells in Rust", ("pyxcc",), count=enumerated(pyxcc)),
    Peer("exact-cover", "dancing links in C", ("exact_cover", "numpy"), count=exact_cover),
    Peer(
        "cp-sat",
        "OR-Tools, enumerate all",
        ("ortools.sat.python.cp_model",),
        "ortools",
        count=enumerated(packages.cp_sat, copies=True),
    ),
    Peer(
        "clasp",
        "enumerates pseudo-Boolean equations",
        program="clasp",
        prepare=partial(prepare_clasp, "clasp", "opb"),
        read=read_clasp,
    ),
    Peer(
        "clingo",
        "enumerates answer sets",
        program="clingo",
        prepare=partial(prepare_clasp, "clingo", "asp"),
        read=read_clasp,
        suites=_OF_DATES,
    ),
    Peer(
        "miniexact",
        "dancing links with multiplicities, in C",
        ("miniexact",),
        count=enumerated(packages.miniexact, copies=True),
        suites=("date", "growth"),
    ),
    Peer(
        "graphillion",
        "families of sets as ZDDs, intersected item by item",
        ("graphillion",),
        count=graphillion,
        suites=("date", "growth"),
    ),
    Peer(
        "c-dominoes",
        "broken profile of dominoes on a rectangle, in C",
        program="gcc",
        prepare=prepare_dominoes,
        read=read_dominoes,
        suites=("growth",),
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
