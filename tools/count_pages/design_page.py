"""The page of the designs that were found."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import satcal
from tools.count_pages.book import ROOT, number
from tools.count_pages.parts import head, kept
from tools.count_pages.pieces import row_of_pieces

DESIGNS = ROOT / "results" / "design"
FIRST = datetime.date(2026, 1, 1)
EVERY = [FIRST + datetime.timedelta(days) for days in range(28 * 365 + 7)]  # on all weekdays
FOUND = {
    "hardest": "A-Puzzle-A-Day with the hardest eight pieces",
    "unique": "A-Puzzle-A-Day with exactly one solution on 14 dates",
    "seven": "A-Puzzle-A-Day with seven pieces",
    "moved-labels": "A-Puzzle-A-Day with its labels moved, and no hard date",
    "hardest-rhombus": "The rhombus with the hardest ten pieces",
}
"""The headings of designs that solve every date; other files are boards to search from."""


def page(folder: Path) -> Iterator[str]:
    """The page of the designs that were found, with their pictures and files."""
    yield from head("Sets of pieces and boards that solve every date, found by search.")
    yield "# Designs\n"
    yield "Sets of pieces, and places for the labels, that satcal found; every date can be solved."
    yield "[How, and what else was decided](../../results/design/README.md).\n"
    for stem, title in FOUND.items():
        path = DESIGNS / f"{stem}.toml"
        puzzle = satcal.load(str(path))
        counts = sorted(satcal.count_all(puzzle, EVERY).values())
        yield f"## {title}\n"
        yield f"{number(sum(counts), 'solution')} on {number(len(counts), 'date')}: the fewest are"
        yield f"{counts[0]:,}, the most {counts[-1]:,}{alone(counts.count(1))}.\n"
        yield from row_of_pieces(puzzle)
        yield from kept(folder, path, *sorted(DESIGNS.glob(f"{stem}.*satcert")))
        yield ""
    yield "## All sets that were decided, and boards to search from\n"
    yield "The boards of 44 and 47 cells are for `satcal design`; their pieces are examples.\n"
    others = [path for path in sorted(DESIGNS.glob("*.toml")) if path.stem not in FOUND]
    yield from kept(folder, *sorted(DESIGNS.glob("*.csv*")), *others)


def alone(dates: int) -> str:
    """How many dates have exactly one solution, at the end of a sentence."""
    return f"; {number(dates, 'date')} {'has' if dates == 1 else 'have'} exactly one" * bool(dates)
