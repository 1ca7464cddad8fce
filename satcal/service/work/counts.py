"""Counts of dates and reveals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satcal.errors import TooLarge
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.rows import Row
from satcal.service.answers import CountRow, RemainingAnswer
from satcal.service.files import StoredFile, pack_file
from satcal.service.work.diagrams import (
    MEMORY_LIMIT,
    BoardText,
    Placements,
    build_diagram,
    confirm,
    load_shipped_counts,
    parse_board,
)
from satcal.site.page import compact
from satcal.tabular import as_csv


def count(board: BoardText, reveals: Sequence[Reveal], place: Placements) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal that contain the placements."""
    if len(reveals) == 1:
        try:
            return {reveals[0]: build_diagram(board, reveals[0]).count(reveals[0], place)}
        except TooLarge:
            pass
    from satcal.counting.diagram import DiagramMethod
    from satcal.counting.method import Meter

    method = DiagramMethod(memory_limit=MEMORY_LIMIT, use_cache=not board.posted)
    counts = method.counts(parse_board(board), reveals, place, Meter())
    if not place:
        confirm(board, counts)
    return counts


def count_all(board: BoardText) -> dict[Reveal, int]:
    """Return the counts of all reveals, in canonical order."""
    reveals, shipped_table = list(parse_board(board).reveals()), load_shipped_counts(board)
    counts = shipped_table or count(board, reveals, ())
    return {reveal: counts[reveal] for reveal in reveals}


def count_all_as_csv(board: BoardText) -> StoredFile:
    """Return the counts of all reveals as CSV."""
    counts = count_all(board)
    return pack_file(format_csv(parse_board(board), list(map(Row, counts)), counts))


def list_all_counts(board: BoardText) -> StoredFile:
    """Return the counts of all reveals as the page takes them."""
    return pack_file(compact(list(map(str, count_all(board).values()))))


def select_counted(rows: Sequence[Row], counts: Mapping[Reveal, int]) -> list[CountRow]:
    """Return the rows whose reveal has a count."""
    return [CountRow(r.date, r.reveal, counts[r.reveal]) for r in rows if r.reveal in counts]


def format_csv(puzzle: Puzzle, rows: Sequence[Row], counts: Mapping[Reveal, int]) -> bytes:
    """Return rows with their counts as CSV."""
    records = (row.record(puzzle, tilings=counts[row.reveal]) for row in rows)
    return "".join(as_csv(records, ("date", *puzzle.categories, "tilings"))).encode()


def count_remaining(board: BoardText, reveal: Reveal, place: Placements) -> RemainingAnswer:
    """Return how many tilings contain the placements."""
    tilings = count(board, [reveal], place)[reveal]
    return RemainingAnswer(reveal, list(map(str, place)), tilings)
