"""What a peer is, and the exact cover as most peers want it."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from satcal.external.packages import Covering
from satcal.puzzle.model import Label, Puzzle, Reveal
from satcal.puzzle.placements import Cover

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


def covering(cover: Cover, copies: bool = False) -> Covering:
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
    return Covering([1] * len(at) + often, options)


class Tally:
    """Counts solutions, given as sets of options (0-based), by the reveal that they name."""

    def __init__(self, cover: Cover) -> None:
        self._cover = cover
        options = enumerate(cover.options)
        self._label = {number: o.text for number, o in options if isinstance(o, Label)}
        self._found: Counter[frozenset[str]] = Counter()

    def add(self, chosen: Iterable[int]) -> None:
        """Count one solution."""
        labels = self._label
        self._found[frozenset(labels[n] for n in chosen if n in labels)] += 1

    def counts(self) -> list[int]:
        """Return the tilings of each reveal; of the only one where the cover is of one."""
        if self._cover.reveal is not None:
            return [self._found[frozenset()]]
        return [self._found[frozenset(reveal)] for reveal in self._cover.puzzle.reveals()]
