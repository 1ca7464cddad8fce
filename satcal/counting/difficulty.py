"""How hard a date is, beyond its number of tilings: docs/difficulty.md says how little that proves.

Each measure is exact, and none depends on chance. None of them knows what people find hard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from satcal.counting.settings import DEFAULTS, Settings
from satcal.counting.tilings import diagram_for
from satcal.diagram.model import Array, Progress
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.puzzle.demands import place
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.shapes import cell_order

SAMPLE = 1000  # tilings of a date that are examined one by one
MAX_PIECES = 14  # each set of a tiling's placements is looked at: 2 ** pieces
MAX_CELLS = 64  # of the array that holds the board: the bits of a word
MAX_LISTED = 100_000  # tilings of a date, each compared with each that is examined
ONE = np.uint64(1)


class Spread(NamedTuple):
    """The least, mean and greatest of some numbers."""

    least: int
    mean: float
    most: int


@dataclass(frozen=True)
class Difficulty:
    """The measures of a reveal; two of them are about each tiling, None where there is none.

    ``nodes``: the partial tilings that the method search visits until it has all tilings.
    ``forced``: those of them from which exactly one placement goes on, the others being pruned.
    ``guesses``: of each tiling the fewest of its placements after which all others follow one by
    one, each as the only placement left for a cell or for a piece.
    ``right``: of each tiling the fewest of its placements that no other tiling has together.
    ``examined``: how many tilings the last two are about, evenly chosen where there are more.
    ``shares``: per piece, how many of its placements on the empty board some tiling has, of how
    many.
    """

    reveal: Reveal
    tilings: int
    nodes: int
    forced: int
    guesses: Spread | None
    right: Spread | None
    examined: int
    shares: Mapping[str, tuple[int, int]]


def difficulties(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    settings: Settings = DEFAULTS,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> Iterator[Difficulty]:
    """Yield the difficulty of each reveal, examining at most ``sample`` tilings of each.

    Raises:
        TooLarge: too many pieces, cells or tilings for these measures.
        As :func:`satcal.counting.tilings.diagram_for`.
    """
    pieces = sum(piece.copies for piece in puzzle.pieces)
    if pieces > MAX_PIECES or puzzle.rows * puzzle.columns > MAX_CELLS:
        raise TooLarge(
            f"{puzzle.name}: difficulty is measured with at most {MAX_PIECES} pieces on a board "
            f"within {MAX_CELLS} cells, not {pieces} within {puzzle.rows} by {puzzle.columns}"
        )
    whole = diagram_for(puzzle, reveals, settings, progress=progress)

    @lru_cache(maxsize=8)
    def narrowed(labels: Reveal) -> PuzzleDiagram:
        return narrowed(labels[:-1]).only(labels[-1:]) if labels else whole

    for reveal in reveals:
        empty = place(cover(puzzle, reveal), settings.demands)
        yield _difficulty(empty, reveal, narrowed(reveal), settings, sample)


def _difficulty(
    empty: Cover, reveal: Reveal, diagram: PuzzleDiagram, settings: Settings, sample: int
) -> Difficulty:
    count = diagram.count(reveal, settings.demands)
    if count > MAX_LISTED:
        raise TooLarge(
            f"{empty.puzzle.name}, {' '.join(reveal)}: difficulty is measured of at most "
            f"{MAX_LISTED:,} tilings, not of {count:,}"
        )
    number = {option: n for n, option in enumerate(empty.options)}
    listed = np.array(
        [[number[each] for each in tiling] for tiling in diagram.tilings(reveal, settings.demands)],
        np.int64,
    ).reshape(count, sum(item.copies for item in empty.items))
    has = np.zeros((count, len(number)), bool)  # [tiling, placement]
    np.put_along_axis(has, listed, True, axis=1)
    occurs = np.zeros(len(number), bool)
    occurs[listed] = True
    size = min(sample, count)
    chosen = [listed[n * count // size] for n in range(size)]
    words = _Words(empty)
    nodes, forced = words.search()
    return Difficulty(
        reveal, count, nodes, forced,
        guesses=_spread([_fewest(words.closed(tiling)) for tiling in chosen]),
        right=_spread([_fewest(_unshared(has[:, tiling])) for tiling in chosen]),
        examined=size,
        shares={i.name: (int(occurs[i.options].sum()), len(i.options)) for i in empty.items},
    )  # fmt: skip


def _spread(numbers: Sequence[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def _fewest(sets: Array) -> int:
    """Return the size of the smallest of some sets; a number's bits are the members of its set."""
    return int(np.bitwise_count(np.flatnonzero(sets)).min())


def _unshared(has: Array) -> Array:
    """Return which sets of a tiling's placements no other tiling has, bool [2 ** placements].

    ``has``: bool [tilings, placements], which of them each tiling has, its own row among them.
    """
    size = has.shape[1]
    sharing = np.bincount(has @ (1 << np.arange(size)), minlength=1 << size)
    for n in range(size):  # from those with just this set to those with it: sum over its supersets
        pairs = sharing.reshape(-1, 2, 1 << n)
        pairs[:, 0] += pairs[:, 1]
    unshared: Array = sharing == 1
    return unshared


class _Words:
    """A cover whose sets of cells are words: cell (line, place) is bit ``line * width + place``."""

    def __init__(self, empty: Cover) -> None:
        order = cell_order(empty.cells)
        x = 0 if order == sorted(order) else 1  # the lines are rows, or columns
        self.width = (empty.puzzle.columns, empty.puzzle.rows)[x]
        self.bit = {cell: cell[x] * self.width + cell[1 - x] for cell in order}
        masks = [sum(1 << self.bit[cell] for cell in option.cells) for option in empty.options]
        self.cells, self.item = np.array(masks, np.uint64), np.array(empty.item_of, np.int64)
        self.copies = [item.copies for item in empty.items]
        areas = np.bitwise_count(self.cells)
        self.areas = [max(areas[item.options], default=0) for item in empty.items]

    def closed(self, tiling: Array) -> Array:
        """Return from which sets of a tiling's placements the rest follows, one by one.

        bool [2 ** placements]. A cell or a piece is decided if nothing else is left for it: if
        each other placement overlaps one of the set, or has no copy of its piece left.
        """
        own, everything = self.cells[tiling], (1 << len(tiling)) - 1
        overlaps = (self.cells[:, None] & own != 0) @ (1 << np.arange(len(tiling)))
        same = self.item[:, None] == self.item[tiling]
        same[tiling] = False
        # a set rules out another placement if it meets, for each copy of its piece, these sets
        other, copy = np.nonzero(same)
        needed = overlaps[other] | 1 << copy
        left = np.zeros((2, everything + 1), np.uint64)  # [cells or pieces, set]
        np.bitwise_or.at(left[0], needed, self.cells[other])
        np.bitwise_or.at(left[1], needed, ONE << self.item[other].astype(np.uint64))
        for n in range(len(tiling)):  # what is needed and lies within a set, which is not met by
            pairs = left.reshape(2, -1, 2, 1 << n)
            pairs[:, :, 1] |= pairs[:, :, 0]
        cells, pieces = left[:, ::-1]  # ... the set's complement
        follows = np.arange(everything + 1)
        for n, (cell, item) in enumerate(zip(own, self.item[tiling], strict=True)):
            decided = (cells & cell != cell) | (pieces >> np.uint64(item) & ONE == 0)
            follows |= decided.astype(np.int64) << n
        while (further := follows[follows]).tobytes() != follows.tobytes():
            follows = further
        closed: Array = follows == everything
        return closed

    def search(self) -> tuple[int, int]:
        """Return the nodes that the method search visits, and from how many one placement goes on.

        Partial tilings of the same cells by the same pieces are looked at once, and counted as
        often as there are: what takes search seconds takes a fraction of one.
        """
        unit, fills = self._fills()
        root = np.array([sum(1 << n for n in self.bit.values())], np.uint64)
        layers: dict[int, list[tuple[Array, ...]]] = {n: [] for n in self.bit.values()}
        everything = np.array([len(fills) - 1])
        if layers and self._fillable(root, everything, fills)[0]:
            layers[next(iter(layers))].append((root, everything, np.ones(1, np.int64)))
        first = np.bitwise_count((self.cells & ~self.cells + ONE) - ONE)
        nodes, forced = 1, 0
        for n, states in layers.items():
            starting = np.flatnonzero(first == n).tolist()
            if not states or not starting:
                continue
            uncovered, remaining, paths = _merged(*map(np.concatenate, zip(*states, strict=True)))
            states.clear()
            grown = []
            for option in starting:
                cells, item = self.cells[option], self.item[option]
                free = uncovered & cells == cells
                at = np.flatnonzero(free & (remaining // unit[item] % (self.copies[item] + 1) > 0))
                grown.append((at, uncovered[at] ^ cells, remaining[at] - unit[item]))
            parent, uncovered, remaining = map(np.concatenate, zip(*grown, strict=True))
            nodes += int(paths[parent].sum())
            kept = self._fillable(uncovered, remaining, fills)
            parent, uncovered, remaining = parent[kept], uncovered[kept], remaining[kept]
            forced += int(paths[np.bincount(parent, minlength=len(paths)) == 1].sum())
            next_cell = np.bitwise_count((uncovered & ~uncovered + ONE) - ONE)
            for later in layers:
                at = np.flatnonzero(next_cell == later)
                if len(at):
                    layers[later].append((uncovered[at], remaining[at], paths[parent[at]]))
        return nodes, forced

    def _fills(self) -> tuple[list[int], Array]:
        """Return what a copy of each item adds to a number for what remains, and what that fills.

        The latter is bool [what remains, area]: whether some of it have that area together.
        """
        unit, fills = [], np.zeros((1, MAX_CELLS + 1), bool)
        fills[0, 0] = True
        for copies, area in zip(self.copies, self.areas, strict=True):
            unit.append(len(fills))
            last = fills
            for _ in range(copies):
                last = last | np.pad(last, ((0, 0), (area, 0)))[:, : MAX_CELLS + 1]
                fills = np.concatenate([fills, last])
        return unit, fills

    def _fillable(self, uncovered: Array, remaining: Array, fills: Array) -> Array:
        """Return whether what remains fills each connected part, by its area; bool [states]."""
        line = np.uint64(self.width)
        inner = np.uint64(sum(1 << n for n in range(MAX_CELLS) if n % self.width))  # not the first
        fillable = np.ones(len(uncovered), bool)
        at, left = np.arange(len(uncovered)), uncovered
        while len(at):
            part, before = left & ~left + ONE, np.zeros_like(left)
            while (part != before).any():
                before = part
                beside = (part & inner) >> ONE | part << ONE & inner
                part = (part | beside | part << line | part >> line) & left
            fillable[at] = fills[remaining[at], np.bitwise_count(part)]
            left = left ^ part
            more = fillable[at] & (left != 0)
            at, left = at[more], left[more]
        return fillable


def _merged(uncovered: Array, remaining: Array, paths: Array) -> tuple[Array, Array, Array]:
    """Return the distinct states, and how many paths lead to each."""
    order = np.lexsort((remaining, uncovered))
    uncovered, remaining = uncovered[order], remaining[order]
    new = (uncovered[1:] != uncovered[:-1]) | (remaining[1:] != remaining[:-1])
    starts = np.flatnonzero(np.concatenate([[True], new]))
    return uncovered[starts], remaining[starts], np.add.reduceat(paths[order], starts)
