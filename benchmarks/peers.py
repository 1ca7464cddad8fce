"""Who is measured: of each, one function from a puzzle to its numbers of tilings.

A *library* counts in the fresh process of its measurement (``python -m benchmarks.peers NAME BOARD
REVEAL FOLDER``, REVEAL is ``-`` for all). A *program* is a process of its own, with its input
written beforehand. All get the same exact cover: for all reveals the open one, in which a label is
an option and a category is an item.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from satcal.external import packages
from satcal.puzzle.loading import load
from satcal.puzzle.model import Label, Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover_of, filling_order

HERE = Path(__file__).parent
Counts = list[int] | int
"""Tilings of each reveal in canonical order, or only their sum where a peer tells no more."""


class Unsuitable(Exception):
    """A peer cannot be asked this."""


@dataclass(frozen=True)
class Program:
    """A command, its standard input, and the base of the numbers that it prints."""

    command: list[str]
    stdin: str
    base: int = 10


@dataclass(frozen=True)
class Peer:
    """A way to count: in this process (``count``), or by a program (``prepare``)."""

    what: str
    count: Callable[[Puzzle, Reveal | None], Counts] | None = None
    prepare: Callable[[Puzzle, Reveal | None, Path], Program] | None = None
    modules: tuple[str, ...] = ()


def satcal_diagram(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Build the diagram from nothing (no cache) and count on it."""
    from satcal.diagram.puzzle import PuzzleDiagram

    reveals = None if reveal is None else [reveal]
    return list(PuzzleDiagram.build(puzzle, reveals).counts().values())


def covering(cover: Cover, copies: bool = True) -> packages.MultiCover:
    """Return what is to be covered, cells first, then items, and what each option covers.

    Raises:
        Unsuitable: a piece has copies, and the peer does not know of ``copies``.
    """
    often = [copies for _, copies, _ in cover.items]
    if max(often) > 1 and not copies:
        raise Unsuitable("no pieces with copies")
    at = {cell: index for index, cell in enumerate(cover.cells)}
    options = [
        [*(at[cell] for cell in option.cells), len(at) + item]
        for option, item in zip(cover.options, cover.item_of, strict=True)
    ]
    return packages.MultiCover([1] * len(at) + often, options)


def enumerated(
    enumerate_all: Callable[..., None], copies: bool, puzzle: Puzzle, reveal: Reveal | None
) -> Counts:
    """Count what a package enumerates by reveal; ``copies`` says that it knows of them."""
    cover = cover_of(puzzle, reveal)
    label = {number: o.text for number, o in enumerate(cover.options) if isinstance(o, Label)}
    found: Counter[frozenset[str]] = Counter()

    def add(chosen: Iterable[int]) -> None:
        found[frozenset(label[n] for n in chosen if n in label)] += 1

    enumerate_all(covering(cover, copies), add)
    reveals = [()] if reveal is not None else puzzle.reveals()
    return [found[frozenset(each)] for each in reveals]


def graphillion(puzzle: Puzzle, reveal: Reveal | None) -> Counts:
    """Count with Graphillion: families of sets of options (ZDDs), intersected item by item."""
    from graphillion import setset

    table = covering(cover_of(puzzle, reveal))
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


def compiled(source: str, folder: Path, *options: str) -> str:
    """Compile a program in C, and return its path."""
    path = str(folder / source.removesuffix(".c"))
    command = ["gcc", "-O3", "-march=native", *options, "-o", path, str(HERE / source)]
    subprocess.run(command, check=True)
    return path


def yardstick_input(by_diagram: bool, puzzle: Puzzle, reveal: Reveal | None) -> str:
    """Return the exact cover for the search in C, in reading order or in the diagram's."""
    cover = cover_of(puzzle, reveal)
    order = filling_order(cover) if by_diagram else range(len(cover.cells))
    place = {cover.cells[cell]: bit for bit, cell in enumerate(order)}
    if len(place) > 64:
        raise Unsuitable("at most 64 cells")
    categories = puzzle.categories if reveal is None else {}
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


def yardstick(by_diagram: bool, puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
    """Return the search in C with its input."""
    path = folder / "tilings.txt"
    path.write_text(yardstick_input(by_diagram, puzzle, reveal))
    return Program([compiled("yardstick.c", folder)], str(path))


def dominoes(puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Program:
    """Return the domino program; its input are the sides of a rectangle."""
    rows, columns = (max(each) + 1 for each in zip(*puzzle.cells, strict=True))
    sizes = [(len(piece.orientations[0]), piece.copies) for piece in puzzle.pieces]
    if sizes != [(2, len(puzzle.cells) // 2)] or rows * columns != len(puzzle.cells):
        raise Unsuitable("only dominoes on a rectangle")
    path = folder / "sides.txt"
    path.write_text(f"{rows} {columns}\n")
    binary = compiled("dominoes.c", folder, f"-DLIMBS={len(puzzle.cells) // 148 + 1}")
    return Program([binary], str(path), 16)


PEERS = {
    "satcal-diagram": Peer("tiling diagram", satcal_diagram, modules=("satcal.diagram.puzzle",)),
    "c-rows": Peer("first-cell search, reading order", prepare=partial(yardstick, False)),
    "c-diagram": Peer("first-cell search, diagram's order", prepare=partial(yardstick, True)),
    "xcover": Peer(
        "dancing cells", partial(enumerated, packages.xcover, False), modules=("xcover",)
    ),
    "miniexact": Peer(
        "dancing links", partial(enumerated, packages.miniexact, True), modules=("miniexact",)
    ),
    "graphillion": Peer("families of sets as ZDDs", graphillion, modules=("graphillion",)),
    "c-dominoes": Peer("broken profile", prepare=dominoes),
}


def main(name: str, board: str, reveal: str, folder: str) -> dict[str, Any]:
    """Count, or prepare a program; importing and loading are not counted."""
    peer, puzzle = PEERS[name], load(board)
    wanted = None if reveal == "-" else puzzle.check_reveal(tuple(reveal.split(",")))
    if peer.prepare is not None:
        return vars(peer.prepare(puzzle, wanted, Path(folder)))
    for module in peer.modules:
        importlib.import_module(module)
    started, busy = time.perf_counter(), time.process_time()
    counts = peer.count(puzzle, wanted) if peer.count is not None else 0
    taken = {"seconds": time.perf_counter() - started, "busy": time.process_time() - busy}
    each = counts if isinstance(counts, list) else None
    return {"tilings": sum(each) if each else counts, "counts": each, **taken}


if __name__ == "__main__":
    try:
        found = main(*sys.argv[1:])
    except Unsuitable as reason:
        found = {"status": "unsuitable", "why": str(reason)}
    print("\n" + json.dumps(found))
