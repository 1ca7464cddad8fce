"""Lemmas: clauses that no encoding contains, but that every tiling satisfies.

A placement, or a pair of placements, is forbidden if it leaves a connected component whose
area is no sum of the areas of the other pieces, as :class:`~satcal.puzzle.pruner.Pruner`
says; here for all pairs at once, on boards as 64-bit masks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from satcal.encoding.consistency import MOST_OPTIONS, closed
from satcal.encoding.formula import Clause
from satcal.errors import OptionError
from satcal.puzzle.placements import Cover, keep
from satcal.puzzle.pruner import Pruner, unfillable, without
from satcal.puzzle.shapes import Cell

Masks = NDArray[np.uint64]
Numbers = NDArray[np.intp]
LEVELS = ("none", "single", "pair", "closed")
WORD = 64
_CHUNK = 1 << 17  # pairs at a time: some arrays of 1 MiB, which stay in the cache


def lemmas(cover: Cover, level: str) -> list[Clause]:
    """Return the lemmas of a cover as clauses, single ones first.

    ``pair`` includes the single ones, ``closed`` is closed under consistency. Raises
    OptionError if there is no such level, or the board is too large for it.
    """
    if level not in LEVELS:
        raise OptionError(f"no lemmas '{level}'; use one of {', '.join(LEVELS)}")
    if level in ("pair", "closed") and not fits_word(cover):
        raise OptionError(
            f"pair lemmas need a board of at most {WORD} cells with its gaps, and "
            f"{cover.puzzle.name} has {cover.puzzle.rows} x {cover.puzzle.columns}; "
            "use --lemmas single"
        )
    if level == "closed" and len(cover.options) > MOST_OPTIONS:
        raise OptionError(
            f"closed lemmas need at most {MOST_OPTIONS} placements, and {cover.puzzle.name} "
            f"has {len(cover.options)}; use --lemmas pair"
        )
    if level == "none":
        return []
    pruner = Pruner(cover)
    dead = _dead_options(cover, pruner)
    clauses = [[-number - 1] for number in dead]
    if level != "single":
        clauses += ([-a - 1, -b - 1] for a, b in _dead_pairs(cover, pruner, dead))
    return closed(cover, clauses) if level == "closed" else clauses


def strongest(cover: Cover) -> str:
    """Return the strongest level of lemmas that a cover can have."""
    largest = "closed" if len(cover.options) <= MOST_OPTIONS else "pair"
    return largest if fits_word(cover) else "single"


def strengthened(cover: Cover, level: str) -> tuple[Cover, list[Clause]]:
    """Return the cover without what :func:`lemmas` forbid, and those over the rest."""
    clauses = lemmas(cover, level)
    dead = {-clause[0] - 1 for clause in clauses if len(clause) == 1}
    allowed = [number not in dead for number in range(len(cover.options))]
    new = [0, *np.cumsum(allowed).tolist()]  # per old variable, its new number
    pairs = (clause for clause in clauses if len(clause) == 2)
    return keep(cover, allowed), [[-new[-a], -new[-b]] for a, b in pairs]


def fits_word(cover: Cover) -> bool:
    """Return whether a mask of the board, gaps included, is one word."""
    return cover.puzzle.rows * cover.puzzle.columns <= WORD


def _dead_options(cover: Cover, pruner: Pruner) -> list[int]:
    """Return the options that leave a component nobody can fill."""
    remaining = [without(pruner.copies, [item]) for item in range(len(pruner.copies))]
    sums = [pruner.sums(each) for each in remaining]
    if not fits_word(cover):
        cells = set(cover.cells)
        return [
            number
            for number, item in enumerate(cover.item_of)
            if unfillable(cells.difference(cover.options[number].cells), sums[item])
        ]
    grid = _Grid(cover)
    fillable = np.array([each % 2**WORD for each in sums], dtype=np.uint64)
    free = grid.board & ~grid.options
    return np.flatnonzero(grid.has_dead_component(free, fillable[cover.item_of])).tolist()


def _dead_pairs(cover: Cover, pruner: Pruner, dead: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the disjoint, living pairs that leave a component nobody can fill."""
    grid = _Grid(cover)
    items = np.array(cover.item_of, dtype=np.intp)
    kinds = range(len(pruner.copies))
    sums = np.zeros((len(kinds), len(kinds)), dtype=np.uint64)  # of all but two items
    for a, b in itertools.product(kinds, kinds):
        remaining = without(pruner.copies, [a, b])
        if min(remaining) >= 0:
            sums[a, b] = pruner.sums(remaining) % 2**WORD
    living = np.delete(np.arange(len(items)), dead)
    for first, second in _pairs(grid.options, items, living, np.array(pruner.copies)):
        free = grid.board & ~(grid.options[first] | grid.options[second])
        bad = grid.has_dead_component(free, sums[items[first], items[second]])
        yield from zip(first[bad].tolist(), second[bad].tolist(), strict=True)


def _pairs(
    masks: Masks, items: Numbers, living: Numbers, copies: Numbers
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield chunks of pairs a < b, disjoint and not of the only copy of one piece."""
    firsts, seconds, size = [], [], 0
    for position, a in enumerate(living):
        rest = living[position + 1 :]
        beside = (masks[rest] & masks[a]) == 0
        if copies[items[a]] == 1:
            beside &= items[rest] != items[a]
        rest = rest[beside]
        firsts.append(np.full(len(rest), a))
        seconds.append(rest)
        size += len(rest)
        if size >= _CHUNK or position == len(living) - 1:
            yield np.concatenate(firsts), np.concatenate(seconds)
            firsts, seconds, size = [], [], 0


class _Grid:
    """A board and its options as words: bit ``row * columns + column`` is the cell."""

    def __init__(self, cover: Cover) -> None:
        self.columns, rows = cover.puzzle.columns, range(cover.puzzle.rows)
        self.board = self._mask(cover.cells)
        self.options: Masks = np.array([self._mask(o.cells) for o in cover.options], np.uint64)
        self._not_first = ~self._mask((row, 0) for row in rows)
        self._not_last = ~self._mask((row, self.columns - 1) for row in rows)

    def _mask(self, cells: Iterable[Cell]) -> np.uint64:
        return np.uint64(sum(1 << (row * self.columns + column) for row, column in cells))

    def has_dead_component(self, free: Masks, sums: Masks) -> NDArray[np.bool_]:
        """Return, per word of free cells, whether a component's area is not in ``sums``."""
        bad, one = np.zeros(len(free), dtype=bool), np.uint64(1)
        where, rest = np.arange(len(free)), free
        while len(where):
            component = self._flood(rest & (~rest + one), rest)
            area = np.bitwise_count(component).astype(np.uint64)
            dead = (sums[where] >> area & one) == 0
            bad[where[dead]] = True
            rest = rest & ~component
            going = ~dead & (rest != 0)
            where, rest = where[going], rest[going]
        return bad

    def _flood(self, seed: Masks, free: Masks) -> Masks:
        """Return the components of the seeds within the free cells."""
        one, wide = np.uint64(1), np.uint64(self.columns)
        while True:
            grown = seed | (seed << wide) | (seed >> wide)
            grown |= ((seed & self._not_last) << one) | ((seed & self._not_first) >> one)
            grown &= free
            if np.array_equal(grown, seed):
                return seed
            seed = grown
