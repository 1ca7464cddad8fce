"""The method ``search``: first uncovered cell, try each placement there, prune by components.

Slow on purpose and short enough to check by eye: the sanity check of the other methods.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from satcal.errors import BudgetExhausted, OptionError, TooLarge
from satcal.puzzle.model import Tiling
from satcal.puzzle.order import cell_order
from satcal.puzzle.placements import Cover
from satcal.puzzle.pruner import Pruner, Remaining, without
from satcal.puzzle.shapes import Cell

PRUNINGS = ("none", "smallest", "sums")
MAX_PIECES = 500  # one nested generator each, and Python's stack has 1,000


@dataclass
class Statistics:
    """What one search did: partial tilings visited, branches given up, tilings found."""

    visited: int = 0
    pruned: int = 0
    found: int = 0


@dataclass
class Search:
    """A depth-first search for the tilings of a cover.

    ``pruning`` is ``none``, ``smallest`` (a component smaller than the smallest remaining
    piece) or ``sums`` (a component whose area is no sum of areas of remaining pieces);
    ``deadline`` is a ``time.monotonic()`` reading.
    """

    cover: Cover
    pruning: str = "sums"
    deadline: float | None = None
    statistics: Statistics = field(default_factory=Statistics)

    def __post_init__(self) -> None:
        if self.pruning not in PRUNINGS:
            raise OptionError(f"no pruning '{self.pruning}'; use one of {', '.join(PRUNINGS)}")
        pieces = sum(copies for _, copies, _ in self.cover.items)
        if pieces > MAX_PIECES:
            raise TooLarge(
                f"{self.cover.puzzle.name} has {pieces} pieces, and search takes at most "
                f"{MAX_PIECES}; use --method sat"
            )
        order = cell_order(self.cover.cells)
        rank = {cell: number for number, cell in enumerate(order)}
        self._order = order
        self._cells = [frozenset(option.cells) for option in self.cover.options]
        self._starting: dict[Cell, list[int]] = {cell: [] for cell in order}
        for number, cells in enumerate(self._cells):
            self._starting[min(cells, key=rank.__getitem__)].append(number)
        pruner = Pruner(self.cover)
        self._copies = pruner.copies
        self._dead = {
            "none": lambda uncovered, remaining: None,
            "smallest": pruner.forbids_smaller,
            "sums": pruner.forbids,
        }[self.pruning]

    def tilings(self) -> Iterator[Tiling]:
        """Yield every tiling once.

        Raises:
            BudgetExhausted: the deadline passed; what was yielded is not all.
        """
        for chosen in self._extend([], frozenset(self._order), self._copies, 0):
            self.statistics.found += 1
            yield self.cover.tiling(chosen)

    def _extend(
        self, chosen: list[int], uncovered: frozenset[Cell], remaining: Remaining, start: int
    ) -> Iterator[list[int]]:
        self.statistics.visited += 1
        if self.deadline is not None and time.monotonic() >= self.deadline:
            found = self.statistics.found
            raise BudgetExhausted(f"stopped by its budget after {found} tilings", found)
        if not uncovered:
            if not any(remaining):
                yield chosen
            return
        if self._dead(uncovered, remaining):
            self.statistics.pruned += 1
            return
        while self._order[start] not in uncovered:
            start += 1
        for number in self._starting[self._order[start]]:
            item = self.cover.item_of[number]
            if remaining[item] and self._cells[number] <= uncovered:
                left = without(remaining, [item])
                yield from self._extend(
                    [*chosen, number], uncovered - self._cells[number], left, start
                )
