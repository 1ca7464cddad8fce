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
from satcal.puzzle.pruner import Pruner, after_using, unfillable
from satcal.puzzle.shapes import Cell

Masks = NDArray[np.uint64]
Numbers = NDArray[np.intp]
LEVELS = ("none", "single", "pair", "closed")
WORD = 64
_CHUNK = 1 << 17  # pairs at a time: some arrays of 1 MiB, which stay in the cache


def lemmas(cover: Cover, level: str) -> list[Clause]:
    """The lemmas of a cover as clauses, single ones first.

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
    clauses = [[-index - 1] for index in dead]
    if level != "single":
        clauses += ([-a - 1, -b - 1] for a, b in _dead_pairs(cover, pruner, dead))
    return closed(cover, clauses) if level == "closed" else clauses


def strongest(cover: Cover) -> str:
    """The strongest level of lemmas that a cover can have."""
    largest = "closed" if len(cover.options) <= MOST_OPTIONS else "pair"
    return largest if fits_word(cover) else "single"


def strengthened(cover: Cover, level: str) -> tuple[Cover, list[Clause]]:
    """The cover without what :func:`lemmas` forbid, and those over the rest."""
    clauses = lemmas(cover, level)
    dead = {-clause[0] - 1 for clause in clauses if len(clause) == 1}
    allowed = [index not in dead for index in range(len(cover.options))]
    new = [0, *np.cumsum(allowed).tolist()]  # per old variable, its new number
    pairs = (clause for clause in clauses if len(clause) == 2)
    return keep(cover, allowed), [[-new[-a], -new[-b]] for a, b in pairs]


def fits_word(cover: Cover) -> bool:
    """Whether a mask of the board, gaps included, is one word."""
    return cover.puzzle.rows * cover.puzzle.columns <= WORD


def _dead_options(cover: Cover, pruner: Pruner) -> list[int]:
    """The options that leave a component nobody can fill."""
    remaining = [after_using(pruner.copies, [item]) for item in range(len(pruner.copies))]
    sums = [pruner.sums(areas) for areas in remaining]
    if not fits_word(cover):
        cells = set(cover.cells)
        return [
            index
            for index, item in enumerate(cover.item_of)
            if unfillable(cells.difference(cover.options[index].cells), sums[item])
        ]
    board, options = _words(cover)
    fillable = np.array([total % 2**WORD for total in sums], dtype=np.uint64)[cover.item_of]
    living = each_part_has(fillable, board & ~options, cover.puzzle.columns)
    return np.flatnonzero(~living).tolist()


def _dead_pairs(cover: Cover, pruner: Pruner, dead: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the disjoint, living pairs that leave a component nobody can fill."""
    board, options = _words(cover)
    items = np.array(cover.item_of, dtype=np.intp)
    kinds = range(len(pruner.copies))
    sums = np.zeros((len(kinds), len(kinds)), dtype=np.uint64)  # of all but two items
    for a, b in itertools.product(kinds, kinds):
        remaining = after_using(pruner.copies, [a, b])
        if min(remaining) >= 0:
            sums[a, b] = pruner.sums(remaining) % 2**WORD
    living = np.delete(np.arange(len(items)), dead)
    for first, second in _pairs(options, items, living, np.array(pruner.copies)):
        free = board & ~(options[first] | options[second])
        dead_pair = ~each_part_has(sums[items[first], items[second]], free, cover.puzzle.columns)
        yield from zip(first[dead_pair].tolist(), second[dead_pair].tolist(), strict=True)


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


def _words(cover: Cover) -> tuple[np.uint64, Masks]:
    """A board and its options as words: bit ``row * columns + column`` is the cell."""
    columns = cover.puzzle.columns

    def word(cells: Iterable[Cell]) -> np.uint64:
        return np.uint64(sum(1 << (row * columns + column) for row, column in cells))

    return word(cover.cells), np.array([word(option.cells) for option in cover.options], np.uint64)


def each_part_has(areas: Masks, free: Masks, width: int) -> NDArray[np.bool_]:
    """Whether the area of each connected part is among ``areas``, per word of free cells.

    A cell is bit ``line * width + place`` of its word, an area that bit of the word in ``areas``;
    a whole board of 64 cells is bit 0.
    """
    one, line = np.uint64(1), np.uint64(width)
    inner = np.uint64(sum(1 << bit for bit in range(WORD) if bit % width))  # not first in its line
    has = np.ones(len(free), dtype=bool)
    where, rest = np.arange(len(free)), free
    while len(where):
        part, before = rest & (~rest + one), np.zeros_like(rest)
        while not np.array_equal(part, before):
            before = part
            beside = ((part << one) & inner) | ((part & inner) >> one)
            part = (part | beside | (part << line) | (part >> line)) & rest
        area = (np.bitwise_count(part) % WORD).astype(np.uint64)
        has[where] = (areas[where] >> area) & one != 0
        rest = rest & ~part
        going = has[where] & (rest != 0)
        where, rest = where[going], rest[going]
    return has
