"""``satcal decode``: turn a solver's answer into verified tilings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from satcal.cli.options import Command
from satcal.cli.output import Writer, add_output
from satcal.cli.words import STDIN, load_board, read_stdin
from satcal.encoding.answer import MAX_ANSWER
from satcal.encoding.decode import Decoded, ExportedFormula, read_formula
from satcal.encoding.export import FORMATS
from satcal.errors import OptionError, UnknownName, Unsatisfiable
from satcal.external.answers import decode_answer
from satcal.files import read_text
from satcal.puzzle.loading import library
from satcal.puzzle.model import Puzzle

FORMAT_OF = {FORMATS[style].suffix: style for style in ("dimacs", "opb", "asp")}
MAX_FORMULA = 256 * 1024 * 1024


@click.command(cls=Command)
@click.argument("formula", metavar="FORMULA")
@click.argument("answer", metavar="ANSWER")
@click.option("-b", "--board", metavar="FILE", help="If the board is not in the library.")
@add_output("text", "lines")
def decode(formula: str, answer: str, board: str | None, writer: Writer) -> int:
    """Turn a solver's answer into verified tilings.

    FORMULA is a file that satcal export wrote; it says its board and date. ANSWER is a file with
    what the solver printed, or - for standard input.
    """
    exported = read_exported_formula(Path(formula))
    name = exported.head.puzzle
    if board is None and name not in library():
        raise UnknownName(f"{formula}: its board '{name}' is not in the library; add --board FILE")
    puzzle = load_board(board=board or name)
    source = "stdin" if answer == STDIN else answer
    text = (
        read_stdin(MAX_ANSWER) if answer == STDIN else read_text(Path(answer), "answer", MAX_ANSWER)
    )
    with writer:
        try:
            solutions = decode_answer(puzzle, text, exported, source)
        except Unsatisfiable as error:
            click.echo(error)
            return error.exit_code
        write_solutions(solutions, puzzle, writer)
    return 0


def read_exported_formula(path: Path) -> ExportedFormula:
    """Return the formula in a file, whose suffix is its format.

    Raises:
        OptionError: the suffix names no format.
    """
    suffix = Path(path.name.removesuffix(".gz").removesuffix(".xz")).suffix
    if suffix not in FORMAT_OF:
        raise OptionError(
            f"{path} is not a formula ({', '.join(FORMAT_OF)}), which comes first, as in "
            "satcal decode oct-6.cnf answer.txt"
        )
    return read_formula(read_text(path, "formula", MAX_FORMULA), str(path), FORMAT_OF[suffix])


def write_solutions(solutions: Sequence[Decoded], puzzle: Puzzle, writer: Writer) -> None:
    """Write tilings in the writer's format."""
    if writer.style == "lines":
        writer.write("".join(" ".join(map(str, solution.tiling)) + "\n" for solution in solutions))
    else:
        for solution in solutions:
            writer.write(f"{' '.join(solution.reveal) or puzzle.name}, verified\n")
            writer.write_drawing(puzzle, solution.reveal, solution.tiling)
