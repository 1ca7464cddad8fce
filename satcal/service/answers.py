"""What the service answers, as JSON shows it.

These are plain dataclasses: the workers make them without loading the web framework.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from satcal.puzzle.model import Label, Reveal
from satcal.puzzle.shapes import Shape


@dataclass
class CountRow:
    """The number of tilings of one reveal; it may exceed 2^53."""

    date: datetime.date | None
    reveal: Reveal
    tilings: int


@dataclass
class CountsAnswer:
    """Counts of dates or reveals."""

    puzzle: str
    total: int
    rows: list[CountRow]


@dataclass
class RemainingAnswer:
    """How many tilings contain what is placed."""

    reveal: Reveal
    place: list[str]
    tilings: int


@dataclass
class HintAnswer(RemainingAnswer):
    """The piece with the fewest places left, a next placement, places left of each piece."""

    tightest: str | None
    next: str | None
    places: dict[str, int]
    advice: str


@dataclass
class Ranked:
    """A tiling: its rank from 1, and its placements."""

    rank: int
    placements: list[str]


@dataclass
class TilingsAnswer(RemainingAnswer):
    """Some tilings, in the order that numbers them everywhere."""

    items: list[Ranked]


@dataclass
class PieceAnswer:
    """A piece: its orientations as lists of [row, column]."""

    name: str
    copies: int
    flip: bool
    colour: str
    orientations: tuple[Shape, ...]


@dataclass
class PuzzleSummary:
    """A puzzle in a list."""

    id: str
    title: str
    designer: str
    source: str
    cells: int
    pieces: int
    reveals: int
    dates: bool


@dataclass
class PuzzleAnswer(PuzzleSummary):
    """A puzzle: its board, its labels and its pieces."""

    name: str
    digest: str
    rows: int
    columns: int
    board: Shape
    labels: list[Label]
    categories: dict[str, tuple[str, ...]]
    piece_set: list[PieceAnswer]
    placements: int


@dataclass
class JobAnswer:
    """A job: ``state`` is queued, running, done, failed or cancelled; ``file`` can be loaded."""

    id: str
    kind: str
    puzzle: str | None
    state: str
    request: dict[str, Any]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    file: str | None
    created_at: str


@dataclass
class ClaimsAnswer:
    """The verdicts on published statements; empty until the job that examines them is done."""

    job: JobAnswer
    verdicts: list[dict[str, Any]]


@dataclass
class ProblemAnswer:
    """A problem, as RFC 9457 describes it."""

    type: str
    title: str
    status: int
    detail: str
