"""``satcal manual``: the documentation that the package carries, page by page."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from satcal.cli import options
from satcal.errors import Missing, unknown
from satcal.files import read_text

KINDS = ("tutorials", "how-to", "reference", "explanation")
_PACKAGE = Path(__file__).resolve().parent.parent
_HEADING = re.compile(r"(#+) (.+)")


def pages() -> dict[str, Path]:
    """The pages by their names: the wheel's own, or those of the checkout; Missing if none."""
    # the wheel's own copy first: beside a package stand the folders of others
    for folder in (_PACKAGE / "docs", _PACKAGE.parent / "docs"):
        found = [path for kind in KINDS for path in sorted((folder / kind).glob("*.md"))]
        if found:
            return {path.stem: path for path in found}
    raise Missing(f"there is no documentation in {_PACKAGE / 'docs'}; reinstall satcal")


def sections(text: str) -> dict[str, str]:
    """The sections of a page by what a link calls them, each with those below it."""
    lines = text.splitlines(keepends=True)
    heads: list[tuple[int, int, str]] = []  # line, depth, name
    fenced = False
    for index, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if not fenced and (match := _HEADING.match(line)):
            name = re.sub(r"[^\w -]", "", match[2].lower()).strip().replace(" ", "-")
            heads.append((index, len(match[1]), name))
    found = {}
    for place, (start, depth, name) in enumerate(heads):
        end = next((at for at, other, _ in heads[place + 1 :] if other <= depth), len(lines))
        found[name] = "".join(lines[start:end])
    return found


@options.command()
@click.argument("page", required=False, metavar="[PAGE[#SECTION]]")
def manual(page: str | None) -> None:
    """Print a page of the documentation, or one section of it; without PAGE, list all."""
    known = pages()
    if page is None:
        for name, path in known.items():
            title = read_text(path, "page").partition("\n")[0].removeprefix("# ")
            click.echo(f"{name:<22}{title}")
        return
    name, _, section = page.partition("#")
    if name not in known:
        raise unknown("page", name, known)
    text = read_text(known[name], "page")
    if section:
        below = sections(text)
        if section not in below:
            raise unknown("section", section, below)
        text = below[section]
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text)
