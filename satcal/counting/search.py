"""The method ``search``: try each placement on the first uncovered cell, and prune.

Slow on purpose and short enough to check by eye: the sanity check of the other methods.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from satcal.errors import BudgetExhausted, OptionError, TooLarge
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, placements
from satcal.puzzle.pruner import Parts, Pruner, Remaining, without
from satcal.puzzle.shapes import cell_order, extent

PRUNINGS = ("none", "smallest", "sums")
MAX_PIECES = 500  # one nested generator each, and Python's stack has 1,000
MAX_PARTIAL = 50_000_000  # of eight bytes each


@dataclass
class Search:
    """A depth-first search for the tilings of a cover.

    ``pruning``: a branch is given up for a component smaller than the smallest remaining
    piece (``smallest``), or whose area is no sum of areas of remaining pieces (``sums``).
    ``deadline`` is a ``time.monotonic()`` reading, ``told`` gets each partial tiling.
    Counted are partial tilings ``visited``, branches ``pruned``, placements ``tried``, tilings
    ``found``.
    """

    cover: Cover
    pruning: str = "sums"
    deadline: float | None = None
    told: Callable[[list[int]], None] | None = None
    visited: int = field(default=0, init=False)
    pruned: int = field(default=0, init=False)
    tried: int = field(default=0, init=False)
    found: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.pruning not in PRUNINGS:
            raise OptionError(f"no pruning '{self.pruning}'; use one of {', '.join(PRUNINGS)}")
        pieces = sum(copies for _, copies, _ in self.cover.items)
        if pieces > MAX_PIECES:
            raise TooLarge(
                f"{self.cover.puzzle.name} has {pieces} pieces, and search takes at most "
                f"{MAX_PIECES}; use --method sat"
            )
        # a set of cells is a number, see Parts; the first cell to cover is its lowest bit
        order = cell_order(self.cover.cells)
        x = 0 if order == sorted(order) else 1  # the lines are rows, or columns
        width = 2 + max((cell[1 - x] for cell in order), default=0)
        bit = {cell: 1 << cell[x] * width + cell[1 - x] for cell in order}
        self._board = sum(bit.values())
        self._cells = [sum(bit[cell] for cell in option.cells) for option in self.cover.options]
        self._starting: dict[int, list[int]] = {cell: [] for cell in bit.values()}
        for number, cells in enumerate(self._cells):
            self._starting[cells & -cells].append(number)
        self._item = self.cover.item_of
        pruner = Pruner(self.cover)
        self._copies = pruner.copies
        self._fillable = pruner.sums if self.pruning == "sums" else pruner.at_least
        self._parts = Parts(self._board, width, self._cells)

    def tilings(self) -> Iterator[Tiling]:
        """Yield every tiling once.

        Raises:
            BudgetExhausted: the deadline passed; what was yielded is not all.
        """
        parts = () if self.pruning == "none" else self._parts.of(self._board)
        if self._goes_on([], parts, self._copies):
            for chosen in self._extend([], self._board, parts, self._copies):
                self.found += 1
                yield self.cover.tiling(chosen)

    @property
    def work(self) -> dict[str, int]:
        """What was done so far, by the names of ``WORK``."""
        return {"nodes": self.visited, "prunings": self.pruned, "placements tried": self.tried}

    def _extend(
        self, chosen: list[int], uncovered: int, parts: tuple[int, ...], remaining: Remaining
    ) -> Iterator[list[int]]:
        if not uncovered:
            if not any(remaining):
                yield chosen
            return
        for number in self._starting[uncovered & -uncovered]:
            self.tried += 1
            item, cells = self._item[number], self._cells[number]
            if remaining[item] and cells & uncovered == cells:
                more, left = [*chosen, number], without(remaining, [item])
                rest = self._parts.without(parts, number) if parts else parts
                if self._goes_on(more, rest, left):
                    yield from self._extend(more, uncovered ^ cells, rest, left)

    def _goes_on(self, chosen: list[int], parts: tuple[int, ...], remaining: Remaining) -> bool:
        """Visit a partial tiling; return whether what remains can fill each part."""
        self.visited += 1
        if self.told is not None:
            self.told(chosen)
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise BudgetExhausted(f"stopped by its budget after {self.found} tilings", self.found)
        if not parts:
            return True
        sums = self._fillable(remaining)
        for part in parts:
            if not sums >> part.bit_count() & 1:
                self.pruned += 1
                return False
        return True


def piece_by_piece(puzzle: Puzzle, reveal: Reveal, side: int) -> tuple[int, int]:
    """Return what a search takes that looks at no cell first: places tried, partial tilings.

    The pieces come in their order, each wherever it fits; tried is every place at which an
    orientation lies within an array of ``side`` by ``side`` cells.

    Raises:
        TooLarge: more than 64 cells, or than ``MAX_PARTIAL`` partial tilings of some pieces.
    """
    bit = {cell: np.uint64(1 << n) for n, cell in enumerate(puzzle.cells[:64])}
    partial, tried, valid = np.zeros(1, np.uint64), 0, 0
    for piece in (each for each in puzzle.pieces for _ in range(each.copies)):
        for high, wide in map(extent, piece.orientations):
            tried += len(partial) * max(0, side + 1 - high) * max(0, side + 1 - wide)
        longer = [partial[:0]]
        for placed in placements(puzzle, set(puzzle.cells) - puzzle.uncovered(reveal)):
            if len(bit) < len(puzzle.cells) or sum(map(len, longer)) > MAX_PARTIAL:
                raise TooLarge(f"{puzzle.name}: too large to place its pieces one by one")
            if placed.piece == piece.name:
                cells = np.bitwise_or.reduce([bit[cell] for cell in placed.cells])
                longer.append(partial[partial & cells == 0] | cells)
        partial = np.concatenate(longer)
        valid += len(partial)
    return tried, valid
