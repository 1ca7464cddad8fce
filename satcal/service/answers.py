"""The fields of the JSON answers.

Plain dataclasses, so that the workers need not load the web framework.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satcal.puzzle.model import Reveal
from satcal.puzzle.rows import Row


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


def select_counted(rows: Sequence[Row], counts: Mapping[Reveal, int]) -> list[CountRow]:
    """Return the rows whose reveal has a count."""
    return [CountRow(r.date, r.reveal, counts[r.reveal]) for r in rows if r.reveal in counts]


@dataclass
class BlameItem:
    """Pieces to take back from a dead end, and the number of tilings that this leaves."""

    place: list[str]
    tilings: int


@dataclass
class HintAnswer:
    """A hint: the cell to start at, and the placement to make there; or what is to blame.

    ``tilings`` is the number of tilings that contain the placements. ``cell`` is the free cell that
    the fewest placements of these cover, such as r2c3. ``blame`` has the alternatives to take back
    from a dead end.
    """

    reveal: Reveal
    place: list[str]
    tilings: int
    cell: str | None
    next: str | None
    places: dict[str, int]
    blame: list[BlameItem]
    advice: str


@dataclass
class TilingItem:
    """A tiling with its rank, from 1."""

    rank: int
    placements: list[str]


@dataclass
class TilingsAnswer:
    """The tilings that contain the placements, by ascending rank; ``tilings`` is their number."""

    reveal: Reveal
    place: list[str]
    tilings: int
    items: list[TilingItem]


@dataclass
class JobAnswer:
    """A job: queued, running, done, failed or cancelled; ``file`` is the path of a certificate."""

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
class ProblemAnswer:
    """A problem, as RFC 9457 describes it."""

    type: str
    title: str
    status: int
    detail: str
