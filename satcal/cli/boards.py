"""``satcal boards`` and ``satcal show``: the library, one board and its pieces."""

from __future__ import annotations

from collections import Counter

import click

from satcal.cli import options
from satcal.draw.board import draw_board, draw_shape
from satcal.draw.tables import aligned, count_of
from satcal.errors import OptionError
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import placements


@click.command()
@options.tabular("text")
def boards(style: str) -> None:
    """List the library of puzzles."""
    puzzles = [load(name) for name in library()]
    if style != "text":
        options.echo(map(_facts, puzzles), list(_facts(puzzles[0])), style)
        return
    lines = [
        {
            "board": puzzle.name, "cells": len(puzzle.cells), "pieces": _copies(puzzle),
            "reveals": _reveals(puzzle), "title": puzzle.title, "designer": puzzle.designer,
        }
        for puzzle in puzzles
    ]  # fmt: skip
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
        "name": puzzle.name, "title": puzzle.title, "designer": puzzle.designer,
        "source": puzzle.source,
        "digest": puzzle.digest, "cells": len(puzzle.cells), "area": puzzle.area,
        "categories": {name: len(labels) for name, labels in puzzle.categories.items()},
        "reveals": _reveals(puzzle), "dates": _dates(puzzle),
        "pieces": {
            piece.name: {
                "area": piece.area, "copies": piece.copies,
                "orientations": len(piece.orientations), "flip": piece.flip,
            }
            for piece in puzzle.pieces
        },
    }  # fmt: skip


@click.command()
@click.argument("name", metavar="[BOARD]", required=False)
@options.board_options
@options.date_option("the empty board")
@options.reveal_option
@options.tabular("text")
def show(
    name: str | None, board: str, pieces: str | None, flip: str | None,
    date: str | None, reveal: tuple[str, ...], style: str,
) -> None:  # fmt: skip
    """Draw a board and its pieces, and count areas, orientations and placements."""
    if name and board != name and options.given("board"):
        raise OptionError(f"BOARD '{name}' and --board '{board}' differ; give one of them")
    puzzle = load(name or board, pieces, flip)
    reveals = options.chosen(puzzle, date, reveal)
    if len(reveals) > 1:
        raise OptionError(f"show counts the placements of one date, not of {len(reveals):,}")
    chosen = reveals[0] if reveals else ()
    free = set(puzzle.cells) - puzzle.uncovered(chosen)
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
