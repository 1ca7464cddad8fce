"""``satcal export`` and ``decode``: formulas out, a solver's answer in."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import satcal.api as api
from satcal.cli import options
from satcal.cli.progress import note
from satcal.draw.board import draw_tiling
from satcal.encoding import decode as decoding
from satcal.encoding import encoding as encoding_named
from satcal.encoding import export as exporting
from satcal.errors import OptionError, Unsatisfiable
from satcal.external import family
from satcal.external.answers import ExportedFormula, answered, read_formula
from satcal.files import (
    check_output,
    compress,
    make_folder,
    name_of_file,
    read_text,
    write_bytes,
)
from satcal.puzzle.loading import load
from satcal.puzzle.model import Reveal


@options.command()
@options.selecting
@click.option("--open", "is_open", is_flag=True, help="Write one formula for all reveals at once.")
@options.encoding_option
@click.option(
    "--format",
    "style",
    default="dimacs",
    type=click.Choice(exporting.FORMATS),
    help="Clauses, equations, Knuth's exact-cover text, or an answer-set program.",
)
@click.option(
    "--output",
    "-o",
    metavar="FILE|DIR",
    help="Where to write: a file (end its name in .gz or .xz to compress it) or, for several "
    "dates, a folder with one file per date.",
)
@click.option(
    "--compress",
    "packing",
    type=click.Choice(["gz", "xz"]),
    help="Compress each file in the folder.",
)
@click.option(
    "--family",
    "family_folder",
    metavar="DIR",
    help="Write the benchmark family into a folder: some thirty graded instances, their answers "
    "and times.",
)
@options.force_option
@options.quiet_option
def export(
    selection: options.Selection,
    is_open: bool,
    encoding: str | None,
    style: str,
    output: str | None,
    packing: str | None,
    family_folder: str | None,
    force: bool,
) -> None:
    """Write formulas for external solvers.

    Comments in the formula name every variable. Variables 1 to n are the placements; `satcal
    decode` reads them back from a solver's answer.
    """
    if family_folder is not None:
        options.refuse("does not apply to the benchmark family, which is fixed", *_OF_A_FORMULA)
        _write_family(Path(family_folder), packing, force)
        return
    puzzle, reveals = selection.puzzle, _reveals(selection, is_open)
    folder = output is not None and (output.endswith("/") or Path(output).is_dir())
    if len(reveals) > 1 and not folder:
        raise OptionError(
            f"{len(reveals):,} reveals need one file each; name a folder with -o DIR/, or choose "
            "one date"
        )
    if packing and not folder:
        raise OptionError(
            "--compress only applies to -o DIR/; end a single file's name in .gz or .xz"
        )
    if not folder:
        style = _style_of(output or "", style)
    suffix = exporting.format_named(style).suffix + (f".{packing}" if packing else "")

    def text(reveal: Reveal | None) -> str:
        place = selection.demands
        return api.export(
            puzzle, reveal, format=style, encoding=encoding, place=place, open=is_open
        )

    if output is None or output == "-":
        options.refuse("needs --output", "force")
        sys.stdout.write(text(reveals[0]))
        return
    paths = {}
    for reveal in reveals:
        name = name_of_file(puzzle.name, ("open",) if reveal is None else reveal) + suffix
        paths[reveal] = Path(output) / name if folder else Path(output)
        check_output(paths[reveal], force)
    for reveal, path in paths.items():
        write_bytes(path, compress(path, text(reveal).encode()), force)
        note(str(path))
    if style == "dimacs" and encoding and not encoding_named(encoding).determined:
        note(f"count its models with projection: {encoding} leaves auxiliaries undetermined")


def _style_of(path: str, style: str) -> str:
    """The format that a file's suffix says, or ``style`` if it says none of them.

    Raises OptionError if --format was given, too, and says another.
    """
    suffix = _suffix(path)
    formats = {form.suffix: name for name, form in exporting.FORMATS.items()}
    if suffix and suffix not in formats and not options.given("style"):
        raise OptionError(f"{path}: end the name in {', '.join(formats)}, or give --format")
    said = formats.get(suffix, style)
    if said != style and options.given("style"):
        raise OptionError(f"--format {style} contradicts the name {path}; change one of them")
    return said


_OF_A_FORMULA = (
    *("words", "board", "pieces", "flip", "place", "is_open", "encoding", "style", "output"),
    *options.DATES,
)


def _write_family(folder: Path, packing: str | None, force: bool) -> None:
    """Write the instances, each compared with its kept checksum, and what is kept about them."""
    make_folder(folder)
    for name, text in family.texts():
        path = folder / (f"{name}.{packing}" if packing else name)
        write_bytes(path, compress(path, text.encode()), force)
        note(str(path))
    for name, data in family.kept():
        make_folder((folder / name).parent)
        write_bytes(folder / name, data, force)
    note(f"{folder / family.README} says what they are")


def _reveals(selection: options.Selection, is_open: bool) -> list[Reveal | None]:
    """The reveals of the range, or None for the open formula alone."""
    if not is_open:
        return [*selection.reveals]
    options.refuse("cannot be combined with --open; drop one", *options.DATES)
    if said := selection.wanted.date:
        raise OptionError(f"{said[0]} cannot be combined with --open; drop one")
    return [None]


READ = tuple(exporting.FORMATS[style].suffix for style in ("dimacs", "opb"))
EXPORTED = tuple(form.suffix for form in exporting.FORMATS.values())


def _suffix(path: str) -> str:
    """The suffix of a file's name, or of what it holds if it is compressed."""
    return Path(path.removesuffix(".gz").removesuffix(".xz")).suffix


def _board_of(formula: ExportedFormula) -> str:
    """The board that a formula names: of the library, or as in the benchmark family's folder."""
    beside = Path(formula.where).parent / family.BOARDS / f"{Path(formula.head.puzzle).name}.toml"
    return str(beside) if beside.is_file() else formula.board


def _with_formula(command: Callable[..., Any]) -> Callable[..., Any]:
    """Take a formula from the words; its head says what the options would have to say."""

    @functools.wraps(command)
    def wrapped(words: tuple[str, ...], **rest: Any) -> Any:
        named = [word for word in words if _suffix(word) in EXPORTED]
        left = tuple(word for word in words if word not in named)
        if not named:
            if _suffix(rest["file"]) in READ and words:
                raise OptionError(
                    f"the formula comes first: satcal decode {rest['file']} {words[-1]}"
                )
            return command(words=words, formula=None, **rest)
        if len(named) > 1:
            raise OptionError(f"two formulas, {named[0]} and {named[1]}; give one of them")
        if _suffix(named[0]) not in READ:
            raise OptionError(
                f"{named[0]}: decode reads formulas that end in {' or '.join(READ)}; give the "
                "board and the date of this one instead"
            )
        said = "cannot be combined with a formula file, which already says it; leave it out"
        options.refuse(said, *options.DATES, "place", "is_open")
        if dates := [word for word in left if not options.is_board(word)]:
            raise OptionError(f"{dates[0]} {said}")
        formula = read_formula(Path(named[0]))
        if not left and not options.given("board"):
            left = (_board_of(formula),)
        formula.check_board(load((*left, rest["board"])[0], rest["pieces"], rest["flip"]))
        rest |= {
            "reveal": formula.head.labels,
            "place": formula.head.places,
            "is_open": formula.head.is_open,
        }
        return command(words=left, formula=formula, **rest)

    return wrapped


@options.command()
@_with_formula
@options.selecting
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="The answer is for the formula that `satcal export --open` wrote.",
)
@options.tabular("text", "lines")
@click.argument("file", metavar="MODEL")
def decode(
    selection: options.Selection,
    is_open: bool,
    style: str,
    file: str,
    formula: ExportedFormula | None,
) -> int:
    """Turn an external solver's answer into verified tilings.

    MODEL is a file with the solver's output (`s` and `v` lines) or minisat's result file; - is
    stdin. With the formula, as in `satcal decode F.cnf MODEL`, the board and the date are read
    from it, and UNSATISFIABLE is compared with satcal's count. Without it, give the same board,
    date and --place as in the export.
    """
    puzzle, reveals = selection.puzzle, _reveals(selection, is_open)
    if len(reveals) > 1:
        raise OptionError(f"an answer belongs to one date, not to {len(reveals)}; use --date")
    where, path = ("stdin", "/dev/stdin") if file == "-" else (file, file)
    text = read_text(Path(path), "answer", limit=decoding.MAX_ANSWER)
    if formula is None and not is_open and puzzle.categories:
        note(f"{where}: read as the answer for {selection.rows[0]} on {puzzle.name}")
    try:
        found = answered(puzzle, reveals[0], text, formula, demands=selection.demands, where=where)
    except Unsatisfiable as none:
        if style in ("text", "lines"):
            click.echo(none)
        else:
            options.echo([], ("reveal", "tiling"), style)
            note(str(none))
        return none.exit_code
    records = []
    for answer in found:
        if style == "lines":
            click.echo(" ".join(map(str, answer.tiling)))
        elif style == "text":
            click.echo(f"{' '.join(answer.reveal) or puzzle.name}, verified")
            click.echo(draw_tiling(puzzle, answer.reveal, answer.tiling))
        records.append({"reveal": answer.reveal, "tiling": list(map(str, answer.tiling))})
    if style not in ("text", "lines"):
        options.echo(records, ("reveal", "tiling"), style)
    return 0
