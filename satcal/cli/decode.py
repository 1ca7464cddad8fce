"""``satcal decode``: a solver's answer becomes verified tilings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.words import board_name
from satcal.encoding.answer import MAX_ANSWER
from satcal.encoding.decode import Decoded, ExportedFormula, read_formula
from satcal.encoding.export import FORMATS
from satcal.errors import OptionError, TooLarge, UnknownName, Unsatisfiable
from satcal.external.answers import decode_answer
from satcal.files import read_text
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

READ = {FORMATS[style].suffix: style for style in ("dimacs", "opb", "asp")}
MAX_FORMULA = 256 * 1024 * 1024


@cloup.command()
@click.argument("formula", metavar="FORMULA")
@click.argument("answer", metavar="ANSWER")
@cloup.option("-b", "--board", metavar="FILE", help="If the board is not in the library.")
@writing("text", "lines", "csv", "json", "ndjson")
def decode(formula: str, answer: str, board: str | None, writer: Writer) -> int:
    """Turn a solver's answer into verified tilings.

    FORMULA is a file that satcal export wrote; it says its board and date. ANSWER is a file with
    what the solver printed, or - for standard input.
    """
    exported = read_exported(Path(formula))
    name = exported.head.puzzle
    if board is None and name not in library():
        raise UnknownName(f"{formula}: its board '{name}' is not in the library; add --board FILE")
    puzzle = load(board_name([], board or name))
    where = "stdin" if answer == "-" else answer
    text = standard_input() if answer == "-" else read_text(Path(answer), "answer", MAX_ANSWER)
    with writer:
        try:
            found = decode_answer(puzzle, text, exported, where)
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


def read_exported(path: Path) -> ExportedFormula:
    """Return the formula of a file, whose suffix is its format.

    Raises:
        OptionError: it has another suffix.
    """
    suffix = Path(path.name.removesuffix(".gz").removesuffix(".xz")).suffix
    if suffix not in READ:
        raise OptionError(
            f"{path} is not a formula ({', '.join(READ)}), which comes first: satcal decode "
            "oct-6.cnf answer.txt"
        )
    return read_formula(read_text(path, "formula", MAX_FORMULA), str(path), READ[suffix])


def write(found: Sequence[Decoded], puzzle: Puzzle, writer: Writer) -> None:
    """Write tilings in the writer's format."""
    if writer.style == "lines":
        writer.write("".join(" ".join(map(str, one.tiling)) + "\n" for one in found))
    elif writer.style == "text":
        for one in found:
            writer.write(f"{' '.join(one.reveal) or puzzle.name}, verified\n")
            writer.draw(puzzle, one.reveal, one.tiling)
    else:
        records = [{"reveal": one.reveal, "tiling": list(map(str, one.tiling))} for one in found]
        writer.records(records, ("reveal", "tiling"))
