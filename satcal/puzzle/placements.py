"""Placements, and the exact cover problem that they make (Knuth, TAOCP 7.2.2.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from satcal.puzzle.model import Label, Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell

Option = Placement | Label


class Item(NamedTuple):
    """A piece, or a category of an open cover, with the indices of its options."""

    name: str
    copies: int
    options: list[int]


def placements(puzzle: Puzzle, free: Iterable[Cell]) -> Iterator[Placement]:
    """Yield the placements on free cells, by piece, orientation, row and column."""
    allowed = frozenset(free)
    corners = list(itertools.product(range(puzzle.rows), range(puzzle.columns)))
    for piece in puzzle.pieces:
        for shape in piece.orientations:
            for top, left in corners:
                cells = tuple((top + row, left + column) for row, column in shape)
                if allowed.issuperset(cells):
                    yield Placement(piece.name, cells)


@dataclass(frozen=True)
class Cover:
    """What is to be covered, and the options that may cover it.

    ``cells`` are in row-major order, without those of the reveal. Without a reveal the
    cover is *open*: every cell is in it, and each label is an option that covers its
    cells, one per category, so that the exact covers are the tilings of all reveals.
    """

    puzzle: Puzzle
    reveal: Reveal | None
    cells: tuple[Cell, ...]
    options: tuple[Option, ...]

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """The options that are placements; they come first."""
        return tuple(option for option in self.options if isinstance(option, Placement))

    @cached_property
    def by_cell(self) -> dict[Cell, list[int]]:
        """Per cell the indices (0-based) of the options that cover it."""
        index: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for number, option in enumerate(self.options):
            for cell in option.cells:
                index[cell].append(number)
        return index

    @cached_property
    def items(self) -> list[Item]:
        """The pieces in file order, then the categories of an open cover."""
        pieces = [Item(piece.name, piece.copies, []) for piece in self.puzzle.pieces]
        open_for = self.puzzle.categories if self.reveal is None else ()
        categories = [Item(category, 1, []) for category in open_for]
        of_piece = {item.name: item for item in pieces}
        of_category = {item.name: item for item in categories}
        for number, option in enumerate(self.options):
            if isinstance(option, Placement):
                of_piece[option.piece].options.append(number)
            else:
                of_category[option.category].options.append(number)
        return [*pieces, *categories]

    @cached_property
    def item_of(self) -> list[int]:
        """Per option the index of its item in ``items``."""
        of = {number: i for i, item in enumerate(self.items) for number in item.options}
        return [of[number] for number in range(len(self.options))]

    def tiling(self, chosen: Iterable[int]) -> Tiling:
        """Return the placements among the chosen option indices, in canonical order."""
        order = {piece.name: number for number, piece in enumerate(self.puzzle.pieces)}
        options = (self.options[number] for number in chosen)
        placed = [option for option in options if isinstance(option, Placement)]
        return tuple(sorted(placed, key=lambda p: (order[p.piece], p.cells)))


def cover(puzzle: Puzzle, reveal: Reveal | None) -> Cover:
    """Return the cover of a reveal, or for None the open cover of all reveals."""
    cells, labels = puzzle.cells, puzzle.labels
    if reveal is not None:
        hidden = puzzle.uncovered(reveal)
        cells, labels = tuple(cell for cell in cells if cell not in hidden), {}
    return Cover(puzzle, reveal, cells, (*placements(puzzle, cells), *labels.values()))


def keep(whole: Cover, allowed: Iterable[bool]) -> Cover:
    """Return the cover with only those options whose entry is true."""
    return replace(whole, options=tuple(itertools.compress(whole.options, allowed)))


def number_of_placements(puzzle: Puzzle) -> int:
    """Return how many placements the open board has, of all pieces together."""
    return sum(1 for _ in placements(puzzle, puzzle.cells))
