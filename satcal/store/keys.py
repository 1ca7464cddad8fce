"""What a result is filed under: a puzzle, a reveal, conditions, and who counted.

All of it is canonical for the puzzle's digest, which knows no order of categories and no names
of pieces: two files of one puzzle share their results.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from satcal.counting import verified
from satcal.counting.settings import BySat, BySearch, ByVerified, Method, Question
from satcal.files import read_bytes
from satcal.puzzle.model import cell_name
from satcal.puzzle.shapes import Shape, drawn
from satcal.version import __version__

_LIBRARY = {"diagram": "numpy", "sat": "python-sat", "search": "networkx"}


class MethodKey(NamedTuple):
    """A method as the store knows it: all that could change its answer."""

    name: str
    encoding: str = ""
    solver: str = ""
    options: str = ""
    versions: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, self))


def method_key(method: Method) -> MethodKey:
    """What a method counts under, whatever its budget and processes.

    Raises:
        Missing: for ``verified``, the program that counts is not there. What another program
            counted under its name is another method's.
    """
    versions, encoded, solver, options = _versions(method.name), "", "", ""
    if isinstance(method, ByVerified):
        versions += f", {verified.NAME} sha256 {_digest(verified.program())}"
    elif isinstance(method, BySat):
        from satcal.encoding import encoding

        encoded, solver = encoding(method.encoding).name, method.chosen_solver
        options = f"lemmas={method.lemmas} order={method.order}"
    elif isinstance(method, BySearch):
        options = f"pruning={method.pruning}"
    return MethodKey(method.name, encoded, solver, options, versions)


@cache
def _versions(method: str) -> str:
    """The versions of satcal and of a method's library."""
    from importlib import metadata

    library = _LIBRARY.get(method)
    return f"satcal {__version__}" + (f", {library} {metadata.version(library)}" if library else "")


def _digest(program: str) -> str:
    """SHA-256 of a program's file, in hexadecimal."""
    return hashlib.sha256(read_bytes(Path(program), "program")).hexdigest()


def reveal_key(reveal: Sequence[str]) -> str:
    """A reveal in an order of its own; no label contains a space."""
    return " ".join(sorted(reveal))


def conditions_key(question: Question) -> str:
    """The conditions of a question, with pieces by their shapes."""
    if question.up_to_symmetry:
        return "up to symmetry"
    conditions: set[str] = set()
    for demand in question.demands:
        shape = _shape_key(question.puzzle.piece(demand.piece).orientations)
        cells = [cell_name(cell) for cell in sorted(demand.cells)]
        if demand.whole:
            conditions.add(f"{shape}:{','.join(cells)}")
        else:
            conditions.update(f"{shape}@{cell}" for cell in cells)
    return " ".join(sorted(conditions))


def _shape_key(orientations: Sequence[Shape]) -> str:
    """A piece without its name: its least orientation, and how many it has."""
    least = min(tuple(sorted(shape)) for shape in orientations)
    return f"{'/'.join(drawn(least))}x{len(orientations)}"
