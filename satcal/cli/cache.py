"""``satcal cache``: the diagrams that are kept between commands."""

from __future__ import annotations

from pathlib import Path

import click

from satcal.cli import options
from satcal.diagram.puzzle import cache_folder, cached_at, problem_of
from satcal.draw.tables import aligned, count_of
from satcal.files import failing
from satcal.puzzle.loading import library, load
from satcal.puzzle.placements import cover


@click.group()
def cache() -> None:
    """Look at the diagrams that are kept so that a second question is answered at once.

    They are in SATCAL_CACHE, or in the user's cache directory. None is needed: what is missing
    is built again.
    """


def _kept() -> tuple[list[Path], str]:
    """Return the files of the diagrams, and how many and how large they are in words."""
    files = sorted(cache_folder().glob("diagram-*.zip"))
    total = sum(path.stat().st_size for path in files)
    return files, f"{count_of(len(files), 'diagram')}, {total:,} bytes"


@cache.command()
@options.tabular("text")
def info(style: str) -> None:
    """Say where the diagrams are, of which boards, and how large."""
    files, amount = _kept()
    boards = {cached_at(problem_of(cover(load(name), None))): name for name in library()}
    kept = [(boards.get(path, ""), path.stat().st_size, path.name) for path in files]
    fields = ("board", "bytes", "file")
    if style != "text":
        options.echo([dict(zip(fields, each, strict=True)) for each in kept], fields, style)
        return
    click.echo(f"{cache_folder()}: {amount}")
    if files:
        lines = [(board or "-", f"{size:,}", name) for board, size, name in kept]
        click.echo(aligned(fields, lines, right=[1]), nl=False)
    if not all(board for board, _, _ in kept):
        click.echo("-: of a puzzle file, other pieces, or another version of satcal")


@cache.command()
@click.option("--dry-run", is_flag=True, help="Only say how many.")
def clear(dry_run: bool) -> None:
    """Remove all of them."""
    files, amount = _kept()
    for path in () if dry_run else files:
        with failing(f"{path}: cannot be removed"):
            path.unlink(missing_ok=True)
    click.echo(f"{'to remove' if dry_run else 'removed'}: {amount}")
