"""Placements, and the exact cover problem that they make (Knuth, TAOCP 7.2.2.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from satcal.puzzle.model import Label, Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Option = Placement | Label


class Item(NamedTuple):
    """A piece, or a category of an open cover, with the indices of its options."""

    name: str
    copies: int
    options: list[int]


def placements(puzzle: Puzzle, cells: Iterable[Cell]) -> Iterator[Placement]:
    """Yield the placements on these cells, by piece, orientation, row and column."""
    allowed = frozenset(cells)
    corners = list(itertools.product(range(puzzle.rows), range(puzzle.columns)))
    for piece in puzzle.pieces:
        for shape in piece.orientations:
            for top, left in corners:
                placed = tuple((top + row, left + column) for row, column in shape)
                if allowed.issuperset(placed):
                    yield Placement(piece.name, placed)


@dataclass(frozen=True)
class Cover:
    """The cells to cover, and the options that may cover them.

    ``cells`` are in row-major order, without those of the reveal. Without a reveal the cover is
    *open*: it has every cell of the board, and each label is an option that covers the label's
    cells. A category is an item with one copy. So the exact covers are the tilings of all reveals.
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
        covering: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for index, option in enumerate(self.options):
            for cell in option.cells:
                covering[cell].append(index)
        return covering

    @cached_property
    def items(self) -> list[Item]:
        """The pieces in file order, then the categories of an open cover."""
        items: dict[tuple[type, str], Item] = {
            (Placement, piece.name): Item(piece.name, piece.copies, [])
            for piece in self.puzzle.pieces
        }
        if self.reveal is None:
            items |= {(Label, name): Item(name, 1, []) for name in self.puzzle.categories}
        for index, option in enumerate(self.options):
            name = option.piece if isinstance(option, Placement) else option.category
            items[type(option), name].options.append(index)
        return list(items.values())

    @cached_property
    def item_of(self) -> list[int]:
        """Per option the index of its item in ``items``."""
        item_by_option = {option: i for i, item in enumerate(self.items) for option in item.options}
        return [item_by_option[index] for index in range(len(self.options))]

    def tiling(self, indices: Iterable[int]) -> Tiling:
        """Return the placements among the options with these indices, in canonical order."""
        order = {piece.name: index for index, piece in enumerate(self.puzzle.pieces)}
        options = (self.options[index] for index in indices)
        placed = [option for option in options if isinstance(option, Placement)]
        return tuple(sorted(placed, key=lambda p: (order[p.piece], p.cells)))


def cover_of(puzzle: Puzzle, reveal: Reveal | None) -> Cover:
    """Return the cover of a reveal, or for None the open cover of all reveals."""
    cells, labels = puzzle.cells, puzzle.labels
    if reveal is not None:
        uncovered = puzzle.uncovered_cells(reveal)
        cells, labels = tuple(cell for cell in cells if cell not in uncovered), {}
    return Cover(puzzle, reveal, cells, (*placements(puzzle, cells), *labels.values()))


def keep(cover: Cover, allowed: Iterable[bool]) -> Cover:
    """Return the cover with only those options whose entry is true."""
    return replace(cover, options=tuple(itertools.compress(cover.options, allowed)))


def filling_order(cover: Cover) -> list[int]:
    """Return the indices of the cells in the order in which the tiling diagram fills them.

    Among the orders by rows, by columns and by diagonals from each of the four corners, choose the
    one with the smallest estimate of the number of states, the first of several. Nothing else
    changes this number as much.
    """
    import numpy as np  # takes longer to import than most commands need

    cells = cover.cells
    if not cover.options:
        return next(enumerate_orders(cells))
    index_of = {cell: index for index, cell in enumerate(cells)}
    covered = np.array([index_of[cell] for option in cover.options for cell in option.cells])
    sizes = np.array([len(option.cells) for option in cover.options])
    begins = np.cumsum(sizes) - sizes

    def estimate_states(order: Sequence[int]) -> float:
        """Return an estimate of the number of states, for comparison only.

        When a layer is filled, a later cell is covered with a probability of about the share of its
        options that begin in an earlier layer. If the cells were independent, the typical frontiers
        would be 2 to the sum of the entropies of these probabilities.
        """
        ranks = np.argsort(order)[covered]
        first = np.repeat(np.minimum.reduceat(ranks, begins), sizes)
        pairs = np.bincount(ranks * len(cells) + first, minlength=len(cells) ** 2)
        # per cell, how many of its options begin in each cell or an earlier one
        starts = pairs.reshape(-1, len(cells)).cumsum(axis=1)
        entropy = np.zeros(len(cells))
        for begun in starts:
            entropy[1:] += _entropies(int(begun[-1]))[begun[:-1]]
        return sum(2**bits for bits in entropy.tolist())

    return min(enumerate_orders(cells), key=estimate_states)


def enumerate_orders(cells: Sequence[Cell]) -> Iterator[list[int]]:
    """Yield the indices of cells by rows, columns and diagonals from each of the four corners."""
    axes = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    for (a, b), along in itertools.product(axes, (1, -1)):
        keys = [(a * row + b * col, along * (col if a else row)) for row, col in cells]
        yield sorted(range(len(cells)), key=keys.__getitem__)


@cache
def _entropies(total: int) -> NDArray[np.float64]:
    """Return the entropy, in bits, of events with the probabilities 0, 1, …, ``total`` of it."""
    import numpy as np

    shares = [number / total for number in range(1, total)]
    return np.array([0.0, *(-p * log2(p) - (1 - p) * log2(1 - p) for p in shares), 0.0])
