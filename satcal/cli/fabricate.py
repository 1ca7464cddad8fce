"""``satcal fabricate``: files for laser cutters and 3D printers."""

from __future__ import annotations

from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note
from satcal.draw import solid
from satcal.draw.laser import CutSettings, laser_dxf, laser_picture
from satcal.draw.pictures import title_of
from satcal.errors import FormatError
from satcal.files import check_output, write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle

SUFFIXES = (".svg", ".pdf", ".dxf", ".stl")


@options.command()
@options.only_board_argument
@options.board_options
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    help="Ends in .svg, .pdf or .dxf for a laser cutter, in .stl for a 3D printer.",
)
@click.option(
    "--part",
    type=click.Choice(solid.PARTS),
    default="all",
    help="Which parts the .stl file holds; labels are the letters that fill the board's engraving, "
    "for printing in a second colour.",
)
@click.option("--cell", default=20.0, metavar="MM", help="Side length of a square cell.")
@click.option("--kerf", default=0.15, metavar="MM", help="Width of the laser's cut.")
@click.option(
    "--play",
    type=float,
    metavar="MM",
    help="Gap between two pieces; the gap to the wall is half of this.  [default: 0.2 for a laser "
    "cutter, 0.4 for a 3D printer]",
)
@options.force_option
@options.quiet_option
def fabricate(
    words: tuple[str, ...],
    board: str,
    pieces: str | None,
    flip: str | None,
    output: str,
    part: str,
    cell: float,
    kerf: float,
    play: float | None,
    force: bool,
) -> None:
    """Write files for laser cutters and 3D printers: board, tray and pieces, in millimetres.

    DXF, STL and PDF need extra packages; if one is missing, the error says how to install it.
    """
    path = Path(output)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FormatError(f"{output}: end the file's name with {', '.join(SUFFIXES)}")
    if suffix == ".stl":
        options.refuse("only applies to laser cutting, not to .stl files", "kerf")
    else:
        options.refuse("only applies to .stl files", "part")
    check_output(path, force)
    puzzle = load(options.only_board(words, board), pieces, flip)
    if suffix == ".stl":
        settings = CutSettings(cell, 0, solid.PLAY if play is None else play)
        shown, data = ("all parts" if part == "all" else part), solid.stl(puzzle, settings, part)
    else:
        settings = CutSettings(cell, kerf, CutSettings.play if play is None else play)
        shown, data = "cut lines", _cut(puzzle, settings, suffix)
    write_bytes(path, data, force)
    note(f"{output}: {title_of(puzzle)}: {shown}, {len(data):,} bytes")


def _cut(puzzle: Puzzle, settings: CutSettings, suffix: str) -> bytes:
    if suffix == ".dxf":
        return laser_dxf(puzzle, settings)
    return laser_picture(puzzle, settings).encode(suffix)
