"""``satcal site``: write the web page as plain files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from satcal.cli.options import Command, add_section, complete_board
from satcal.cli.output import Writer, info, is_folder, progress, quiet_option
from satcal.cli.words import DEFAULT_BOARD, read_board
from satcal.errors import OptionError, PuzzleError, unknown
from satcal.files import read_bytes
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

CERTIFIED_CELLS = 43  # boards of this size are certified in half a minute
# names of views, of a data file, and of boards that people make
RESERVED_NAMES = re.compile("more|year|solutions|share|evidence|make|puzzles|own[-=].*")


@click.command(cls=Command)
@click.argument("words", nargs=-1, metavar="[BOARD]...", shell_complete=complete_board)
@add_section(
    "Page",
    click.option("--address", metavar="URL", help="The page's URL, for previews of links."),
    click.option(
        "--language",
        "languages",
        metavar="CODE",
        multiple=True,
        help="Offer this language; repeat for more, the default first.",
    ),
    click.option("--css", metavar="FILE", help="A style sheet that follows the page's own."),
    click.option("--proofs", is_flag=True, help="Certify every board, which takes minutes."),
)
@add_section(
    "Output",
    click.option("-o", "--output", required=True, metavar="PATH", help="A folder, .html or -."),
    click.option("--force", is_flag=True, help="Write over what is there."),
    quiet_option,
)
def site(
    words: Sequence[str],
    address: str | None,
    languages: Sequence[str],
    css: str | None,
    proofs: bool,
    output: str,
    force: bool,
) -> None:
    """Write the web page as plain files for any web server, or as one file for a double click.

    The page opens with the first BOARD. By default, a folder has the whole library, which takes a
    few minutes, and a single file has a-puzzle-a-day. Without --proofs, only boards of 43 cells
    have certificates.
    """
    from satcal.site.edition import build_site
    from satcal.site.page import LANGUAGES
    from satcal.site.single import one_file

    if address is not None and not re.match("https?://[^/]", address):
        raise OptionError(f"--address {address}: give a URL, such as https://example.org/puzzle/")
    for language in languages:
        if language not in LANGUAGES:
            raise unknown("language", language, LANGUAGES)
    offered = tuple(dict.fromkeys(languages)) or LANGUAGES
    style = read_bytes(Path(css), "style sheet") if css is not None else b""
    has_suffix = Path(output).suffix.lower() in (".html", ".htm")
    is_single_file = output == "-" or (has_suffix and not is_folder(output))
    default_names = [DEFAULT_BOARD] if is_single_file else [DEFAULT_BOARD, *library()]
    names = [read_board([word]) for word in words]
    puzzles = name_puzzles(map(load, names or default_names))
    first = next(iter(puzzles))
    if is_single_file:
        with Writer(output, {"html": ".html"}, "html", force) as writer:
            writer.write(one_file(puzzles, first, offered, style))
        return
    certified = [
        name
        for name, puzzle in puzzles.items()
        if puzzle.categories and (proofs or len(puzzle.cells) == CERTIFIED_CELLS)
    ]
    with progress("writing puzzles") as step:
        size = build_site(
            Path(output), puzzles, first, force, address, certified, step, offered, style
        )
    info(
        f"{output}: {size / 1e6:.1f} MB; python -m http.server -d {output} shows it at "
        "http://localhost:8000"
    )


def name_puzzles(puzzles: Iterable[Puzzle]) -> dict[str, Puzzle]:
    """Return puzzles by their names in files and links of the page.

    Raises:
        PuzzleError: two puzzles have the same name, or one has a reserved name.
    """
    by_name: dict[str, Puzzle] = {}
    for puzzle in puzzles:
        name = re.sub(r"[^A-Za-z0-9]+", "-", puzzle.name)
        if RESERVED_NAMES.fullmatch(name):
            raise PuzzleError(f"a puzzle cannot be called '{puzzle.name}' on the page; rename it")
        if (other := by_name.setdefault(name, puzzle)) != puzzle:
            pair = f"'{other.name}' and '{puzzle.name}'"
            raise PuzzleError(f"puzzles {pair} would both be {name} on the page; rename one")
    return by_name
