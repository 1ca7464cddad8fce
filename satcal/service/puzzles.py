"""The puzzles that the service knows: the library, and those that were posted."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass

from satcal.errors import UnknownName, did_you_mean
from satcal.puzzle.loading import ALIASES, library, library_text
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import number_of_placements
from satcal.puzzle.toml import parse_puzzle
from satcal.service.children import AtOnce
from satcal.service.config import Limits
from satcal.service.tasks import read_puzzle
from satcal.service.writing import Changes
from satcal.site import edition
from satcal.store.jobs import Jobs

POSTED = "posted-"  # no library puzzle begins so
IN_MEMORY = 64
SECONDS = 20.0  # to read a posted puzzle; it takes a fraction of one


@dataclass(frozen=True, eq=False)
class ShelfEntry:
    """A puzzle, the name by which requests call it, and satcal's own text that defines it."""

    id: str
    text: str
    puzzle: Puzzle
    placements: int
    page: bytes  # what the page is told of it
    posted: bool = False


class Shelf:
    """Finds puzzles by name: never a path, whatever the name looks like.

    What strangers post is read by a process with limits; this one only parses what that wrote.
    """

    def __init__(self, jobs: Jobs, changes: Changes, at_once: AtOnce, limits: Limits) -> None:
        self._jobs, self._changes = jobs, changes
        self._at_once, self._limits = at_once, limits
        self._library: dict[str, ShelfEntry] = {}
        self._posted: OrderedDict[str, ShelfEntry] = OrderedDict()
        for name in library():
            puzzle = parse_puzzle(text := library_text(name), name)
            placements, page = number_of_placements(puzzle), edition.describe(puzzle, name)
            self._library[name] = ShelfEntry(name, text, puzzle, placements, page)

    def library(self) -> list[ShelfEntry]:
        """The puzzles of the library, by name."""
        return list(self._library.values())

    async def find(self, name: str, client: str) -> ShelfEntry:
        """A puzzle."""
        name = ALIASES.get(name, name)
        entry = self._library.get(name) or self._posted.get(name)
        if entry is not None:
            return entry
        if name.startswith(POSTED) and len(name) < 64:
            text = await asyncio.to_thread(self._jobs.definition, name)
            if text is not None:
                return await self._read(name, text, client, self._limits.cells)
        near = did_you_mean(name, [*self._library, *ALIASES])
        raise UnknownName(f"no puzzle {name!r}{near or '; GET /api/v1/puzzles lists them'}")

    async def post(self, text: str, client: str, cells: int) -> ShelfEntry:
        """The puzzle of a definition, which is kept."""
        name = POSTED + hashlib.sha256(text.encode()).hexdigest()[:20]
        entry = await self._read(name, text, client, cells)
        owner = hashlib.sha256(client.encode()).hexdigest()[:16]
        await self._changes.make(self._jobs.post, name, text, owner, self._limits.posted)
        return entry

    async def definition(self, entry: ShelfEntry) -> bytes:
        """The text that defines a puzzle as it was posted."""
        posted = await asyncio.to_thread(self._jobs.definition, entry.id) if entry.posted else None
        return (posted or entry.text).encode()

    async def _read(self, name: str, text: str, client: str, cells: int) -> ShelfEntry:
        most = {"cells": cells, "pieces": self._limits.pieces, "reveals": self._limits.reveals}
        own_text, placements, page = await self._at_once.run(
            "puzzle", SECONDS, client, read_puzzle, text, name, most
        )
        puzzle = parse_puzzle(own_text, name)
        entry = self._posted[name] = ShelfEntry(name, own_text, puzzle, placements, page, True)
        while len(self._posted) > IN_MEMORY:
            self._posted.popitem(last=False)
        return entry
