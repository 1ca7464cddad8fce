"""``satcal site``: the page as plain files."""

from __future__ import annotations

import re
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import say
from satcal.puzzle.loading import library, load


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--board", "-b", "boards", multiple=True, cls=options.Listed, values=options.boards, files=True,
    help="Library name or path of a puzzle file; the first is shown first.  [default: the library]",
)  # fmt: skip
@options.force_option
@options.quiet_option
def site(folder: Path, boards: tuple[str, ...], force: bool, quiet: bool) -> None:
    """Write the page as plain files into FOLDER, for any web server; it works offline."""
    from satcal.site.edition import write

    puzzles = [load(board) for board in boards or (options.DEFAULT_BOARD, *library())]
    # a name becomes that of a file, and a part of addresses
    named = {re.sub(r"[^A-Za-z0-9]+", "-", puzzle.name): puzzle for puzzle in puzzles}
    size = write(folder, named, next(iter(named)), force)
    if not quiet:
        say(f"{folder}: {size / 1e6:.1f} MB; python -m http.server -d {folder} shows it")
