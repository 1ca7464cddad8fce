"""The method ``search``: try each placement where the fewest fit, and prune.

Knuth's rule (TAOCP 7.2.2.1): a tiling covers each cell and uses each piece, so it goes on with
one of the placements that still fit there, and the fewer these are, the better. Short enough to
check by eye: the sanity check of the other methods.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

import numpy as np

from satcal.errors import BudgetExhausted, TooLarge
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, placements
from satcal.puzzle.pruner import Parts, Pruner, Remaining, after_using, ones
from satcal.puzzle.shapes import cell_order, extent

MAX_PIECES = 500  # one nested generator each, and Python's stack has 1,000
MAX_PARTIAL = 50_000_000  # of eight bytes each


@dataclass
class Search:
    """A depth-first search for the tilings of a cover.

    ``pruning``: a branch is given up for a component smaller than the smallest remaining
    piece (``smallest``), or whose area is no sum of areas of remaining pieces (``sums``).
    ``deadline`` is a ``time.monotonic()`` reading, ``on_visit`` gets each partial tiling. With
    ``first_cell`` it goes on at the first uncovered cell and does not look at the others, as
    most published programs do. Counted are partial tilings ``visited``, branches ``pruned``,
    tilings ``found``.
    """

    cover: Cover
    pruning: str = "sums"
    deadline: float | None = None
    on_visit: Callable[[list[int]], None] | None = None
    first_cell: bool = False
    visited: int = field(default=0, init=False)
    pruned: int = field(default=0, init=False)
    found: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        pieces = sum(copies for _, copies, _ in self.cover.items)
        if pieces > MAX_PIECES:
            raise TooLarge(
                f"{self.cover.puzzle.name} has {pieces} pieces, and search takes at most "
                f"{MAX_PIECES}; use --method sat"
            )
        # sets of placements are numbers, in which bit n is option n
        of_cell = {cell: _set(numbers) for cell, numbers in self.cover.by_cell.items()}
        self._needs = [of_cell[cell] for cell in cell_order(of_cell)]
        self._needs += [_set(item.options) for item in self.cover.items if item.copies == 1]
        self._item = self.cover.item_of
        self._of_item = [_set(item.options) for item in self.cover.items]
        self._beside = [
            ~reduce(or_, (of_cell[cell] for cell in option.cells)) for option in self.cover.options
        ]
        # sets of cells are numbers, too, see Parts
        width = 2 + max((column for _, column in self.cover.cells), default=0)
        place = {cell: 1 << cell[0] * width + cell[1] for cell in self.cover.cells}
        covered = [sum(place[cell] for cell in option.cells) for option in self.cover.options]
        self._board = sum(place.values())
        pruner = Pruner(self.cover)
        self._copies = pruner.copies
        self._fillable = pruner.sums if self.pruning == "sums" else pruner.at_least
        self._parts = Parts(self._board, width, covered)

    def tilings(self) -> Iterator[Tiling]:
        """Yield every tiling once.

        Raises:
            BudgetExhausted: the deadline passed; what was yielded is not all.
        """
        parts = () if self.pruning == "none" else self._parts.of(self._board)
        self._visit([])
        if self._fills(parts, self._copies):
            for chosen in self._extend([], self._needs, parts, self._copies):
                self.found += 1
                yield self.cover.tiling(chosen)

    @property
    def work(self) -> dict[str, int]:
        """What was done so far, by the names of ``WORK``."""
        return {"nodes": self.visited, "prunings": self.pruned}

    def _extend(
        self,
        chosen: list[int],
        needs: list[int],
        parts: tuple[int, ...],
        remaining: Remaining,
    ) -> Iterator[list[int]]:
        """Yield the tilings that go on from chosen placements.

        ``needs`` are the placements that still fit: for each cell to cover, and for each piece
        that there is once. A tiling has exactly one of each set. (Of a piece with copies it has
        several, and would come once for each order of these.)
        """
        if not needs:
            if not any(remaining):
                yield chosen
            return
        choice = needs[0] if self.first_cell else min(needs, key=int.bit_count)
        for bit in ones(choice):
            index = bit.bit_length() - 1
            self._visit(more := [*chosen, index])
            item, still = self._item[index], self._beside[index]
            if remaining[item] == 1:
                still &= ~self._of_item[item]
            needed = [need & still for need in needs if not need & bit]
            if self.first_cell or all(needed):  # else something has no placement left
                rest = self._parts.after_placing(parts, index) if parts else parts
                left = after_using(remaining, [item])
                if self._fills(rest, left):
                    yield from self._extend(more, needed, rest, left)

    def _visit(self, chosen: list[int]) -> None:
        self.visited += 1
        if self.on_visit is not None:
            self.on_visit(chosen)
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise BudgetExhausted(
                f"budget exhausted; tilings found so far: {self.found:,}", self.found
            )

    def _fills(self, parts: tuple[int, ...], remaining: Remaining) -> bool:
        """Whether what remains can fill each part; only then the search goes on."""
        sums = self._fillable(remaining) if parts else -1
        if all(sums >> part.bit_count() & 1 for part in parts):
            return True
        self.pruned += 1
        return False


def _set(bits: Iterable[int]) -> int:
    """The number in which these bits are set."""
    return sum(1 << bit for bit in bits)


def piece_by_piece(puzzle: Puzzle, reveal: Reveal, side: int) -> tuple[int, int]:
    """The work of a search that looks at no cell first: places tried, partial tilings.

    The pieces come in their order, each wherever it fits; tried is every place at which an
    orientation lies within an array of ``side`` by ``side`` cells.

    Raises:
        TooLarge: more than 64 cells, or than ``MAX_PARTIAL`` partial tilings of some pieces.
    """
    bit = {cell: np.uint64(1 << n) for n, cell in enumerate(puzzle.cells[:64])}
    partial, tried, valid = np.zeros(1, np.uint64), 0, 0
    for piece in (kind for kind in puzzle.pieces for _ in range(kind.copies)):
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
