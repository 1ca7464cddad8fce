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
FACTS = ("puzzle", "digest", "reveal", "options")


@dataclass(frozen=True)
class Head:
    """What a formula says of itself; ``options`` is the number of its first variables."""

    puzzle: str
    digest: str
    reveal: str
    options: int
    places: tuple[str, ...] = ()
    encoding: str = ""
    lemmas: str = "none"

    def lines(self) -> list[str]:
        """Return the facts, one a line, as the comments of every format give them."""
        return [
            f"{EXPORTED}{SPECIFICATION}",
            f"puzzle {self.puzzle}",
            f"digest {self.digest}",
            f"reveal {self.reveal}",
            *(f"place {place}" for place in self.places),
            f"options {self.options}",
        ]

    @property
    def is_open(self) -> bool:
        """Whether it is the formula of all reveals."""
        return self.reveal == OPEN

    def reveal_on(self, puzzle: Puzzle) -> Reveal | None:
        """Return the reveal, or None of an open formula; RevealError if the puzzle has none."""
        if self.is_open:
            return None
        return puzzle.check_reveal(() if self.reveal == NOTHING else tuple(self.reveal.split(",")))


def head_of(puzzle: Puzzle, reveal: Reveal | None, places: Iterable[object], options: int) -> Head:
    """Return the head of the formula of a puzzle."""
    labels = OPEN if reveal is None else ",".join(reveal) or NOTHING
    return Head(puzzle.name, puzzle.digest, labels, options, tuple(map(str, places)))


def read_head(comments: Iterable[str], where: str) -> Head:
    """Return the head that stands among comments; ``where`` names the formula in errors.

    Raises:
        FormatError: the text has none.
        Missing: another satcal wrote it.
    """
    listed = list(comments)
    written = next((line for line in listed if line.startswith(EXPORTED)), "")
    if not written:
        raise FormatError(
            f"{where}: the comment '{EXPORTED}{SPECIFICATION}' is missing, so its board is "
            "unknown; leave the formula out, and give the board and date instead"
        )
    if written != f"{EXPORTED}{SPECIFICATION}":
        raise Missing(
            f"{where}: '{written:.60}' was written by another version of satcal; export it again"
        )
    facts: dict[str, str] = {}
    for line in listed:
        key, _, value = line.partition(" ")
        facts.setdefault(key, value)
    for key in FACTS:
        if key not in facts:
            raise FormatError(f"{where}: its head has no comment '{key} ...'; export it again")
    if not re.fullmatch("[0-9]{1,7}", facts["options"]):
        raise FormatError(f"{where}: options {facts['options']:.20} is not a number")
    return Head(
        facts["puzzle"],
        facts["digest"],
        facts["reveal"],
        int(facts["options"]),
        tuple(line.removeprefix("place ") for line in listed if line.startswith("place ")),
        facts.get("encoding", ""),
        facts.get("lemmas", "none").partition(",")[0],
    )
