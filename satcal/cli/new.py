"""``satcal new``: a puzzle file to start from, or a variant of a board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from satcal.cli.options import Command, add_section
from satcal.cli.output import Writer, quiet_option
from satcal.cli.words import find_board, read_board
from satcal.puzzle.loading import library, library_text, load, load_pieces, parse_puzzle, template
from satcal.puzzle.writing import to_toml


@click.command(cls=Command)
@click.argument("file", metavar="FILE.toml")
@add_section(
    "Variant",
    click.option("--from", "board", metavar="BOARD", help="Start from this board."),
    click.option("--pieces", metavar="BOARD|FILE", help="Use the pieces of another board."),
    click.option("--flip", metavar="NAMES", help="Pieces to turn over: all, none, N,L4."),
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@quiet_option
def new(file: str, board: str | None, pieces: str | None, flip: str | None, force: bool) -> None:
    """Write a puzzle file: a small puzzle whose keys are explained, or a variant of a board.

    The file is then a board like any other: satcal count FILE.toml. A dash is standard output.
    """
    writer = Writer(file, {"toml": ".toml"}, force=force)
    if pieces or flip:
        board = board or read_board([])
    with writer:
        writer.write(make_variant(file, board, pieces, flip) if board else template())


def make_variant(file: str, board: str, pieces: str | None, flip: str | None) -> str:
    """Return the file of a board with other pieces or flips; raise PuzzleError for a fault."""
    name = find_board(board) or board
    puzzle = load(name)
    if pieces is None and flip is None and name in library():
        return library_text(name)
    if pieces is not None:
        drawings = load_pieces(find_board(pieces) or pieces)
        puzzle = replace(puzzle, drawn=drawings, designer="")
    if flip is not None:
        puzzle = puzzle.with_flips(flip)
    changes = [f"pieces of {pieces}"] * bool(pieces) + [f"flip {flip}"] * bool(flip)
    title = ", ".join([puzzle.title or puzzle.name, *changes])
    new_name = Path(file).stem if file != "-" else "-".join([puzzle.name, *filter(None, [pieces])])
    text = to_toml(replace(puzzle, name=new_name, title=title))
    parse_puzzle(text, file)  # raises for faults
    return text
