"""Lemmas: clauses that no encoding contains, but that every tiling satisfies.

A placement, or a pair of placements, is forbidden if it leaves a connected component whose area is
no sum of the areas of the other pieces and labels (Haselgrove's rule). From there the lemmas are
closed under consistency (:mod:`satcal.encoding.consistency`). Boards are 64-bit masks here, because
all pairs are looked at; a larger board has the lemmas of consistency alone.

>>> from satcal.puzzle.loading import load
>>> from satcal.puzzle.placements import cover_of
>>> cover = cover_of(load("a-puzzle-a-day"), ("Oct", "6"))
>>> stronger, clauses = apply_lemmas(cover, "closed")
>>> len(cover.options), len(stronger.options), len(clauses)
(681, 32, 179)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from satcal.encoding.consistency import MAX_OPTIONS, close_lemmas
from satcal.encoding.formula import Clause
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.placements import Cover, keep
from satcal.puzzle.shapes import Cell

Masks = NDArray[np.uint64]
Numbers = NDArray[np.intp]
LEMMAS = ("closed", "none")
WORD = 64
CHUNK = 1 << 17  # pairs at a time: some arrays of 1 MiB, which stay in the cache


def apply_lemmas(cover: Cover, lemmas: str) -> tuple[Cover, list[Clause]]:
    """Return the cover without the options that lemmas forbid, and the lemmas over the rest.

    Raises:
        OptionError: there are no such lemmas.
        TooLarge: the cover has too many options.
    """
    if lemmas not in LEMMAS:
        raise OptionError(f"no lemmas '{lemmas}'; use {' or '.join(LEMMAS)}")
    if lemmas == "none":
        return cover, []
    if len(cover.options) > MAX_OPTIONS:
        raise TooLarge(
            f"lemmas need at most {MAX_OPTIONS} placements, and {cover.puzzle.name} has "
            f"{len(cover.options)}; use --lemmas none"
        )
    clauses = close_lemmas(cover, area_lemmas(cover))
    dead = {-clause[0] - 1 for clause in clauses if len(clause) == 1}
    allowed = [index not in dead for index in range(len(cover.options))]
    new = [0, *np.cumsum(allowed).tolist()]  # per old variable, its new number
    pairs = (clause for clause in clauses if len(clause) == 2)
    return keep(cover, allowed), [[-new[-a], -new[-b]] for a, b in pairs]


def area_lemmas(cover: Cover) -> list[Clause]:
    """Return the options, and then the pairs of other options, that leave an unfillable part.

    There are none for a board of more than 64 cells, its gaps included.
    """
    if cover.puzzle.rows * cover.puzzle.columns > WORD:
        return []
    board, options = _words(cover)
    # of a piece they are one area, of a category those of its labels
    areas = [{len(cover.options[index].cells) for index in item.options} for item in cover.items]
    items = list(zip(areas, [item.copies for item in cover.items], strict=True))
    sums = np.array([fillable(items, [kind]) for kind in range(len(items))], dtype=np.uint64)
    living = each_part_has(sums[cover.item_of], board & ~options, cover.puzzle.columns)
    clauses = [[-index - 1] for index in np.flatnonzero(~living).tolist()]
    return [*clauses, *([-a - 1, -b - 1] for a, b in _dead_pairs(cover, items, living))]


Areas = Sequence[tuple[set[int], int]]
"""For each piece or category the areas of its options, and its copies."""


def fillable(items: Areas, used: Sequence[int]) -> int:
    """Return the areas that the items without those ``used`` can fill together, as bits."""
    sums = 1
    for number, (areas, copies) in enumerate(items):
        for _ in range(copies - used.count(number)):
            for more in [sums << area for area in areas]:
                sums |= more
    return sums & (1 << WORD) - 1


def _dead_pairs(cover: Cover, items: Areas, living: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the disjoint, living pairs that leave an unfillable part."""
    board, options = _words(cover)
    item_of = np.array(cover.item_of, dtype=np.intp)
    copies = np.array([copies for _, copies in items])
    sums = np.zeros((len(items), len(items)), dtype=np.uint64)  # of all but two items
    for a, b in itertools.combinations_with_replacement(range(len(items)), 2):
        sums[a, b] = sums[b, a] = fillable(items, [a, b])
    for first, second in _pairs(options, item_of, np.flatnonzero(living), copies):
        free = board & ~(options[first] | options[second])
        dead = ~each_part_has(sums[item_of[first], item_of[second]], free, cover.puzzle.columns)
        yield from zip(first[dead].tolist(), second[dead].tolist(), strict=True)


def _pairs(
    masks: Masks, items: Numbers, living: Numbers, copies: Numbers
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs a < b that are disjoint and not of the only copy of a piece, in chunks."""
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
        if size >= CHUNK or position == len(living) - 1:
            yield np.concatenate(firsts), np.concatenate(seconds)
            firsts, seconds, size = [], [], 0


def _words(cover: Cover) -> tuple[np.uint64, Masks]:
    """Return a board and its options as words: bit ``row * columns + column`` is the cell."""
    columns = cover.puzzle.columns

    def word(cells: Iterable[Cell]) -> np.uint64:
        return np.uint64(sum(1 << (row * columns + column) for row, column in cells))

    return word(cover.cells), np.array([word(option.cells) for option in cover.options], np.uint64)


def each_part_has(areas: Masks, free: Masks, width: int) -> NDArray[np.bool_]:
    """Return for each word of free cells whether every connected part has one of its ``areas``.

    A cell is bit ``row * width + column`` of its word, an area that bit of the word in ``areas``; a
    whole board of 64 cells is bit 0.
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
