"""``satcal export`` and ``satcal decode``: formulas out, an external solver's answer in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from satcal.cli.options import Selection, force_option, format_option, selecting
from satcal.errors import OptionError
from satcal.puzzle.model import Reveal


@click.command()
@selecting
@click.option("--open", "is_open", is_flag=True, help="One formula for all reveals at once.")
@click.option("--encoding", help="Of the clauses.  [default: ladder]")
@click.option(
    "--format", "style", default="dimacs", show_default=True, metavar="dimacs|opb|dlx|asp",
    help="Clauses, equations, Knuth's exact-cover text, or an answer-set program.",
)  # fmt: skip
@click.option(
    "--output", "-o", metavar="FILE|DIR",
    help="A file (.gz and .xz compress), or for several dates a folder with a file each.",
)  # fmt: skip
@click.option("--compress", type=click.Choice(["gz", "xz"]), help="The files of a folder.")
@force_option
def export(
    selection: Selection, is_open: bool, encoding: str | None, style: str, output: str | None,
    compress: str | None, force: bool,
) -> None:  # fmt: skip
    """Write formulas for external solvers.

    Comments name every variable; variables 1 to n are the placements, which `satcal decode`
    reads back.
    """
    from satcal.encoding.export import export as chunks
    from satcal.encoding.export import format_named
    from satcal.files import check_output, write_bytes
    from satcal.files import compress as compressed

    puzzle, reveals = selection.puzzle, _reveals(selection, is_open)
    folder = output is not None and (output.endswith("/") or Path(output).is_dir())
    if len(reveals) > 1 and not folder:
        raise OptionError(
            f"{len(reveals)} reveals make as many files; name a folder with -o DIR/, or choose "
            "one date"
        )
    if compress and not folder:
        raise OptionError("--compress is for -o DIR/; a single file's name ends in .gz or .xz")
    suffix = format_named(style).suffix + (f".{compress}" if compress else "")

    def text(reveal: Reveal | None) -> str:
        demands = selection.demands
        return "".join(chunks(puzzle, reveal, format=style, encoding=encoding, demands=demands))

    if output is None or output == "-":
        sys.stdout.write(text(reveals[0]))
        return
    place, stem = Path(output), Path(puzzle.name).name
    paths = {r: place / _name(stem, r, suffix) if folder else place for r in reveals}
    for path in paths.values():
        check_output(path, force)
    for reveal, path in paths.items():
        write_bytes(path, compressed(path, text(reveal).encode()), force)
        click.echo(str(path), err=True)


def _name(stem: str, reveal: Reveal | None, suffix: str) -> str:
    parts = ("open",) if reveal is None else reveal
    return "-".join([stem, *parts]).replace("/", "_") + suffix


def _reveals(selection: Selection, is_open: bool) -> list[Reveal | None]:
    """Return the distinct reveals of the range, or None for the open formula alone."""
    given = selection.wanted.given()
    if is_open and given:
        raise OptionError(
            f"--open holds all reveals, so {given[0]} means nothing; drop one of them"
        )
    return [None] if is_open else list(dict.fromkeys(row.reveal for row in selection.rows))


@click.command()
@selecting
@click.option("--open", "is_open", is_flag=True, help="The open formula was exported.")
@format_option(["board", "lines"], "board", "Drawn, or one line of placements a tiling.")
@click.argument("file")
def decode(selection: Selection, is_open: bool, style: str, file: str) -> None:
    """Turn an external solver's answer into verified tilings.

    FILE holds what the solver printed (`s` and `v` lines), or minisat's result file; - is
    stdin. Board, date and --place are those of the export.
    """
    from satcal.draw.board import draw_tiling
    from satcal.encoding.decode import MAX_ANSWER
    from satcal.encoding.decode import decode as decoded
    from satcal.files import read_text

    puzzle, reveals = selection.puzzle, _reveals(selection, is_open)
    if len(reveals) > 1:
        raise OptionError(f"an answer belongs to one date, not to {len(reveals)}; use --date")
    where, path = ("stdin", "/dev/stdin") if file == "-" else (file, file)
    text = read_text(Path(path), "answer", limit=MAX_ANSWER)
    for answer in decoded(puzzle, reveals[0], text, demands=selection.demands, where=where):
        if style == "lines":
            click.echo(" ".join(map(str, answer.tiling)))
        else:
            click.echo(f"{' '.join(answer.reveal) or puzzle.name}, verified")
            click.echo(draw_tiling(puzzle, answer.reveal, answer.tiling))
