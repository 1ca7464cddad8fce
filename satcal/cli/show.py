"""``satcal show``: a board and its pieces, and the oddities of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from satcal.cli.options import Command, FiniteRange, board_argument, board_option
from satcal.cli.output import PICTURES, Writer, add_output
from satcal.cli.words import read_boards
from satcal.designing.polyominoes import find_name
from satcal.draw.board import draw_board, draw_shape
from satcal.errors import OptionError
from satcal.puzzle.description import measure
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.normal import DIGEST_DIGITS
from satcal.puzzle.oddities import find_oddities
from satcal.puzzle.placements import placements
from satcal.tabular import align, count_of

PIXELS_PER_MM = 96 / 25.4  # of CSS; a PDF has the same size


@click.command(cls=Command)
@board_argument
@board_option
@click.option("--normal", is_flag=True, help="Write the puzzle as certificates do.")
@click.option("--cell", type=FiniteRange(1, 200), metavar="MM", help="Width of a cell on paper.")
@add_output("text", *PICTURES)
def show(
    words: Sequence[str], board: str | None, normal: bool, cell: float | None, writer: Writer
) -> None:
    """Draw boards and their pieces; say what is wrong or odd in a file.

    A = H12 is a piece A that satcal design calls H12. The first thing that is wrong ends it. Odd
    things are legal.
    """
    shows_several = writer.style == "text" and not normal
    names = read_boards(words, board, most=None if shows_several else 1)
    if cell and writer.style not in PICTURES:
        raise OptionError("--cell is the size of a cell in a picture; add -o FILE.svg")
    with writer:
        for name in names:
            show_board(name, normal, cell, writer)


def show_board(name: str, normal: bool, cell: float | None, writer: Writer) -> None:
    """Write a board. ``cell`` is in millimetres."""
    puzzle = load(name)
    if writer.style in PICTURES:
        from satcal.draw.pictures import CELL, board_picture  # only pictures need it

        picture = board_picture(puzzle)
        paper = max(picture.width, picture.height) * (cell or 0) / CELL * PIXELS_PER_MM
        writer.write(picture.encode(f".{writer.style}", round(paper) or None))
    elif normal:
        writer.write(puzzle.normal_form())
    else:
        writer.write(format_text(puzzle))


def format_text(puzzle: Puzzle) -> str:
    """Return a drawing of the board, a table of the pieces, and the oddities."""
    counts = Counter(placement.piece for placement in placements(puzzle, puzzle.cells))
    lines = [f"{puzzle.name}: {puzzle.title}" if puzzle.title else puzzle.name]
    lines += [f"{key}: {text}" for key in ("designer", "source") if (text := getattr(puzzle, key))]
    rows = [["piece", "area", "copies", "orientations", "placements", ""]]
    for piece in puzzle.pieces:
        first_row, *more_rows = draw_shape(piece.shape)
        numbers = (piece.area, piece.copies, len(piece.orientations), counts[piece.name])
        name = find_name(piece.shape)
        title = piece.name if name in ("", piece.name) else f"{piece.name} = {name}"
        rows.append([title, *map(str, numbers), first_row + "  (one face)" * (not piece.flip)])
        rows += [["", "", "", "", "", row] for row in (*more_rows, "")]
    lines += [draw_board(puzzle), "", align(rows, [False, True, True, True, True, False])[:-1]]
    size = measure(puzzle)
    lines.append(
        f"{size['cells']} cells, {puzzle.area} of them covered by "
        f"{count_of(size['pieces'], 'piece')}; {sum(counts.values()):,} placements"
    )
    for category, labels in puzzle.categories.items():
        lines.append(f"{category}: {labels[0]} to {labels[-1]} ({len(labels)} labels)")
    dates = puzzle.calendar.number_of_dates()
    lines.append(f"reveals: {size['reveals']:,}, of which {dates:,} are dates")
    lines.append(f"digest: {puzzle.digest[:DIGEST_DIGITS]}")
    lines += [f"odd, but legal: {oddity}" for oddity in find_oddities(puzzle)]
    return "\n".join(lines) + "\n"
