"""The functions that the workers run; each worker caches the diagrams of its last boards."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from satcal.errors import NoTiling, TooLarge
from satcal.published import shipped
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name, name_reveal
from satcal.puzzle.rows import Row
from satcal.service.answers import (
    BlameItem,
    CountRow,
    HintAnswer,
    RemainingAnswer,
    TilingItem,
    TilingsAnswer,
)
from satcal.service.files import StoredFile, pack_file
from satcal.site.page import compact
from satcal.tabular import as_csv

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

Placements = tuple[Placement, ...]
MAX_DIAGRAMS = 3
"""Limit on the cached diagrams of whole boards; the largest of the library takes 60 MB."""
MAX_SUBDIAGRAMS = 800
"""Limit on the cached subdiagrams: the days and months of a year, for two boards."""
MEMORY_LIMIT = 2**30
"""Limit on the bytes that the construction of a diagram takes."""
MAX_FORMULA = 32 * 2**20
"""Limit on the bytes of a formula."""
MAX_SIZES = {"cells": 256, "pieces": 64, "reveals": 10_000}
"""Limits on a posted puzzle."""
MAX_PUBLIC_CELLS = 100
"""Limit on the cells of a board that is posted without the token."""


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


def count(board: BoardText, reveals: Sequence[Reveal], placements: Placements) -> list[int]:
    """Return the number of tilings of each reveal that contain the placements."""
    if len(reveals) == 1:
        try:
            return [build_diagram(board, reveals[0]).count(reveals[0], placements)]
        except TooLarge:
            pass
    from satcal.counting.diagram import DiagramMethod
    from satcal.counting.method import Meter

    method = DiagramMethod(memory_limit=MEMORY_LIMIT, use_cache=not board.posted)
    counts = method.counts(parse_board(board), reveals, placements, Meter())
    if not placements:
        confirm(board, counts)
    return [counts[reveal] for reveal in reveals]


def count_all_as_csv(board: BoardText) -> StoredFile:
    """Return the counts of all reveals as CSV."""
    counts = count_all(board)
    return pack_file(format_csv(parse_board(board), list(map(Row, counts)), counts))


def list_all_counts(board: BoardText) -> StoredFile:
    """Return the counts of all reveals as the page takes them."""
    return pack_file(compact(list(map(str, count_all(board).values()))))


def count_all(board: BoardText) -> dict[Reveal, int]:
    """Return the counts of all reveals, in canonical order."""
    reveals, shipped_table = list(parse_board(board).reveals()), load_shipped_counts(board)
    if shipped_table:
        return {reveal: shipped_table[reveal] for reveal in reveals}
    return dict(zip(reveals, count(board, reveals, ()), strict=True))


def select_counted(rows: Sequence[Row], counts: Mapping[Reveal, int]) -> list[CountRow]:
    """Return the rows whose reveal has a count."""
    return [CountRow(r.date, r.reveal, counts[r.reveal]) for r in rows if r.reveal in counts]


def format_csv(puzzle: Puzzle, rows: Sequence[Row], counts: Mapping[Reveal, int]) -> bytes:
    """Return rows with their counts as CSV."""
    fields = ("date", *puzzle.categories, "tilings")
    lines = ((str(row.date or ""), *row.reveal, counts[row.reveal]) for row in rows)
    records = (dict(zip(fields, line, strict=True)) for line in lines)
    return "".join(as_csv(records, fields)).encode()


def count_remaining(board: BoardText, reveal: Reveal, placements: Placements) -> RemainingAnswer:
    """Return how many tilings contain the placements."""
    (tilings,) = count(board, [reveal], placements)
    return RemainingAnswer(reveal, list(map(str, placements)), tilings)


def give_hint(board: BoardText, reveal: Reveal, placements: Placements) -> HintAnswer:
    """Return a hint for a partly filled board."""
    from satcal.analysis.hint import make_hint

    result = make_hint(build_diagram(board, reveal), reveal, placements)
    next_placement = result.next()
    return HintAnswer(
        reveal,
        list(map(str, placements)),
        result.tilings,
        cell=cell_name(result.cell) if result.cell else None,
        next=str(next_placement) if next_placement else None,
        places={name: len(places) for name, places in result.places.items()},
        blame=[BlameItem([*map(str, pieces)], tilings) for pieces, tilings in result.blame],
        advice=result.advice,
    )


def list_tilings(
    board: BoardText, reveal: Reveal, placements: Placements, offset: int, limit: int
) -> TilingsAnswer:
    """Return at most ``limit`` tilings, after the first ``offset`` ones."""
    diagram = build_diagram(board, reveal)
    total = diagram.count(reveal, placements)
    items = [
        TilingItem(index + 1, list(map(str, diagram.tiling(index, reveal, placements))))
        for index in range(offset, min(offset + limit, total))
    ]
    return TilingsAnswer(reveal, list(map(str, placements)), total, items)


def find_tiling(
    board: BoardText, reveal: Reveal, placements: Placements, rank: int
) -> TilingsAnswer:
    """Return the tiling with a rank, from 1; raise NoTiling if none exists."""
    answer = list_tilings(board, reveal, placements, rank - 1, 1)
    if not answer.items:
        total = answer.tilings
        reason = f"ranks go from 1 to {total:,}" if total else "there is no tiling"
        raise NoTiling(f"no tiling has rank {rank}; {reason}")
    return answer


def sample_tiling(
    board: BoardText, reveal: Reveal, placements: Placements, seed: int
) -> TilingsAnswer:
    """Return a uniformly random tiling; raise NoTiling if none exists."""
    total = build_diagram(board, reveal).count(reveal, placements)
    if not total:
        if placements:
            raise NoTiling("no tiling has these pieces there; take one back")
        raise NoTiling(f"{name_reveal(reveal)} has no tiling")
    return list_tilings(board, reveal, placements, random.Random(seed).randrange(total), 1)


def pack_tilings(board: BoardText) -> StoredFile:
    """Return all tilings in the page's format."""
    from satcal.site.packing import pack

    diagram = build_whole_diagram(board)
    if diagram is None:
        raise TooLarge("all tilings of this board are too many for the page; ask for one date")
    return pack_file(pack(diagram.diagram))


def export_formula(
    board: BoardText,
    reveal: Reveal | None,
    placements: Placements,
    format: str,
    encoding: str | None,
) -> StoredFile:
    """Return a formula for another solver."""
    from satcal.encoding.export import export_text

    text = export_text(
        parse_board(board), reveal, format=format, encoding=encoding, place=placements
    )
    if len(text) > MAX_FORMULA:
        raise TooLarge("the formula is too large to be sent; `satcal export` writes it")
    return pack_file(text.encode())


def draw_board(board: BoardText, format: str, theme: str, size: int) -> bytes:
    """Return a picture of the board with its pieces; ``size`` is for PNG, in pixels."""
    from satcal.draw.pictures import board_picture
    from satcal.draw.theme import load_theme

    picture = board_picture(parse_board(board), load_theme(theme))
    return picture.encode(f".{format}", size if format == "png" else None)


def draw_tiling(
    board: BoardText,
    reveal: Reveal,
    placements: Placements,
    rank: int,
    format: str,
    theme: str,
    size: int,
) -> bytes:
    """Return a picture of the tiling with a rank, from 1; raise NoTiling if none exists."""
    from satcal.draw.pictures import tiling_picture
    from satcal.draw.theme import load_theme

    find_tiling(board, reveal, placements, rank)  # its error says which ranks exist
    tiling = build_diagram(board, reveal).tiling(rank - 1, reveal, placements)
    puzzle, title = parse_board(board), " ".join(reveal)
    picture = tiling_picture(puzzle, reveal, tiling, load_theme(theme), title)
    return picture.encode(f".{format}", size if format == "png" else None)


def measure(puzzle: Puzzle) -> dict[str, int]:
    """Return the numbers of cells, pieces and reveals."""
    return {
        "cells": len(puzzle.cells),
        "pieces": sum(piece.copies for piece in puzzle.pieces),
        "reveals": puzzle.number_of_reveals,
    }


def normalise(text: str, has_token: bool) -> str:
    """Return the definition of a posted puzzle in satcal's own format.

    Raises:
        PuzzleError: the text does not describe a puzzle.
        TooLarge: the puzzle is larger than the client may post.
    """
    from satcal.puzzle.writing import to_toml

    puzzle = parse_puzzle(text, "definition")
    limits = MAX_SIZES if has_token else MAX_SIZES | {"cells": MAX_PUBLIC_CELLS}
    for name, size in measure(puzzle).items():
        if size > limits[name]:
            raise TooLarge(
                f"{size:,} {name}, more than the {limits[name]:,} that this service takes; "
                "`satcal count FILE` counts larger boards"
            )
    return to_toml(puzzle)


def certify(board: BoardText, reveal: Reveal) -> tuple[bytes, dict[str, Any]]:
    """Return a certificate of a reveal, and what the checker says that it proves."""
    from satcal.certificates import certify, checking

    data = certify.certify(parse_board(board), [reveal])
    report = checking.check(data)
    return data, {
        "puzzle": report.name,
        "digest": report.digest,
        "proved": [{"reveal": r, "tilings": tilings} for r, tilings in report.tilings.items()],
        "checked_by": list(report.checkers),
        "lines": list(report.lines()),
    }


def examine_claims() -> list[dict[str, Any]]:
    """Return the verdicts on all published claims."""
    from satcal.published.examination import Examination
    from satcal.published.reading import claim_files, load_claims

    statements = [load_claims(path) for path in claim_files()]
    return [verdict.as_fields() for verdict in Examination(jobs=1).verdicts(statements)]
