"""The puzzles that the service knows: the library, and those that were posted."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from satcal.errors import TooLarge, UnknownName, did_you_mean
from satcal.puzzle.loading import ALIASES, library, library_text
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover
from satcal.puzzle.toml import check_area, parse_puzzle
from satcal.service.config import Limits
from satcal.store.jobs import Jobs

POSTED = "posted-"  # no library puzzle begins so
IN_MEMORY = 64


@dataclass(frozen=True, eq=False)
class Entry:
    """A puzzle with the name by which requests call it, and the text that defines it."""

    id: str
    text: str
    puzzle: Puzzle
    posted: bool = False

    @property
    def where(self) -> str:
        """What errors call the definition."""
        return "the definition" if self.posted else self.id

    def described(self) -> dict[str, Any]:
        """Return what another process needs to know of it."""
        return {"puzzle": self.id, "text": self.text, "posted": self.posted}

    @cached_property
    def placements(self) -> int:
        """Number of placements of the open board."""
        whole = cover(self.puzzle, None)
        return len(whole.options) - len(self.puzzle.labels)


class Shelf:
    """Finds puzzles by name: never a path, whatever the name looks like."""

    def __init__(self, jobs: Jobs, limits: Limits) -> None:
        self._jobs, self._limits = jobs, limits
        self._library = {name: _parsed(name, library_text(name), False) for name in library()}
        self._posted: OrderedDict[str, Entry] = OrderedDict()

    def library(self) -> list[Entry]:
        """Return the puzzles of the library, by name."""
        return list(self._library.values())

    async def find(self, name: str) -> Entry:
        """Return a puzzle.

        Raises:
            UnknownName: no puzzle of that name.
        """
        name = ALIASES.get(name, name)
        found = self._library.get(name) or self._posted.get(name)
        if found is None and name.startswith(POSTED) and len(name) < 64:
            text = await asyncio.to_thread(self._jobs.definition, name)
            if text is not None:
                found = self._remember(_parsed(name, text, True))
        if found is None:
            known = [*self._library, *ALIASES]
            raise UnknownName(
                f"no puzzle {name!r}"
                + (did_you_mean(name, known) or "; GET /api/v1/puzzles lists them")
            )
        return found

    async def post(self, text: str) -> Entry:
        """Return the puzzle of a definition, which is kept.

        Raises:
            PuzzleError: what is wrong with it, where, and how to mend it.
            TooLarge: more cells, pieces or reveals than the service takes.
        """
        name = POSTED + hashlib.sha256(text.encode()).hexdigest()[:20]
        entry = _parsed(name, text, True)
        self._check_size(entry.puzzle)
        check_area(entry.puzzle)
        await asyncio.to_thread(self._jobs.post, name, text, self._limits.posted)
        return self._remember(entry)

    def _check_size(self, puzzle: Puzzle) -> None:
        limits = self._limits
        pieces = sum(piece.copies for piece in puzzle.pieces)
        reveals = math.prod(map(len, puzzle.categories.values()))
        for number, most, what in (
            (len(puzzle.cells), limits.cells, "cells"), (pieces, limits.pieces, "pieces"),
            (reveals, limits.reveals, "reveals"),
        ):  # fmt: skip
            if number > most:
                raise TooLarge(
                    f"{number:,} {what}, more than the {most:,} that this service takes; "
                    "`satcal count --board FILE` counts larger boards"
                )

    def _remember(self, entry: Entry) -> Entry:
        self._posted[entry.id] = entry
        while len(self._posted) > IN_MEMORY:
            self._posted.popitem(last=False)
        return entry


def _parsed(name: str, text: str, posted: bool) -> Entry:
    where = "the definition" if posted else name
    return Entry(name, text, parse_puzzle(text, where), posted)
