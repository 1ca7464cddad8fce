"""Hints, tilings and their pictures."""

from __future__ import annotations

import random

from satcal.errors import NoTiling, TooLarge
from satcal.puzzle.model import Reveal, cell_name, name_reveal
from satcal.service.answers import BlameItem, HintAnswer, TilingItem, TilingsAnswer
from satcal.service.files import StoredFile, pack_file
from satcal.service.work.diagrams import (
    BoardText,
    Placements,
    build_diagram,
    build_whole_diagram,
    parse_board,
)


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


def sample_tiling(board: BoardText, reveal: Reveal, place: Placements, seed: int) -> TilingsAnswer:
    """Return a uniformly random tiling; raise NoTiling if none exists."""
    total = build_diagram(board, reveal).count(reveal, place)
    if not total:
        reason = "no tiling has these pieces there; take one back"
        raise NoTiling(reason if place else f"{name_reveal(reveal)} has no tiling")
    return list_tilings(board, reveal, place, random.Random(seed).randrange(total), 1)


def pack_tilings(board: BoardText) -> StoredFile:
    """Return all tilings in the page's format."""
    from satcal.site.packing import pack

    diagram = build_whole_diagram(board)
    if diagram is None:
        raise TooLarge("all tilings of this board are too many for the page; ask for one date")
    return pack_file(pack(diagram.diagram))


def draw_tiling(
    board: BoardText,
    reveal: Reveal,
    place: Placements,
    rank: int,
    format: str,
    theme: str,
    size: int,
) -> bytes:
    """Return a picture of the tiling with a rank, from 1; raise NoTiling if none exists."""
    from satcal.draw.pictures import tiling_picture
    from satcal.draw.theme import load_theme

    diagram = build_diagram(board, reveal)
    if rank > (total := diagram.count(reveal, place)):
        reason = f"ranks go from 1 to {total:,}" if total else "there is no tiling"
        raise NoTiling(f"no tiling has rank {rank}; {reason}")
    tiling, title = diagram.tiling(rank - 1, reveal, place), " ".join(reveal)
    picture = tiling_picture(parse_board(board), reveal, tiling, load_theme(theme), title)
    return picture.encode(f".{format}", size if format == "png" else None)
