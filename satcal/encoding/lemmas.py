"""Lemmas: clauses that the encodings do not contain, but that every tiling satisfies.

A placement, or a pair of placements, is forbidden if it leaves a connected component whose area is
not a sum of areas of the other pieces and labels (Haselgrove's rule). Then the lemmas are closed
under consistency (:mod:`satcal.encoding.consistency`). Boards are 64-bit masks here, as all pairs
are tested; a larger board has only the lemmas of consistency.

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
CHUNK = 1 << 17  # pairs tested together: arrays of 1 MiB stay in the processor's cache


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
    new_variable = [0, *np.cumsum(allowed).tolist()]
    pairs = (clause for clause in clauses if len(clause) == 2)
    return keep(cover, allowed), [[-new_variable[-a], -new_variable[-b]] for a, b in pairs]


def area_lemmas(cover: Cover) -> list[Clause]:
    """Return lemmas against the options, then against the pairs, that leave an unfillable part.

    Return none if rows times columns of the board exceed 64.
    """
    if cover.puzzle.rows * cover.puzzle.columns > WORD:
        return []
    board, options = _words(cover)
    # a piece has one area, a category has those of its labels
    areas = [{len(cover.options[index].cells) for index in item.options} for item in cover.items]
    items = list(zip(areas, [item.copies for item in cover.items], strict=True))
    sums = np.array([fillable(items, [index]) for index in range(len(items))], dtype=np.uint64)
    allowed = have_areas(sums[cover.item_of], board & ~options, cover.puzzle.columns)
    clauses = [[-index - 1] for index in np.flatnonzero(~allowed).tolist()]
    return [*clauses, *([-a - 1, -b - 1] for a, b in _forbidden_pairs(cover, items, allowed))]


Areas = Sequence[tuple[set[int], int]]
"""For each piece or category, the areas of its options, and its copies."""


def fillable(items: Areas, used: Sequence[int]) -> int:
    """Return, as bits, the areas that the items can fill without the used copies.

    ``used`` has, for each used copy, the index of its item.
    """
    sums = 1
    for index, (areas, copies) in enumerate(items):
        for _ in range(copies - used.count(index)):
            for shifted_sums in [sums << area for area in areas]:
                sums |= shifted_sums
    return sums & (1 << WORD) - 1


def _forbidden_pairs(
    cover: Cover, items: Areas, allowed: NDArray[np.bool_]
) -> Iterator[tuple[int, int]]:
    """Yield the disjoint pairs of allowed options that leave an unfillable part."""
    board, options = _words(cover)
    item_of = np.array(cover.item_of, dtype=np.intp)
    copies = np.array([copies for _, copies in items])
    sums = np.zeros((len(items), len(items)), dtype=np.uint64)  # two used copies
    for a, b in itertools.combinations_with_replacement(range(len(items)), 2):
        sums[a, b] = sums[b, a] = fillable(items, [a, b])
    for first, second in _pairs(options, item_of, np.flatnonzero(allowed), copies):
        free = board & ~(options[first] | options[second])
        areas = sums[item_of[first], item_of[second]]
        forbidden = ~have_areas(areas, free, cover.puzzle.columns)
        yield from zip(first[forbidden].tolist(), second[forbidden].tolist(), strict=True)


def _pairs(
    masks: Masks, items: Numbers, options: Numbers, copies: Numbers
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the disjoint pairs a < b that do not share the only copy of a piece, in chunks."""
    firsts, seconds, size = [], [], 0
    for position, a in enumerate(options):
        others = options[position + 1 :]
        is_compatible = (masks[others] & masks[a]) == 0
        if copies[items[a]] == 1:
            is_compatible &= items[others] != items[a]
        others = others[is_compatible]
        firsts.append(np.full(len(others), a))
        seconds.append(others)
        size += len(others)
        if size >= CHUNK or position == len(options) - 1:
            yield np.concatenate(firsts), np.concatenate(seconds)
            firsts, seconds, size = [], [], 0


def _words(cover: Cover) -> tuple[np.uint64, Masks]:
    """Return a cover's cells and its options as words: a cell is bit row · columns + column."""
    columns = cover.puzzle.columns

    def word(cells: Iterable[Cell]) -> np.uint64:
        return np.uint64(sum(1 << (row * columns + column) for row, column in cells))

    return word(cover.cells), np.array([word(option.cells) for option in cover.options], np.uint64)


def have_areas(areas: Masks, free: Masks, width: int) -> NDArray[np.bool_]:
    """Return for each word of free cells whether the area of every component is in its ``areas``.

    A cell is bit ``row * width + column`` of its word. An area n is bit n of the word in ``areas``;
    64, a whole board, is bit 0.
    """
    one, line = np.uint64(1), np.uint64(width)
    inner = np.uint64(sum(1 << bit for bit in range(WORD) if bit % width))  # not in column 0
    result = np.ones(len(free), dtype=bool)
    index, rest = np.arange(len(free)), free
    while len(index):
        part, last_part = rest & (~rest + one), np.zeros_like(rest)
        while not np.array_equal(part, last_part):
            last_part = part
            neighbours = ((part << one) & inner) | ((part & inner) >> one)
            part = (part | neighbours | (part << line) | (part >> line)) & rest
        area = (np.bitwise_count(part) % WORD).astype(np.uint64)
        result[index] = (areas[index] >> area) & one != 0
        rest = rest & ~part
        is_open = result[index] & (rest != 0)
        index, rest = index[is_open], rest[is_open]
    return result
