"""The mistakes of a file, all of them.

The checks of a puzzle file report to :class:`satcal.toml.Faults`, which raises the first mistake;
with :class:`Kept` in its place they go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from satcal import toml
from satcal.errors import PuzzleError, SatcalError
from satcal.puzzle.toml import KEYS

MOST = 100  # findings: nobody reads more, and a stranger's file may have thousands
REFERENCE = "puzzle-file"  # a page of `satcal manual`
SECTIONS = (*KEYS, "area")


class Finding(NamedTuple):
    """What is ``wrong`` or ``odd`` in a file, and where to read about it."""

    file: str
    kind: str
    text: str
    see: str


class Ended(Exception):
    """No more of a file can be read; why is kept."""


class Kept(toml.Faults):
    """Faults that are kept, so that the reading goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[Finding] = []
        self._files: list[str] = []  # in the order in which they are read
        self._labels: set[tuple[str | int, ...]] = set()  # the places of those that are wrong

    @contextmanager
    def of(self, where: str, text: str) -> Iterator[None]:
        """Surround the checks of a file."""
        self._files.append(where)
        try:
            yield
        except SatcalError as error:
            self.keep(str(error))
            raise Ended from error

    @contextmanager
    def at(self, *path: str | int, loses: str = "") -> Iterator[None]:
        """Keep an error that is raised within, and what is lost by it."""
        try:
            yield
        except SatcalError as error:
            if len(self.findings) >= MOST:
                raise
            follows = path in {*self._labels, *((key,) for key in self.lost)}
            self.lost.add(loses)
            if path and isinstance(path[-1], int):
                self._labels.add(path)
            if not follows:  # from another mistake
                self.keep(str(error), *path)

    def return_to_board(self) -> None:
        """Take what follows to be about the file that was read first."""
        self._files.append(self._files[0])

    def table(self, text: str, where: str) -> dict[str, Any]:
        """The table of a text; where it is not TOML, the parser's mistake is the only one."""
        try:
            return toml.parse(text, where, PuzzleError)
        except PuzzleError as error:
            self._files.append(where)
            self.keep(str(error).removeprefix(f"{where}: "))
            raise Ended from error

    def keep(self, text: str, *path: str | int, kind: str = "wrong") -> None:
        """Note what is wrong or odd at the keys of a path."""
        section = path[0] if path and path[0] in SECTIONS else "the-toml-form"
        self.findings.append(Finding(self._files[-1], kind, text, f"{REFERENCE}#{section}"))
