"""``satcal show``: a board and its pieces, and all that is wrong or odd in its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cloup import command, option

from satcal.cli.boards import facts, number_of_pieces
from satcal.cli.output import PICTURES, Writer, writing
from satcal.cli.progress import warn
from satcal.cli.words import board_argument, board_name, board_option
from satcal.draw.board import draw_board, draw_shape
from satcal.errors import InputError
from satcal.puzzle.loading import faults, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.normal import normal_form
from satcal.puzzle.oddities import oddities
from satcal.puzzle.placements import placements
from satcal.tabular import FORMATS, align


@command()
@board_argument
@board_option
@option("--normal", is_flag=True, help="Write the puzzle's text as certificates have it.")
@writing("text", *FORMATS, others=PICTURES)
def show(words: Sequence[str], board: str | None, normal: bool, writer: Writer) -> int:
    """Draw a board and its pieces; list what is wrong or odd in a file.

    If anything is wrong, the exit code is 2. Odd things are legal.
    """
    name = board_name(words, board)
    wrong = faults(name)
    if wrong:
        with writer:
            if writer.style in FORMATS:
                writer.records([{"fault": fault} for fault in wrong], ["fault"])
            elif writer.style == "text":
                writer.write("".join(f"{fault}\n" for fault in wrong))
        warn(f"{name}: {len(wrong)} {'fault' if len(wrong) == 1 else 'faults'}")
        return InputError.exit_code
    puzzle = load(name)
    placed = Counter(placement.piece for placement in placements(puzzle, puzzle.cells))
    with writer:
        if writer.style in PICTURES:
            from satcal.draw.pictures import board_picture  # only pictures need it

            writer.write(board_picture(puzzle).encode(writer.style))
        elif normal:
            writer.write(normal_form(puzzle))
        elif writer.style == "text":
            writer.write(report(puzzle, placed))
        else:
            counts = {piece.name: placed[piece.name] for piece in puzzle.pieces}
            record = facts(puzzle) | {"placements": counts, "odd": list(oddities(puzzle))}
            writer.records([record], list(record))
    return 0


def report(puzzle: Puzzle, placed: Counter[str]) -> str:
    """Return a drawing of the board, a table of the pieces, and what is odd."""
    lines = [f"{puzzle.name}: {puzzle.title}" if puzzle.title else puzzle.name]
    lines += [f"{key}: {text}" for key in ("designer", "source") if (text := getattr(puzzle, key))]
    rows = [["piece", "area", "copies", "orientations", "placements", ""]]
    for piece in puzzle.pieces:
        first, *rest = draw_shape(piece.shape)
        figures = (piece.area, piece.copies, len(piece.orientations), placed[piece.name])
        rows.append([piece.name, *map(str, figures), first + "  (one face)" * (not piece.flip)])
        rows += [["", "", "", "", "", row] for row in (*rest, "")]
    lines += [draw_board(puzzle), "", align(rows, [False, True, True, True, True, False])[:-1]]
    number = number_of_pieces(puzzle)
    lines.append(
        f"{len(puzzle.cells)} cells, {puzzle.area} of them covered by {number} "
        f"{'piece' if number == 1 else 'pieces'}; {sum(placed.values()):,} placements"
    )
    for category, labels in puzzle.categories.items():
        lines.append(f"{category}: {labels[0]} to {labels[-1]} ({len(labels)} labels)")
    known = facts(puzzle)
    lines.append(f"reveals: {known['reveals']:,}, of which {known['dates']:,} are dates")
    lines.append(f"digest: {puzzle.digest[:16]}")
    lines += [f"odd, but legal: {oddity}" for oddity in oddities(puzzle)]
    return "\n".join(lines) + "\n"
