"""The boards and diagrams that each worker caches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from satcal.errors import TooLarge
from satcal.published import shipped
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

Placements = tuple[Placement, ...]
MAX_DIAGRAMS = 3
"""Limit on the cached diagrams of whole boards; the largest of the library takes 60 MB."""
MAX_SUBDIAGRAMS = 800
"""Limit on the cached subdiagrams: the days and months of a year, for two boards."""
MEMORY_LIMIT = 2**30
"""Limit on the bytes that the construction of a diagram takes."""


class BoardText(NamedTuple):
    """The name and the definition of a puzzle; the diagram of a posted one is not kept on disk."""

    name: str
    text: str
    posted: bool = False


@lru_cache(64)
def parse_board(board: BoardText) -> Puzzle:
    """Return the puzzle that a text defines."""
    return parse_puzzle(board.text, board.name)


@lru_cache(64)
def load_shipped_counts(board: BoardText) -> Mapping[Reveal, int]:
    """Return the shipped counts of a board; none if it was posted."""
    return {} if board.posted else shipped_counts(parse_board(board))


def confirm(board: BoardText, counts: Mapping[Reveal, int]) -> None:
    """Raise Disagreement if the shipped table has other numbers."""
    shipped.confirm(parse_board(board), counts, load_shipped_counts(board))


@lru_cache(MAX_DIAGRAMS)
def build_whole_diagram(board: BoardText) -> PuzzleDiagram | None:
    """Return the diagram of all reveals, or None if it is too large."""
    from satcal.diagram.puzzle import open_diagram

    puzzle, use_cache = parse_board(board), not board.posted
    try:
        return open_diagram(puzzle, list(puzzle.reveals()), (), use_cache, MEMORY_LIMIT)
    except TooLarge:
        return None


@lru_cache(MAX_SUBDIAGRAMS)
def build_diagram(board: BoardText, labels: Reveal) -> PuzzleDiagram:
    """Return the diagram of the reveals that begin with ``labels``.

    The diagram of all reveals is restricted label by label, so that the dates of a month share the
    work. If it is too large, each reveal has a diagram of its own. So has that of a posted board,
    because no diagram of it is kept on the disk: the first question need not wait for all reveals.

    Raises:
        TooLarge: the diagram of the single reveal is too large.
        Disagreement: a count contradicts the shipped table.
    """
    from satcal.diagram.puzzle import open_diagram

    puzzle = parse_board(board)
    diagram = None if board.posted else build_whole_diagram(board)
    if diagram is None:
        diagram = open_diagram(puzzle, [labels], (), not board.posted, MEMORY_LIMIT)
    elif labels:
        diagram = build_diagram(board, labels[:-1]).only(labels)
    if len(labels) == len(puzzle.categories):
        confirm(board, {labels: diagram.count(labels)})
    return diagram
