"""What the workers do. A worker keeps the diagrams of the boards that it was asked about last."""

from __future__ import annotations

import gzip
import math
import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from satcal.errors import NoTiling, TooLarge
from satcal.published import shipped
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.when import Row
from satcal.service.answers import CountRow, HintAnswer, Ranked, RemainingAnswer, TilingsAnswer
from satcal.tabular import as_csv

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

DIAGRAMS = 3
"""Boards whose diagram a worker keeps; the largest of the library takes 60 MB."""
SLICES = 800
"""Parts of diagrams that a worker keeps: a year of two boards, and the months on the way."""
MEMORY = 2**30
"""Bytes that building a diagram may take."""
MAX_FORMULA = 32 * 2**20
"""Bytes of a formula that is sent."""


class BoardText(NamedTuple):
    """What a worker gets of a puzzle: its name, and the text that defines it."""

    name: str
    text: str
    posted: bool = False


@lru_cache(64)
def puzzle_of(board: BoardText) -> Puzzle:
    """Return the puzzle of a board."""
    return parse_puzzle(board.text, board.name)


@lru_cache(64)
def known_counts(board: BoardText) -> Mapping[Reveal, int]:
    """Return the shipped counts of a board; none if it is not in the library."""
    return {} if board.posted else shipped_counts(puzzle_of(board))


def confirm(board: BoardText, counts: Mapping[Reveal, int]) -> None:
    """Raise Disagreement if the shipped table has another number."""
    shipped.confirm(puzzle_of(board), counts, known_counts(board))


@lru_cache(DIAGRAMS)
def whole_diagram(board: BoardText) -> PuzzleDiagram | None:
    """Return the diagram of all reveals, or None if it is too large."""
    from satcal.diagram.puzzle import open_diagram

    puzzle = puzzle_of(board)
    try:
        return open_diagram(puzzle, list(puzzle.reveals()), (), not board.posted, MEMORY)
    except TooLarge:
        return None


@lru_cache(SLICES)
def diagram(board: BoardText, labels: Reveal) -> PuzzleDiagram:
    """Return the diagram of the reveals that have some labels.

    It is made label by label, because dates share most of the way. Where all reveals together are
    too large, each one has a diagram of its own, as on the command line.

    Raises:
        TooLarge: even that is too large.
        Disagreement: it contradicts the shipped table.
    """
    from satcal.diagram.puzzle import open_diagram

    puzzle, graph = puzzle_of(board), whole_diagram(board)
    complete = len(labels) == len(puzzle.categories)
    if graph is None:
        found = open_diagram(puzzle, [labels], (), not board.posted, MEMORY)
    else:
        found = diagram(board, labels[:-1]).only(labels) if labels else graph
    if complete:
        confirm(board, {labels: found.count(labels)})
    return found


def counts(board: BoardText, reveals: Sequence[Reveal], place: tuple[Placement, ...]) -> list[int]:
    """Return the number of tilings of each reveal, by the diagram or its layers."""
    if len(reveals) == 1:
        try:
            return [diagram(board, reveals[0]).count(reveals[0], place)]
        except TooLarge:
            pass
    from satcal.counting.diagram import DiagramMethod
    from satcal.counting.method import Meter

    method = DiagramMethod(memory_limit=MEMORY, use_cache=not board.posted)
    counted = method.counts(puzzle_of(board), reveals, place, Meter())
    if not place:
        confirm(board, counted)
    return [counted[reveal] for reveal in reveals]


def counts_of_all(board: BoardText) -> bytes:
    """Return the counts of all reveals as CSV."""
    puzzle = puzzle_of(board)
    reveals = list(puzzle.reveals())
    known = known_counts(board) or dict(zip(reveals, counts(board, reveals, ()), strict=True))
    return counts_csv(puzzle, list(map(Row, reveals)), known)


def counted_rows(rows: Sequence[Row], known: Mapping[Reveal, int]) -> list[CountRow]:
    """Return the rows that are counted."""
    return [CountRow(r.date, r.reveal, known[r.reveal]) for r in rows if r.reveal in known]


def counts_csv(puzzle: Puzzle, rows: Sequence[Row], known: Mapping[Reveal, int]) -> bytes:
    """Return rows with their counts as CSV."""
    fields = ("date", *puzzle.categories, "tilings")
    lines = ((str(row.date or ""), *row.reveal, known[row.reveal]) for row in rows)
    records = (dict(zip(fields, line, strict=True)) for line in lines)
    return "".join(as_csv(records, fields)).encode()


def remaining(board: BoardText, reveal: Reveal, place: tuple[Placement, ...]) -> RemainingAnswer:
    """Return how many tilings contain what is placed."""
    (tilings,) = counts(board, [reveal], place)
    return RemainingAnswer(reveal, list(map(str, place)), tilings)


def hint(board: BoardText, reveal: Reveal, place: tuple[Placement, ...]) -> HintAnswer:
    """Return a hint for a partly filled board."""
    from satcal.analysis.hint import hint as hint_of

    given = hint_of(diagram(board, reveal), reveal, place)
    following = given.next()
    return HintAnswer(
        reveal,
        list(map(str, place)),
        given.tilings,
        tightest=given.tightest if given.tilings else None,
        next=str(following) if following else None,
        places={name: len(places) for name, places in given.places.items()},
        advice=given.advice,
    )


def tilings(
    board: BoardText, reveal: Reveal, place: tuple[Placement, ...], offset: int, limit: int
) -> TilingsAnswer:
    """Return tilings by their ranks."""
    found = diagram(board, reveal)
    total = found.count(reveal, place)
    items = [
        Ranked(index + 1, list(map(str, found.tiling(index, reveal, place))))
        for index in range(offset, min(offset + limit, total))
    ]
    return TilingsAnswer(reveal, list(map(str, place)), total, items)


def tiling(
    board: BoardText, reveal: Reveal, place: tuple[Placement, ...], rank: int
) -> TilingsAnswer:
    """Return the tiling of a rank, from 1; raise NoTiling if none exists."""
    found = tilings(board, reveal, place, rank - 1, 1)
    if not found.items:
        known = f"ranks go from 1 to {found.tilings:,}" if found.tilings else "there is no tiling"
        raise NoTiling(f"no tiling has rank {rank}; {known}")
    return found


def random_tiling(
    board: BoardText, reveal: Reveal, place: tuple[Placement, ...], seed: int
) -> TilingsAnswer:
    """Return a tiling that a seed draws; raise NoTiling if none exists."""
    total = diagram(board, reveal).count(reveal, place)
    if not total:
        if place:
            raise NoTiling("no tiling has these pieces there; take one back")
        raise NoTiling(f"{' '.join(reveal) or 'the board'} has no tiling")
    return tilings(board, reveal, place, random.Random(seed).randrange(total), 1)


def packed_tilings(board: BoardText) -> bytes:
    """Return all tilings as the page takes them, compressed by gzip."""
    from satcal.site.packing import pack

    graph = whole_diagram(board)
    if graph is None:
        raise TooLarge("all tilings of this board are too many for the page; ask for one date")
    return gzip.compress(pack(graph.diagram), 6, mtime=0)


def export(
    board: BoardText,
    reveal: Reveal | None,
    place: tuple[Placement, ...],
    style: str,
    encoding: str | None,
) -> bytes:
    """Return a formula for another solver."""
    from satcal.encoding.export import export as text_of

    text = text_of(puzzle_of(board), reveal, format=style, encoding=encoding, place=place)
    if len(text) > MAX_FORMULA:
        raise TooLarge("the formula is too large to be sent; `satcal export` writes it")
    return text.encode()


def picture(board: BoardText, style: str, theme: str, size: int) -> bytes:
    """Return a picture of the board with its pieces."""
    from satcal.draw.pictures import board_picture
    from satcal.draw.theme import load_theme

    drawn = board_picture(puzzle_of(board), load_theme(theme))
    return drawn.encode(f".{style}", size if style == "png" else None)


def tiling_picture(
    board: BoardText,
    reveal: Reveal,
    place: tuple[Placement, ...],
    rank: int,
    style: str,
    theme: str,
    size: int,
) -> bytes:
    """Return a picture of the tiling of a rank."""
    from satcal.draw.pictures import tiling_picture as picture_of
    from satcal.draw.theme import load_theme

    tiling(board, reveal, place, rank)  # which says what ranks there are
    placements = diagram(board, reveal).tiling(rank - 1, reveal, place)
    drawn = picture_of(puzzle_of(board), reveal, placements, load_theme(theme), " ".join(reveal))
    return drawn.encode(f".{style}", size if style == "png" else None)


def sizes(puzzle: Puzzle) -> dict[str, int]:
    """Return the sizes of a puzzle."""
    return {
        "cells": len(puzzle.cells),
        "pieces": sum(piece.copies for piece in puzzle.pieces),
        "reveals": math.prod(map(len, puzzle.categories.values())),
    }


def read_posted(text: str, name: str, limits: Mapping[str, int]) -> str:
    """Return satcal's own text of a posted puzzle.

    Raises:
        PuzzleError: it does not describe a puzzle.
        TooLarge: the puzzle is larger than ``limits`` allow.
    """
    from satcal.puzzle.writing import to_toml

    puzzle = parse_puzzle(text, "definition")
    for what, number in sizes(puzzle).items():
        if number > limits[what]:
            raise TooLarge(
                f"{number:,} {what}, more than the {limits[what]:,} that this service takes; "
                "`satcal count FILE` counts larger boards"
            )
    return to_toml(puzzle)


def certificate(board: BoardText, reveal: Reveal) -> bytes:
    """Return a certificate of a reveal."""
    from satcal.certificates.certify import certify

    return certify(puzzle_of(board), [reveal])


def check(data: bytes) -> dict[str, Any]:
    """Return what a certificate proves; raise CertificateRefused if it proves nothing."""
    from satcal.certificates.checking import check as report_of

    report = report_of(data)
    return {
        "puzzle": report.name,
        "digest": report.digest,
        "proved": [{"reveal": r, "tilings": tilings} for r, tilings in report.tilings.items()],
        "tilings": sum(report.tilings.values()),
        "checked_by": list(report.checkers),
        "lines": list(report.lines()),
    }


def examine_claims() -> list[dict[str, Any]]:
    """Return the verdicts on all published statements."""
    from satcal.published.examination import Examination
    from satcal.published.reading import claim_files, load_claims

    loaded = [load_claims(path) for path in claim_files()]
    return [verdict.as_fields() for verdict in Examination(jobs=1).verdicts(loaded)]
