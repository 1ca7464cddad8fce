"""What the formats share: comments that stay on their line, and text in chunks."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from satcal.encoding.formula import cell_label
from satcal.puzzle.placements import Cover

CHUNK = 4096  # lines at a time: some 100 KB, so a formula of 10 MB is never one string


def printable(text: str) -> str:
    """Return a text that cannot end a comment: a category's name may hold a line break."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


def chunks(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, each ended, in strings of many."""
    rest = iter(lines)
    while part := list(itertools.islice(rest, CHUNK)):
        yield "\n".join(part) + "\n"


def constraints(cover: Cover) -> Iterator[tuple[str, int, list[int]]]:
    """Yield what an exact cover demands: name, how many, of which variables (1-based).

    First each cell, in row-major order, by one option; then each piece as often as it has
    copies, and in an open cover one label of each category.
    """
    for cell in cover.cells:
        yield cell_label(cell), 1, [number + 1 for number in cover.by_cell[cell]]
    pieces = len(cover.puzzle.pieces)
    for position, (name, copies, options) in enumerate(cover.items):
        what = "piece" if position < pieces else "category"
        yield f"{what} {printable(name)}", copies, [number + 1 for number in options]
