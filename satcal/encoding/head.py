"""The head of an exported formula, which ``export`` writes and ``decode`` reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from satcal.errors import FormatError, Missing
from satcal.puzzle.model import Puzzle, Reveal

# The version of encodings/README.md, increased when the same export gets other bytes. The version
# of the package would change golden files without need.
SPECIFICATION = 2
EXPORTED = "satcal export, specification "
OPEN = "open: one label of each category is revealed"
NOTHING = "nothing"
FACTS = ("puzzle", "digest", "reveal")


@dataclass(frozen=True)
class Head:
    """The origin of a formula."""

    puzzle: str
    digest: str
    reveal: str
    places: tuple[str, ...] = ()
    encoding: str = ""
    lemmas: str = "none"

    def lines(self, options: int) -> list[str]:
        """Return the lines of the head, which are comments in every format.

        The first ``options`` variables of the formula are the options of the cover.
        """
        return [
            f"{EXPORTED}{SPECIFICATION}",
            f"puzzle {self.puzzle}",
            f"digest {self.digest}",
            f"reveal {self.reveal}",
            *(f"place {place}" for place in self.places),
            f"options {options}",
        ]

    def reveal_on(self, puzzle: Puzzle) -> Reveal | None:
        """Return the reveal, or None if the formula is open.

        Raises:
            RevealError: the puzzle has no such reveal.
        """
        if self.reveal == OPEN:
            return None
        return puzzle.check_reveal(() if self.reveal == NOTHING else tuple(self.reveal.split(",")))


def head_of(puzzle: Puzzle, reveal: Reveal | None, places: Iterable[object]) -> Head:
    """Return the head of the formula of a puzzle."""
    labels = OPEN if reveal is None else ",".join(reveal) or NOTHING
    return Head(puzzle.name, puzzle.digest, labels, tuple(map(str, places)))


def read_head(comments: Iterable[str], where: str) -> Head:
    """Return the head in comments; ``where`` names the formula in errors.

    Raises:
        FormatError: the comments have no head.
        Missing: another version of satcal wrote it.
    """
    lines = list(comments)
    first_line = next((line for line in lines if line.startswith(EXPORTED)), "")
    if not first_line:
        raise FormatError(
            f"{where}: the comment '{EXPORTED}{SPECIFICATION}' is missing, so its board is "
            "unknown; leave the formula out, and give the board and date instead"
        )
    if first_line != f"{EXPORTED}{SPECIFICATION}":
        raise Missing(
            f"{where}: '{first_line:.60}' was written by another version of satcal; export it again"
        )
    facts: dict[str, str] = {}
    for line in lines:
        key, _, value = line.partition(" ")
        facts.setdefault(key, value)
    for key in FACTS:
        if key not in facts:
            raise FormatError(f"{where}: its head has no comment '{key} ...'; export it again")
    return Head(
        facts["puzzle"],
        facts["digest"],
        facts["reveal"],
        tuple(line.removeprefix("place ") for line in lines if line.startswith("place ")),
        facts.get("encoding", ""),
        facts.get("lemmas", "none").partition(",")[0],
    )
