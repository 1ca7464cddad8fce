"""What the workers do for the routes and the jobs.

Nothing here loads the web framework, which would take 20 MB in each worker. A function loads what
it alone needs when it is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from satcal.errors import TooLarge
from satcal.published import shipped
from satcal.published.shipped import shipped_counts
from satcal.puzzle.description import measure
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name
from satcal.puzzle.rows import Row
from satcal.service.answers import BlameItem, HintAnswer, TilingItem, TilingsAnswer
from satcal.service.files import pack
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
    return method.counts(parse_board(board), reveals, place, Meter())


def count_all(board: BoardText) -> dict[Reveal, int]:
    """Return the counts of all reveals, in canonical order."""
    reveals = list(parse_board(board).reveals())
    counts = load_shipped_counts(board) or count(board, reveals, ())
    return {reveal: counts[reveal] for reveal in reveals}


def count_all_as_csv(board: BoardText) -> bytes:
    """Return the counts of all reveals as packed CSV."""
    puzzle, counts = parse_board(board), count_all(board).items()
    records = (Row(reveal).record(puzzle, tilings=tilings) for reveal, tilings in counts)
    return pack("".join(as_csv(records, ("date", *puzzle.categories, "tilings"))).encode())


def list_all_counts(board: BoardText) -> bytes:
    """Return the counts of all reveals as the page takes them, packed."""
    return pack(compact(list(map(str, count_all(board).values()))))


def give_hint(board: BoardText, reveal: Reveal, place: Placements) -> HintAnswer:
    """Return a hint for a partly filled board."""
    from satcal.analysis.hint import make_hint

    result = make_hint(build_diagram(board, reveal), reveal, place)
    next_placement = result.next()
    return HintAnswer(
        reveal,
        list(map(str, place)),
        result.tilings,
        cell=cell_name(result.cell) if result.cell else None,
        next=str(next_placement) if next_placement else None,
        places={name: len(places) for name, places in result.places.items()},
        blame=[BlameItem([*map(str, pieces)], tilings) for pieces, tilings in result.blame],
        advice=result.advice,
    )


def list_tilings(
    board: BoardText, reveal: Reveal, place: Placements, offset: int, limit: int
) -> TilingsAnswer:
    """Return at most ``limit`` tilings, after the first ``offset`` ones."""
    diagram = build_diagram(board, reveal)
    total = diagram.count(reveal, place)
    items = [
        TilingItem(index + 1, list(map(str, diagram.tiling(index, reveal, place))))
        for index in range(offset, min(offset + limit, total))
    ]
    return TilingsAnswer(reveal, list(map(str, place)), total, items)


def pack_tilings(board: BoardText) -> bytes:
    """Return all tilings in the page's format, packed."""
    from satcal.site import packing

    diagram = build_whole_diagram(board)
    if diagram is None:
        raise TooLarge("all tilings of this board are too many for the page; ask for one date")
    return pack(packing.pack(diagram.diagram))


def draw_board(board: BoardText) -> bytes:
    """Return a picture of the board with its pieces, as packed SVG."""
    from satcal.draw.pictures import board_picture

    return pack(board_picture(parse_board(board)).svg().encode())


def export_formula(
    board: BoardText,
    reveal: Reveal | None,
    place: Placements,
    format: str,
    encoding: str | None,
) -> bytes:
    """Return a formula for another solver, packed."""
    from satcal.encoding.export import export_text

    text = export_text(parse_board(board), reveal, format=format, encoding=encoding, place=place)
    if len(text) > MAX_FORMULA:
        raise TooLarge("the formula is too large to be sent; `satcal export` writes it")
    return pack(text.encode())


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
    from satcal.certificates import checking
    from satcal.certificates.certify import make_certificate

    data, _ = make_certificate(parse_board(board), [reveal])
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
    from satcal.published.evaluating import Lookup
    from satcal.published.examination import judge_all
    from satcal.published.reading import claim_files, load_claims

    verdicts = judge_all(load_claims(claim_files()), Lookup(jobs=1))
    return [verdict.as_fields() for verdict in verdicts]
