"""``satcal site``: the web page as plain files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import cloup

from satcal.cli.output import Writer, quiet_option
from satcal.cli.progress import info, progress
from satcal.cli.words import DEFAULT_BOARD, board_named, complete_board
from satcal.errors import OptionError, PuzzleError
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

SMALL = 43  # cells of boards all of whose certificates are made in half a minute
# names of views, of a file, and of boards on a server
RESERVED = re.compile("more|year|solutions|share|believe|puzzles|posted-.*")


@cloup.command()
@click.argument("words", nargs=-1, metavar="[BOARD]... FOLDER|FILE.html")
@cloup.option_group(
    "Page",
    cloup.option(
        "-b",
        "--board",
        "boards",
        multiple=True,
        metavar="NAME|FILE",
        shell_complete=complete_board,
        help="A board of the page; the first is shown first. Default: the library; for one file, "
        f"{DEFAULT_BOARD}.",
    ),
    cloup.option("--address", metavar="URL", help="Where the folder will be; for previews."),
    cloup.option(
        "--proofs",
        is_flag=True,
        help="Certificates of every board, not only of those with 43 cells (half a minute each).",
    ),
)
@cloup.option_group(
    "Output",
    cloup.option("-o", "--output", metavar="PATH", help="The folder, or one file FILE.html."),
    cloup.option("--force", is_flag=True, help="Replace what is there."),
    quiet_option,
)
def site(
    words: Sequence[str],
    boards: Sequence[str],
    address: str | None,
    proofs: bool,
    output: str | None,
    force: bool,
) -> None:
    """Write the web page as plain files for any web server, or as one file for a double click.

    All boards of the library take a few minutes, one a few seconds.
    """
    from satcal.site.edition import build_site
    from satcal.site.single import one_file

    if address is not None and not re.match("https?://[^/]", address):
        raise OptionError(f"--address {address}: give a URL, such as https://example.org/puzzle/")
    target = target_of([word for word in words if not board_named(word)], output)
    one = str(target) == "-" or target.suffix.lower() in (".html", ".htm")
    asked = [name for word in (*words, *boards) if (name := board_named(word))]
    everything = [DEFAULT_BOARD] if one else [DEFAULT_BOARD, *library()]
    puzzles = puzzles_by_name(map(load, asked or everything))
    first = next(iter(puzzles))
    if one:
        with Writer(str(target), "html", force, suffixes={}) as writer:
            writer.write(one_file(puzzles, first))
        return
    proved = [
        name
        for name, puzzle in puzzles.items()
        if puzzle.categories and (proofs or len(puzzle.cells) == SMALL)
    ]
    with progress("writing puzzles") as step:
        size = build_site(target, puzzles, first, force, address, proved, step)
    info(
        f"{target}: {size / 1e6:.1f} MB; python -m http.server -d {target} shows it at "
        "http://localhost:8000"
    )


def target_of(rest: Sequence[str], output: str | None) -> Path:
    """Return the folder or file to write, from the words that are not boards and ``-o``."""
    given = [*rest, *([output] if output else [])]
    if len(given) != 1:
        several = (
            f"several folders, {' and '.join(given)}; give one" if given else "no folder given"
        )
        raise OptionError(f"{several}, such as satcal site page; a board of yours ends in .toml")
    return Path(given[0])


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
            both = f"'{other.name}' and '{puzzle.name}'"
            raise PuzzleError(f"puzzles {both} would both be {name} on the page; rename one")
    return named
