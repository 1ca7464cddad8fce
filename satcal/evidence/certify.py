"""Making certificates: the tilings of a reveal, and proofs that there are no others.

The tilings come from the loop of :mod:`satcal.counting.sat` with all its lemmas. Each proof
comes from one fresh run of CaDiCaL on the checker's own formula with a clause against each
tiling; what the loop has learnt stays out of it. A reveal with many tilings is cut into cubes,
of which the rest is a smaller puzzle without labels.
"""

from __future__ import annotations

import gc
import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from importlib.metadata import version
from typing import NamedTuple

from satcal.counting import sat
from satcal.counting.cubes import Cube, Plan, plans, remaining
from satcal.counting.settings import DEFAULT, Settings
from satcal.evidence.proving import refute
from satcal.proof.archive import pack
from satcal.proof.certificate import ABOUT, FORMAT, PUZZLE, README, STATEMENT
from satcal.proof.formula import Cell, Placed, formula, task
from satcal.proof.formula import Cube as PlacedCube
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, cell_name
from satcal.puzzle.placements import cover
from satcal.puzzle.writing import to_toml
from satcal.version import __version__

# Tilings of a proof. Cutting costs up to five times the CPU time, but the checker's memory grows
# with the longest proof: 2.3 GB for the 1,472 tilings of pentomino-4x15.
# Measured by python -m benchmarks.certificates --cuts
CUT_ABOVE = 2000
Progress = Callable[[int, int, str], None]
"""Told of how many proofs are made, of how many, and of which was the last."""


class Packed(NamedTuple):
    """A part as the archive holds it: the size of its content, and its xz form."""

    size: int
    data: bytes


def packed(content: bytes) -> Packed:
    """Return a content compressed, by the preset that pays for proofs."""
    return Packed(len(content), lzma.compress(content, preset=6))


class Section(NamedTuple):
    """What is proved of one reveal: a proof for each cube, in their order."""

    reveal: Reveal
    tilings: tuple[tuple[Placed, ...], ...]
    cubes: tuple[PlacedCube, ...]
    proofs: tuple[Packed, ...]


def certify(
    puzzle: Puzzle,
    reveal: Reveal,
    *,
    cut_above: int = CUT_ABOVE,
    executor: Executor | None = None,
    progress: Progress | None = None,
    use_cache: bool = True,
) -> bytes:
    """Return the certificate of one reveal.

    A proof has at most ``cut_above`` tilings. Without an ``executor`` this process proves
    one cube after the other. Raises TooLarge for too many clauses of the plain encoding,
    Disagreement if the solver contradicts itself.
    """
    planned = plans(puzzle, [reveal], cut_above, Settings(use_cache=use_cache))
    return sealed(puzzle, sections(puzzle, planned, executor, progress))


def sections(
    puzzle: Puzzle,
    plans: Sequence[Plan],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Section]:
    """Yield what is proved of each planned reveal, in order."""
    tasks = [(puzzle, reveal, cube) for reveal, cubes in plans for cube in cubes]
    in_order = executor.map if executor else map
    answers = iter(in_order(prove, *zip(*tasks, strict=True)))
    done = 0
    for reveal, cubes in plans:
        tilings: list[Tiling] = []
        proofs: list[Packed] = []
        for _ in cubes:
            more, proof = next(answers)
            tilings += more
            proofs.append(proof)
            done += 1
            if progress:
                text = f"{' '.join(reveal)} {len(proofs)} of {len(cubes)}"
                progress(done, len(tasks), text)
        yield Section(
            reveal,
            tuple(tuple(map(_placed, tiling)) for tiling in _canonical(puzzle, tilings)),
            tuple(tuple((cell, _placed(chosen)) for cell, chosen in cube) for cube in cubes),
            tuple(proofs),
        )


def prove(puzzle: Puzzle, reveal: Reveal, cube: Cube) -> tuple[list[Tiling], Packed]:
    """Return the tilings of a cube, and the packed proof that there are no others."""
    chosen = tuple(placement for _, placement in cube)
    rest = remaining(puzzle, reveal, cube)
    tilings = list(sat.tilings(cover(rest, ()))) if rest.cells else [()]
    whole = _canonical(puzzle, ((*chosen, *tiling) for tiling in tilings))
    fixed = set(map(_placed, chosen))
    listed = [frozenset(map(_placed, tiling)) - fixed for tiling in whole]
    collecting = gc.isenabled()
    gc.disable()  # it would look again and again at millions of numbers, none in a cycle
    try:
        return whole, packed(refute(formula(task(rest, ()), (), listed)))
    finally:
        if collecting:
            gc.enable()


def _placed(placement: Placement) -> Placed:
    return placement.piece, frozenset(placement.cells)


def _canonical(puzzle: Puzzle, tilings: Iterable[Iterable[Placement]]) -> list[Tiling]:
    """Return tilings in the order that numbers the clauses against them."""
    order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}

    def place(placement: Placement) -> tuple[int, tuple[Cell, ...]]:
        return order[placement.piece], placement.cells

    ordered = (tuple(sorted(tiling, key=place)) for tiling in tilings)
    return sorted(ordered, key=lambda tiling: list(map(place, tiling)))


def sealed(puzzle: Puzzle, sections: Iterable[Section]) -> bytes:
    """Return one certificate of these sections."""
    versions = {"python-sat": version("python-sat"), "satcal": __version__, "solver": DEFAULT}
    anonymous = replace(puzzle, designer="")  # a key that earlier checkers do not know
    return to_bytes(to_toml(anonymous), list(sections), versions)


def to_bytes(puzzle: str, sections: Sequence[Section], versions: Mapping[str, str]) -> bytes:
    """Return the archive of a puzzle file's text and its sections."""
    parts: dict[str, Packed] = {}
    stated = []
    for number, (reveal, tilings, cubes, proofs) in enumerate(sections, start=1):
        stated.append({"reveal": reveal, "tilings": len(tilings), "proofs": len(proofs)})
        texts: dict[str, list[Iterable[str]]] = {
            "tilings": [map(_text, tiling) for tiling in tilings],
            "cubes": [
                (f"{cell_name(at)}={_text(placed)}" for at, placed in cube) for cube in cubes
            ],
        }
        for name, lines in texts.items():
            text = "".join(" ".join(words) + "\n" for words in lines)
            parts[f"{number:04}-{name}.txt.xz"] = packed(text.encode())
        for index, proof in enumerate(proofs, start=1):
            parts[f"{number:04}-proof-{index:04}.hints.xz"] = proof
    sizes = {PUZZLE: len(puzzle.encode())} | {name: part.size for name, part in parts.items()}
    statement = {"format": FORMAT, "reveals": stated, "sizes": sizes, "versions": versions}
    text = json.dumps(statement, indent=1, ensure_ascii=False) + "\n"
    first = {README: ABOUT.encode(), STATEMENT: text.encode(), PUZZLE: puzzle.encode()}
    return pack(first | {name: part.data for name, part in parts.items()})


def _text(placed: Placed) -> str:
    piece, cells = placed
    return str(Placement(piece, tuple(sorted(cells))))
