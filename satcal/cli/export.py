"""``satcal export`` and ``decode``: formulas out, a solver's answer in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import satcal.api as api
from satcal.cli import options
from satcal.cli.progress import note
from satcal.draw.board import draw_tiling
from satcal.encoding import decode as decoding
from satcal.encoding import export as exporting
from satcal.errors import OptionError
from satcal.files import check_output, compress, name_of_file, read_text, write_bytes
from satcal.puzzle.model import Reveal


@click.command()
@options.selecting
@click.option("--open", "is_open", is_flag=True, help="The formula of all reveals at once.")
@options.encoding_option
@click.option(
    "--format", "style", default="dimacs", type=click.Choice(exporting.FORMATS),
    help="Clauses, equations, Knuth's exact-cover text, or an answer-set program.",
)  # fmt: skip
@click.option(
    "--output", "-o", metavar="FILE|DIR",
    help="A file (.gz and .xz compress), or for several dates a folder with a file each.",
)  # fmt: skip
@click.option(
    "--compress", "packing", type=click.Choice(["gz", "xz"]), help="The files of a folder."
)
@options.force_option
@options.quiet_option
def export(
    selection: options.Selection, is_open: bool, encoding: str | None, style: str,
    output: str | None, packing: str | None, force: bool,
) -> None:  # fmt: skip
    """Write formulas for external solvers.

    Comments name every variable; variables 1 to n are the placements, which `satcal decode`
    reads back.
    """
    puzzle, reveals = selection.puzzle, _reveals(selection, is_open)
    folder = output is not None and (output.endswith("/") or Path(output).is_dir())
    if len(reveals) > 1 and not folder:
        raise OptionError(
            f"{len(reveals)} reveals make as many files; name a folder with -o DIR/, or choose "
            "one date"
        )
    if packing and not folder:
        raise OptionError("--compress is for -o DIR/; a single file's name ends in .gz or .xz")
    suffix = exporting.format_named(style).suffix + (f".{packing}" if packing else "")

    def text(reveal: Reveal | None) -> str:
        place = selection.demands
        return api.export(
            puzzle, reveal, format=style, encoding=encoding, place=place, open=is_open
        )

    if output is None or output == "-":
        options.refuse("is about the file that --output names", "force")
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


def _reveals(selection: options.Selection, is_open: bool) -> list[Reveal | None]:
    """Return the reveals of the range, or None for the open formula alone."""
    if not is_open:
        return [*selection.reveals]
    options.refuse("means nothing with --open, which holds all reveals", *options.DATES)
    return [None]


@click.command()
@options.selecting
@click.option("--open", "is_open", is_flag=True, help="The formula of all reveals at once.")
@options.tabular("text", "lines")
@click.argument("file")
def decode(selection: options.Selection, is_open: bool, style: str, file: str) -> None:
    """Turn an external solver's answer into verified tilings.

    FILE holds what the solver printed (`s` and `v` lines), or minisat's result file; - is
    stdin. Board, date and --place are those of the export.
    """
    puzzle, reveals = selection.puzzle, _reveals(selection, is_open)
    if len(reveals) > 1:
        raise OptionError(f"an answer belongs to one date, not to {len(reveals)}; use --date")
    where, path = ("stdin", "/dev/stdin") if file == "-" else (file, file)
    text = read_text(Path(path), "answer", limit=decoding.MAX_ANSWER)
    records = []
    for answer in decoding.decode(puzzle, reveals[0], text, demands=selection.demands, where=where):
        if style == "lines":
            click.echo(" ".join(map(str, answer.tiling)))
        elif style == "text":
            click.echo(f"{' '.join(answer.reveal) or puzzle.name}, verified")
            click.echo(draw_tiling(puzzle, answer.reveal, answer.tiling))
        records.append({"reveal": answer.reveal, "tiling": list(map(str, answer.tiling))})
    if style not in ("text", "lines"):
        options.echo(records, ("reveal", "tiling"), style)
