"""What a result is filed under: a puzzle, a reveal, conditions, and who counted.

All of it is canonical for the puzzle's digest, which knows no order of categories and no names
of pieces: two files of one puzzle share their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from satcal.counting.settings import Settings
from satcal.puzzle.model import Puzzle, cell_name
from satcal.puzzle.shapes import Shape, drawn
from satcal.version import __version__

_LIBRARY = {"diagram": "numpy", "sat": "python-sat", "search": "networkx"}


class Method(NamedTuple):
    """A method as the store knows it: all that could change its answer."""

    name: str
    encoding: str = ""
    solver: str = ""
    options: str = ""
    versions: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, self))


def method_key(settings: Settings) -> Method:
    """Return the method of settings, whatever their budget and processes."""
    versions = _versions(settings.method)
    if settings.method == "sat":
        from satcal.counting.settings import chosen_solver
        from satcal.encoding import encoding

        solver = chosen_solver(settings)
        options = f"lemmas={settings.lemmas} order={settings.order}"
        return Method("sat", encoding(settings.encoding).name, solver, options, versions)
    options = f"pruning={settings.pruning}" if settings.method == "search" else ""
    return Method(settings.method, options=options, versions=versions)


@cache
def _versions(method: str) -> str:
    """Return the versions of satcal and of a method's library."""
    from importlib import metadata

    library = _LIBRARY.get(method)
    return f"satcal {__version__}" + (f", {library} {metadata.version(library)}" if library else "")


def reveal_key(reveal: Sequence[str]) -> str:
    """Return a reveal in an order of its own; no label contains a space."""
    return " ".join(sorted(reveal))


def conditions_key(puzzle: Puzzle, settings: Settings) -> str:
    """Return the conditions of settings, with pieces by their shapes."""
    if settings.up_to_symmetry:
        return "up to symmetry"
    conditions: set[str] = set()
    for demand in settings.demands:
        shape = _shape_key(puzzle.piece(demand.piece).orientations)
        cells = [cell_name(cell) for cell in sorted(demand.cells)]
        if demand.whole:
            conditions.add(f"{shape}:{','.join(cells)}")
        else:
            conditions.update(f"{shape}@{cell}" for cell in cells)
    return " ".join(sorted(conditions))


def _shape_key(orientations: Sequence[Shape]) -> str:
    """Return a piece without its name: its least orientation, and how many it has."""
    least = min(tuple(sorted(shape)) for shape in orientations)
    return f"{'/'.join(drawn(least))}x{len(orientations)}"
