"""The puzzles of the service: the library and the posted ones."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from satcal.errors import UnknownName, did_you_mean
from satcal.puzzle.description import describe, measure
from satcal.puzzle.loading import ALIASES, library, library_text, parse_puzzle
from satcal.puzzle.model import Puzzle
from satcal.service.work import BoardText

POSTED_PREFIX = "posted-"
"""The prefix of the names of posted puzzles; no library name has it."""
MAX_POSTED = 500
"""Limit on the posted boards of the owner, and on those of all others."""


@dataclass(eq=False)
class PuzzleEntry:
    """A puzzle and what follows from it.

    ``board`` has its text and its name in requests. ``is_owned``: the owner, who has the token, has
    posted or used it.
    """

    board: BoardText
    is_owned: bool = False

    @cached_property
    def puzzle(self) -> Puzzle:
        """The parsed puzzle."""
        return parse_puzzle(self.board.text, self.board.name)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What the answers about puzzles say of it."""
        puzzle, dates = self.puzzle, self.puzzle.calendar.parts is not None
        return {"id": self.board.name, **describe(puzzle), **measure(puzzle), "dates": dates}


class Boards:
    """The puzzles by name; a name is never taken as a path.

    A new board displaces one of its own group only: those of the owner, or those of all others.
    """

    def __init__(self) -> None:
        self._library = {
            name: PuzzleEntry(BoardText(name, library_text(name))) for name in library()
        }
        self._posted: dict[str, PuzzleEntry] = {}

    def library(self) -> list[PuzzleEntry]:
        """Return the puzzles of the library, by name."""
        return list(self._library.values())

    def find(self, name: str) -> PuzzleEntry:
        """Return the puzzle with a name; raise UnknownName if no puzzle has it."""
        name = ALIASES.get(name, name)
        entry = self._library.get(name) or self._posted.get(name)
        if entry is None:
            suggestion = did_you_mean(name, [*self._library, *ALIASES])
            raise UnknownName(
                f"no puzzle '{name}'{suggestion or '; GET /api/v1/puzzles lists them'}"
            )
        return entry

    def add(self, name: str, text: str, owned: bool) -> str | None:
        """Add or renew a posted puzzle; return the one that the limit removes: the oldest.

        A board that the owner has stays the owner's.
        """
        entry = self._posted.pop(name, None)
        entry = entry or PuzzleEntry(BoardText(name, text, posted=True))
        entry.is_owned |= owned
        self._posted[name] = entry  # the newest
        group = [each for each in self._posted if self._posted[each].is_owned == entry.is_owned]
        if len(group) <= MAX_POSTED:
            return None
        del self._posted[group[0]]
        return group[0]


def name_posted(text: str) -> str:
    """Return the name of a posted puzzle, a digest of its text."""
    return POSTED_PREFIX + hashlib.sha256(text.encode()).hexdigest()[:20]
