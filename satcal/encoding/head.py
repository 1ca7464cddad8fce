"""The head of an exported formula: written by ``export``, read again by ``decode``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from satcal.errors import FormatError, Missing
from satcal.puzzle.model import Puzzle, Reveal

# Of encodings/README.md: raised when the same export gets other bytes, so that a file says
# by which text to read it. The package's version would change golden files for nothing.
SPECIFICATION = 1
EXPORTED = "satcal export, specification "
OPEN = "open: one label of each category is revealed"
NOTHING = "nothing"
MARKS = ("c ", "* ")  # of a comment in DIMACS and in OPB


@dataclass(frozen=True)
class Head:
    """What a formula says of itself, and the names of its first ``options`` variables."""

    puzzle: str
    digest: str
    reveal: str
    options: int
    places: tuple[str, ...] = ()
    encoding: str = ""
    names: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The facts, one a line, as the comments of every format give them."""
        return [
            f"{EXPORTED}{SPECIFICATION}",
            f"puzzle {self.puzzle}",
            f"digest {self.digest}",
            f"reveal {self.reveal}",
            *(f"place {place}" for place in self.places),
            f"options {self.options}",
        ]

    @property
    def labels(self) -> tuple[str, ...]:
        """The reveal as ``--reveal`` takes it: none of an open formula, or if nothing is left."""
        return () if self.reveal in (OPEN, NOTHING) else (self.reveal,)

    @property
    def is_open(self) -> bool:
        """Whether it is the formula of all reveals."""
        return self.reveal == OPEN


def head_of(puzzle: Puzzle, reveal: Reveal | None, places: Iterable[object], options: int) -> Head:
    """The head of the formula of a puzzle."""
    labels = OPEN if reveal is None else ",".join(reveal) or NOTHING
    return Head(puzzle.name, puzzle.digest, labels, options, tuple(map(str, places)))


_FACTS = ("puzzle", "digest", "reveal", "options")
_NAMED = re.compile(r"var x?([0-9]{1,9}) (.*)")


def read_head(text: str, where: str) -> Head:
    """The head of a DIMACS or OPB text; ``where`` names it in errors.

    Raises FormatError if it has none, and Missing if another satcal wrote it.
    """
    mark = MARKS[text.startswith("*")]
    comments = [line[2:] for line in text.splitlines() if line.startswith(mark)]
    written = next((line for line in comments if line.startswith(EXPORTED)), "")
    if not written:
        raise FormatError(
            f"{where}: the line '{mark}{EXPORTED}{SPECIFICATION}' is missing, so its board is "
            "unknown; leave the formula out, and give the board and date instead"
        )
    if written != f"{EXPORTED}{SPECIFICATION}":
        raise Missing(
            f"{where}: '{written:.60}' was written by another version of satcal; export it again"
        )
    facts: dict[str, str] = {}
    for line in comments:
        key, _, value = line.partition(" ")
        facts.setdefault(key, value)
    for key in _FACTS:
        if key not in facts:
            raise FormatError(f"{where}: its head has no '{mark}{key} ...'; export it again")
    if not re.fullmatch("[0-9]{1,7}", facts["options"]):
        raise FormatError(f"{where}: options {facts['options']:.20} is not a number")
    options = int(facts["options"])
    named = {int(found[1]): found[2] for found in map(_NAMED.fullmatch, comments) if found}
    return Head(
        facts["puzzle"],
        facts["digest"],
        facts["reveal"],
        options,
        tuple(line.removeprefix("place ") for line in comments if line.startswith("place ")),
        facts.get("encoding", ""),
        tuple(named.get(number, "") for number in range(1, options + 1)),
    )
