"""``satcal site``: the page as plain files."""

from __future__ import annotations

import re
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note
from satcal.errors import PuzzleError
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

OWN = re.compile("more|puzzles|posted-.*")  # names of a view, a file, and boards on a server


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--board", "-b", "boards", multiple=True, cls=options.Listed, values=options.boards, files=True,
    help="Library name or path of a puzzle file; the first is shown first.  [default: the library]",
)  # fmt: skip
@options.force_option
@options.quiet_option
def site(folder: Path, boards: tuple[str, ...], force: bool) -> None:
    """Write the page as plain files into FOLDER, for any web server; it works offline."""
    from satcal.site.edition import write

    puzzles = [load(board) for board in boards or (options.DEFAULT_BOARD, *library())]
    named: dict[str, Puzzle] = {}
    for puzzle in puzzles:
        name = re.sub(r"[^A-Za-z0-9]+", "-", puzzle.name)  # of files, and in addresses
        if OWN.fullmatch(name):
            raise PuzzleError(f"a puzzle cannot be called '{puzzle.name}' on the page; rename it")
        if (other := named.setdefault(name, puzzle)) != puzzle:
            both = f"'{other.name}' and '{puzzle.name}'"
            raise PuzzleError(f"puzzles {both} would both be {name} on the page; rename one")
    size = write(folder, named, next(iter(named)), force)
    note(f"{folder}: {size / 1e6:.1f} MB; python -m http.server -d {folder} shows it")
