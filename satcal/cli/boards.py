"""``satcal boards`` and ``satcal show``: the library, one board and its pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import click

from satcal.cli import options
from satcal.draw.board import draw_board, draw_shape
from satcal.errors import OptionError
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import placements
from satcal.puzzle.shapes import Cell
from satcal.tables import aligned, count_of


@options.command()
@options.tabular("text")
def boards(style: str) -> None:
    """List the library of puzzles."""
    puzzles = [load(name) for name in library()]
    if style != "text":
        options.echo(map(_facts, puzzles), list(_facts(puzzles[0])), style)
        return
    lines = [
        {
            "board": puzzle.name,
            "cells": len(puzzle.cells),
            "pieces": _copies(puzzle),
            "reveals": _reveals(puzzle),
            "title": puzzle.title,
            "designer": puzzle.designer,
        }
        for puzzle in puzzles
    ]
    options.echo(lines, list(lines[0]), "table")
    for alias, name in sorted(ALIASES.items()):
        click.echo(f"{alias} is {name}")


def _copies(puzzle: Puzzle) -> int:
    return sum(piece.copies for piece in puzzle.pieces)


def _reveals(puzzle: Puzzle) -> int:
    return sum(1 for _ in puzzle.reveals())


def _dates(puzzle: Puzzle) -> int:
    if puzzle.calendar.parts is None:
        return 0
    return sum(map(puzzle.calendar.is_date, puzzle.reveals()))


def _facts(puzzle: Puzzle) -> dict[str, object]:
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "designer": puzzle.designer,
        "source": puzzle.source,
        "digest": puzzle.digest,
        "cells": len(puzzle.cells),
        "area": puzzle.area,
        "categories": {name: len(labels) for name, labels in puzzle.categories.items()},
        "reveals": _reveals(puzzle),
        "dates": _dates(puzzle),
        "pieces": {
            piece.name: {
                "area": piece.area,
                "copies": piece.copies,
                "orientations": len(piece.orientations),
                "flip": piece.flip,
            }
            for piece in puzzle.pieces
        },
    }


def _bitmaps(puzzle: Puzzle, free: Iterable[Cell]) -> Iterator[dict[str, object]]:
    """Yield the placements on free cells, in the canonical order of an export's variables."""
    bit = {cell: 1 << index for index, cell in enumerate(puzzle.cells)}
    wide = 2 + -(-len(puzzle.cells) // 4)
    for placed in placements(puzzle, free):
        bits = sum(map(bit.__getitem__, placed.cells))
        yield {"piece": placed.piece, "bitmap": f"{bits:#0{wide}x}"}


@options.command()
@options.words_argument
@options.board_options
@options.date_option("the empty board")
@options.reveal_option
@click.option(
    "--bitmaps",
    is_flag=True,
    help="List the placements instead, in hexadecimal: bit n is the n-th cell, row by row.",
)
@options.tabular("text")
def show(
    words: tuple[str, ...],
    board: str,
    pieces: str | None,
    flip: str | None,
    date: tuple[str, ...],
    reveal: tuple[str, ...],
    bitmaps: bool,
    style: str,
) -> None:
    """Draw a board and its pieces, and count areas, orientations and placements."""
    board, said = options.board_and_dates(words, board)
    puzzle = load(board, pieces, flip)
    reveals = options.chosen(puzzle, date + said, reveal)
    if len(reveals) > 1:
        raise OptionError(
            f"show counts the placements of one date, not of {len(reveals):,}; name one day"
        )
    chosen = reveals[0] if reveals else ()
    free = set(puzzle.cells) - puzzle.uncovered(chosen)
    if bitmaps:
        options.echo(
            _bitmaps(puzzle, free), ["piece", "bitmap"], "table" if style == "text" else style
        )
        return
    placed = Counter(placement.piece for placement in placements(puzzle, free))
    counts = {piece.name: placed[piece.name] for piece in puzzle.pieces}
    if style != "text":
        facts = _facts(puzzle) | {"reveal": chosen, "placements": counts}
        options.echo([facts], list(facts), style)
        return
    click.echo(f"{puzzle.name}: {puzzle.title}" if puzzle.title else puzzle.name)
    for key in ("designer", "source"):
        if said := getattr(puzzle, key):
            click.echo(f"{key}: {said}")
    click.echo(draw_board(puzzle) + "\n")
    lines = []
    for piece in puzzle.pieces:
        first, *rest = draw_shape(piece.shape)
        drawn = "\n".join([first if piece.flip else f"{first}  (one face)", *rest, ""])
        figures = (piece.area, piece.copies, len(piece.orientations), counts[piece.name])
        lines.append([piece.name, *map(str, figures), drawn])
    where = " ".join(chosen) or "the empty board"
    head = ("piece", "area", "copies", "orientations", "placements", f"(on {where})")
    click.echo(aligned(head, lines, right=range(1, 5)), nl=False)
    orientations = sum(len(piece.orientations) for piece in puzzle.pieces)
    click.echo(
        f"{count_of(len(puzzle.cells), 'cell')}, {puzzle.area} of them covered by "
        f"{count_of(_copies(puzzle), 'piece')}; "
        f"{count_of(orientations, 'orientation')}, "
        f"{count_of(sum(counts.values()), 'placement')}"
    )
    for category, labels in puzzle.categories.items():
        click.echo(f"{category}: {labels[0]} to {labels[-1]} ({len(labels)} labels)")
    dates = f", {_dates(puzzle):,} of them dates" if puzzle.calendar.parts else ""
    click.echo(count_of(_reveals(puzzle), "reveal") + dates)
    if puzzle.calendar.parts is None:
        click.echo(f"no dates: {puzzle.calendar.reason}")
