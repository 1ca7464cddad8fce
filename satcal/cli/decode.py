"""``satcal decode``: a solver's answer becomes verified tilings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import cloup

from satcal.cli.export import select_open
from satcal.cli.output import Writer, writing
from satcal.cli.progress import info
from satcal.cli.words import board_of, placing, select, selecting_one
from satcal.draw.board import draw_tiling
from satcal.encoding.answer import MAX_ANSWER
from satcal.encoding.decode import Decoded, ExportedFormula, read_formula
from satcal.encoding.export import FORMATS
from satcal.errors import OptionError, TooLarge, UnknownName, Unsatisfiable
from satcal.external.answers import decode_answer
from satcal.files import read_text
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Placement, Puzzle, Reveal

READ = {FORMATS[style].suffix: style for style in ("dimacs", "opb", "asp")}
MAX_FORMULA = 256 * 1024 * 1024


@cloup.command()
@selecting_one
@click.argument("file", metavar="MODEL")
@cloup.option_group(
    "Formula",
    cloup.option("--open", "is_open", is_flag=True, help="It was exported with --open."),
    placing,
)
@writing("text", "lines", "csv", "json", "ndjson")
def decode(words: Sequence[str], file: str, is_open: bool, writer: Writer, **options: Any) -> int:
    """Turn a solver's answer into verified tilings.

    MODEL is a file with what the solver printed, or - for standard input. Name the formula first,
    as in satcal decode F.cnf MODEL: it says board and date. Without it, give the board, date and
    --place of the export.
    """
    if suffix_of(file) in READ and words:
        raise OptionError(f"the formula comes first: satcal decode {file} {words[-1]}")
    named = [word for word in words if suffix_of(word) in READ]
    if len(named) > 1:
        raise OptionError(f"two formulas, {named[0]} and {named[1]}; give one of them")
    formula: ExportedFormula | None = None
    place: Sequence[Placement] = ()
    reveal: Reveal | None = None
    if named:
        formula = formula_in(Path(named[0]))
        puzzle = board_of_formula(formula, [w for w in words if w not in named], is_open, **options)
    elif is_open:
        selection = select_open(words, **options)
        puzzle, place = selection.puzzle, selection.place
    else:
        selection = select(words, **options)
        puzzle, place, reveal = selection.puzzle, selection.place, selection.row.reveal
        if puzzle.categories:
            info(f"{file}: read as the answer for {selection.row} on {puzzle.name}")
    where = "stdin" if file == "-" else file
    text = standard_input() if file == "-" else read_text(Path(file), "answer", MAX_ANSWER)
    with writer:
        try:
            found = decode_answer(puzzle, reveal, text, formula, place=place, where=where)
        except Unsatisfiable as none:
            write([], puzzle, writer)
            click.echo(none, err=writer.style not in ("text", "lines"))
            return none.exit_code
        write(found, puzzle, writer)
    return 0


def standard_input() -> str:
    """Return the answer that comes through a pipe.

    Raises:
        TooLarge: it has too many bytes.
    """
    data = sys.stdin.buffer.read(MAX_ANSWER + 1)
    if len(data) > MAX_ANSWER:
        raise TooLarge(f"stdin: larger than {MAX_ANSWER} bytes; is it a solver's answer?")
    return data.decode("utf-8", "replace")  # what is not a line of an answer is passed over


def suffix_of(name: str) -> str:
    """Return the suffix of a file's name, or of what it holds if it is compressed."""
    return Path(name.removesuffix(".gz").removesuffix(".xz")).suffix


def formula_in(path: Path) -> ExportedFormula:
    """Return the formula of a file, whose suffix is its format."""
    text = read_text(path, "formula", MAX_FORMULA)
    return read_formula(text, str(path), READ[suffix_of(path.name)])


def board_of_formula(
    formula: ExportedFormula,
    words: Sequence[str],
    is_open: bool,
    board: str | None,
    place: Sequence[str],
    **dates: Any,
) -> Puzzle:
    """Return the board that a formula was exported from.

    Raises:
        OptionError: something that the formula says is said again.
        UnknownName: it is not in the library.
    """
    puzzle, rest = board_of(words, board)
    if rest or is_open or place or any(dates.values()):
        raise OptionError("the formula says its date and --place already; leave them out")
    if not words and not board:
        if formula.head.puzzle not in library():
            raise UnknownName(
                f"{formula.where}: its board '{formula.head.puzzle}' is not in the library; name "
                "the board's file with --board"
            )
        puzzle = load(formula.head.puzzle)
    formula.check_board(puzzle)
    return puzzle


def write(found: Sequence[Decoded], puzzle: Puzzle, writer: Writer) -> None:
    """Write tilings in the writer's format."""
    if writer.style == "lines":
        writer.write("".join(" ".join(map(str, one.tiling)) + "\n" for one in found))
    elif writer.style == "text":
        for one in found:
            drawing = draw_tiling(puzzle, one.reveal, one.tiling)
            writer.write(f"{' '.join(one.reveal) or puzzle.name}, verified\n{drawing}\n")
    else:
        records = [{"reveal": one.reveal, "tiling": list(map(str, one.tiling))} for one in found]
        writer.records(records, ("reveal", "tiling"))
