"""An answer-set program for clingo (or gringo and clasp): each answer set is one tiling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.encoding.formats.comments import chunks, printable
from satcal.encoding.formula import option_name
from satcal.puzzle.model import cell_name
from satcal.puzzle.placements import Cover

# "#defined" silences the warning about a puzzle without any option, which has no tiling.
RULES = """\
#defined option/2.
#defined covers/2.
1 { place(Option) : covers(Option, Cell) } 1 :- cell(Cell).
Copies { place(Option) : option(Option, Item) } Copies :- item(Item, Copies).
#show place/1.
"""


def write(cover: Cover, about: Sequence[str]) -> Iterator[str]:
    """Yield facts and rules of a cover in chunks; ``place(17)`` is option 17."""
    pieces = len(cover.puzzle.pieces)
    # a category may have any name, so its term is a number; the comment above says which
    terms = [f'"{name}"' for name, _, _ in cover.items[:pieces]]
    terms += [f"category({number})" for number in range(1, len(cover.items) - pieces + 1)]
    yield from chunks(f"% {printable(line)}" for line in about)
    for term, (name, copies, _) in zip(terms, cover.items, strict=True):
        yield f"item({term}, {copies}).  % {printable(name)}\n"
    yield from chunks(f"cell({cell_name(cell)})." for cell in cover.cells)
    for number, (item, option) in enumerate(zip(cover.item_of, cover.options, strict=True), 1):
        cells = ";".join(map(cell_name, option.cells))
        meaning = printable(option_name(option))
        yield f"option({number}, {terms[item]}). covers({number}, ({cells})).  % {meaning}\n"
    yield RULES
