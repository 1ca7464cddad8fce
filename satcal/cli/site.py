"""``satcal site``: the web page as plain files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import cloup

from satcal.cli.output import Writer, quiet_option
from satcal.cli.progress import info, progress
from satcal.cli.words import DEFAULT_BOARD, board_name, complete_board
from satcal.errors import OptionError, PuzzleError
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

SMALL = 43  # boards of this many cells are certified in half a minute
# names of views, of a file, and of boards on a server
RESERVED = re.compile("more|year|solutions|share|evidence|puzzles|posted-.*")


@cloup.command()
@click.argument("words", nargs=-1, metavar="[BOARD]...", shell_complete=complete_board)
@cloup.option_group(
    "Page",
    cloup.option("--address", metavar="URL", help="Where the folder will be; for previews."),
    cloup.option("--proofs", is_flag=True, help="Certificates of every board: some minutes."),
)
@cloup.option_group(
    "Output",
    cloup.option("-o", "--output", required=True, metavar="PATH", help="Folder, .html or -."),
    cloup.option("--force", is_flag=True, help="Replace what is there."),
    quiet_option,
)
def site(
    words: Sequence[str],
    address: str | None,
    proofs: bool,
    output: str,
    force: bool,
) -> None:
    """Write the web page as plain files for any web server, or as one file for a double click.

    The first BOARD is shown first. The default is the library, which takes a few minutes, or for
    one file a-puzzle-a-day. Without --proofs, only boards of 43 cells have certificates.
    """
    from satcal.site.edition import build_site
    from satcal.site.single import one_file

    if address is not None and not re.match("https?://[^/]", address):
        raise OptionError(f"--address {address}: give a URL, such as https://example.org/puzzle/")
    one = output == "-" or Path(output).suffix.lower() in (".html", ".htm")
    everything = [DEFAULT_BOARD] if one else [DEFAULT_BOARD, *library()]
    asked = [board_name([word]) for word in words]
    puzzles = puzzles_by_name(map(load, asked or everything))
    first = next(iter(puzzles))
    if one:
        with Writer(output, "html", force, suffixes={}) as writer:
            writer.write(one_file(puzzles, first))
        return
    proved = [
        name
        for name, puzzle in puzzles.items()
        if puzzle.categories and (proofs or len(puzzle.cells) == SMALL)
    ]
    with progress("writing puzzles") as step:
        size = build_site(Path(output), puzzles, first, force, address, proved, step)
    info(
        f"{output}: {size / 1e6:.1f} MB; python -m http.server -d {output} shows it at "
        "http://localhost:8000"
    )


def puzzles_by_name(puzzles: Iterable[Puzzle]) -> dict[str, Puzzle]:
    """Return puzzles by the names that they have in files and addresses of the page.

    Raises:
        PuzzleError: two have the same name, or one the name of a view.
    """
    named: dict[str, Puzzle] = {}
    for puzzle in puzzles:
        name = re.sub(r"[^A-Za-z0-9]+", "-", puzzle.name)
        if RESERVED.fullmatch(name):
            raise PuzzleError(f"a puzzle cannot be called '{puzzle.name}' on the page; rename it")
        if (other := named.setdefault(name, puzzle)) != puzzle:
            pair = f"'{other.name}' and '{puzzle.name}'"
            raise PuzzleError(f"puzzles {pair} would both be {name} on the page; rename one")
    return named
