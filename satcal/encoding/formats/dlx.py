"""Knuth's exact-cover text, as his programs DLX1 to DLX3, XCC and their descendants read it.

The first line names the items (pieces, then cells), each further line is one option. Lines
that begin with a bar are comments. A piece with copies carries its multiplicity as ``2:2|L4``,
which DLX3, MCC and SSMCC read and DLX1 does not; no other item has one.
Source: the introductions of dlx1.w and dlx3.w, Knuth's programs to read (TAOCP 7.2.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.encoding.formats.comments import chunks, printable
from satcal.puzzle.model import cell_name
from satcal.puzzle.placements import Cover


def write(cover: Cover, about: Sequence[str]) -> Iterator[str]:
    """Yield items and options of a cover in chunks; option 17 is the 17th line of options."""
    pieces = len(cover.puzzle.pieces)
    names = [name for name, _, _ in cover.items[:pieces]]
    # Knuth allows eight bytes and no bar or colon: categories, which may have any name, are #1...
    categories = [f"#{number}" for number in range(1, len(cover.items) - pieces + 1)]
    yield from chunks(f"| {printable(line)}" for line in about)
    for category, (name, _, _) in zip(categories, cover.items[pieces:], strict=True):
        yield f"| {category} is the category {printable(name)}\n"
    names += categories
    items = [
        f"{copies}:{copies}|{name}" if copies > 1 else name
        for name, (_, copies, _) in zip(names, cover.items, strict=True)
    ]
    yield " ".join([*items, *map(cell_name, cover.cells)]) + "\n"
    yield from chunks(
        " ".join([names[item], *map(cell_name, option.cells)])
        for item, option in zip(cover.item_of, cover.options, strict=True)
    )
