"""The puzzles that the service knows: the library, and those that were posted."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

from satcal.draw.theme import load_theme
from satcal.errors import UnknownName, did_you_mean
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import ALIASES, library, library_text, parse_puzzle
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import number_of_placements
from satcal.service.answers import PieceAnswer, PuzzleAnswer, PuzzleSummary
from satcal.service.work import BoardText, read_posted, sizes
from satcal.service.workers import Workers
from satcal.site import edition

POSTED = "posted-"
"""How the name of a posted puzzle begins, and no name of the library."""
MAX_POSTED = 500
LIMITS = {"cells": 256, "pieces": 64, "reveals": 10_000}
"""What a posted board may have."""
PUBLIC_CELLS = 100
"""Cells of a board that is posted without the token."""


@dataclass(frozen=True, eq=False)
class Known:
    """A puzzle by the name that requests call it."""

    board: BoardText

    @property
    def name(self) -> str:
        """The name."""
        return self.board.name

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle itself."""
        return parse_puzzle(self.board.text, self.name)

    @cached_property
    def counts(self) -> dict[Reveal, int]:
        """The shipped counts of all reveals; none without a table of the puzzle."""
        return dict(shipped_counts(self.puzzle))

    @cached_property
    def page(self) -> bytes:
        """What the page is told."""
        return edition.describe(self.puzzle, self.name)

    def summary(self) -> PuzzleSummary:
        """Return the entry in a list."""
        puzzle = self.puzzle
        return PuzzleSummary(
            id=self.name,
            title=puzzle.title or puzzle.name,
            designer=puzzle.designer,
            source=puzzle.source,
            **sizes(puzzle),
            dates=puzzle.calendar.parts is not None,
        )

    @cached_property
    def description(self) -> PuzzleAnswer:
        """All that follows from the puzzle without counting."""
        puzzle = self.puzzle
        colours = load_theme().piece_colours(puzzle)
        return PuzzleAnswer(
            **vars(self.summary()),
            name=puzzle.name,
            digest=puzzle.digest,
            rows=puzzle.rows,
            columns=puzzle.columns,
            board=puzzle.cells,
            labels=list(puzzle.labels.values()),
            categories=dict(puzzle.categories),
            piece_set=[
                PieceAnswer(
                    piece.name, piece.copies, piece.flip, colours[piece.name], piece.orientations
                )
                for piece in puzzle.pieces
            ],
            placements=number_of_placements(puzzle),
        )


class Boards:
    """Finds puzzles by name: never a path, whatever the name looks like."""

    def __init__(self) -> None:
        self._library = {name: Known(BoardText(name, library_text(name))) for name in library()}
        self._posted: OrderedDict[str, Known] = OrderedDict()

    def library(self) -> list[Known]:
        """Return the puzzles of the library, by name."""
        return list(self._library.values())

    def find(self, name: str) -> Known:
        """Return the puzzle of a name; raise UnknownName if no puzzle has it."""
        name = ALIASES.get(name, name)
        known = self._library.get(name) or self._posted.get(name)
        if known is None:
            near = did_you_mean(name, [*self._library, *ALIASES])
            raise UnknownName(f"no puzzle '{name}'{near or '; GET /api/v1/puzzles lists them'}")
        return known

    def keep(self, name: str, text: str) -> str | None:
        """Keep a posted puzzle; return the name of the oldest one if that has to go."""
        self._posted[name] = Known(BoardText(name, text, posted=True))
        return self._posted.popitem(last=False)[0] if len(self._posted) > MAX_POSTED else None


def posted_name(text: str) -> str:
    """Return the name of a puzzle that is posted: the same text has the same name."""
    return POSTED + hashlib.sha256(text.encode()).hexdigest()[:20]


async def read(workers: Workers, text: str, small: bool) -> str:
    """Return satcal's own text of a posted puzzle, which a worker has read.

    Raises:
        PuzzleError: it does not describe a puzzle.
        TooLarge: it is larger than may be posted, if ``small`` by those without the token.
    """
    limits = LIMITS | ({"cells": PUBLIC_CELLS} if small else {})
    return await workers.run(read_posted, text, posted_name(text), limits)
