"""``satcal site``: the web page as plain files."""

from __future__ import annotations

import re
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note, progress
from satcal.errors import OptionError, PuzzleError
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

SMALL = 43  # cells of boards all of whose certificates are made in half a minute
# names of views, of a file, and of boards on a server
OWN = re.compile("more|year|solutions|share|believe|puzzles|posted-.*")


@options.command()
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The folder; or one file, such as today.html, that opens with a double click.",
)
@click.option(
    "--board",
    "-b",
    "boards",
    multiple=True,
    cls=options.Listed,
    values=options.boards,
    files=True,
    help="Library name or path of a puzzle file. May be repeated; the first one is shown first.  "
    "[default: the whole library; for a single file, a-puzzle-a-day]",
)
@click.option(
    "--address",
    metavar="URL",
    help="URL where the folder will be served. With it, links to the page get a preview on other "
    "sites.",
)
@click.option(
    "--proofs",
    is_flag=True,
    help="Write certificates for every board with labels; by default only boards of 43 cells get "
    "them (half a minute each).",
)
@options.force_option
@options.quiet_option
def site(
    folder: Path | None,
    output: Path | None,
    boards: tuple[str, ...],
    address: str | None,
    proofs: bool,
    force: bool,
) -> None:
    """Write the web page for today's puzzle into FOLDER, as plain files for any web server.

    It also works offline.
    """
    from satcal.site.edition import write
    from satcal.site.single import write_one

    if folder and output:
        hint = "; a board goes with --board" if str(folder) in options.boards() else ""
        raise OptionError(f"two folders, {folder} and {output}; give one of them{hint}")
    folder = folder or output
    if folder is None:
        raise OptionError("no folder given; write satcal site FOLDER")
    if address is not None and not re.match("https?://[^/]", address):
        raise OptionError(f"--address {address}: give a URL, such as https://example.org/puzzle/")
    one = folder.suffix.lower() in (".html", ".htm")
    everything = (options.DEFAULT_BOARD,) if one else (options.DEFAULT_BOARD, *library())
    puzzles = [load(board) for board in boards or everything]
    named: dict[str, Puzzle] = {}
    for puzzle in puzzles:
        name = re.sub(r"[^A-Za-z0-9]+", "-", puzzle.name)  # of files, and in addresses
        if OWN.fullmatch(name):
            raise PuzzleError(f"a puzzle cannot be called '{puzzle.name}' on the page; rename it")
        if (other := named.setdefault(name, puzzle)) != puzzle:
            both = f"'{other.name}' and '{puzzle.name}'"
            raise PuzzleError(f"puzzles {both} would both be {name} on the page; rename one")
    first = next(iter(named))
    if one:
        size = write_one(folder, named, first, force)
        note(f"{folder}: {size / 1e6:.1f} MB; a browser opens it")
        return
    proved = [
        name
        for name, puzzle in named.items()
        if puzzle.categories and (proofs or len(puzzle.cells) == SMALL)
    ]
    with progress("writing puzzles", len(named)) as advance:
        size = write(
            folder, named, first, force, address, proved, lambda done, total, name: advance(name)
        )
    note(
        f"{folder}: {size / 1e6:.1f} MB; python -m http.server -d {folder} shows it at "
        "http://localhost:8000"
    )
