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

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from satcal.encoding.consistency import MAX_OPTIONS, Pairs, close_lemmas
from satcal.encoding.formula import Clause
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.placements import Cover, keep
from satcal.puzzle.shapes import Cell, sum_areas

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
        raise OptionError(f"there are no lemmas '{lemmas}'; use {' or '.join(LEMMAS)}")
    if lemmas == "none":
        return cover, []
    if len(cover.options) > MAX_OPTIONS:
        raise TooLarge(
            f"lemmas need at most {MAX_OPTIONS} placements, and {cover.puzzle.name} has "
            f"{len(cover.options)}; use --lemmas none"
        )
    clauses = close_lemmas(cover, find_area_lemmas(cover))
    dead = {-clause[0] - 1 for clause in clauses if len(clause) == 1}
    allowed = [index not in dead for index in range(len(cover.options))]
    new_variable = [0, *np.cumsum(allowed).tolist()]
    pairs = (clause for clause in clauses if len(clause) == 2)
    return keep(cover, allowed), [[-new_variable[-a], -new_variable[-b]] for a, b in pairs]


def find_area_lemmas(cover: Cover) -> Pairs:
    """Return the options, then the pairs of others, that leave an unfillable part.

    An option alone is paired with itself. Return none if rows times columns of the board exceed 64.
    """
    if cover.puzzle.rows * cover.puzzle.columns > WORD:
        return np.empty((0, 2), np.intp)
    board, options = _pack_cells(cover)
    # a piece has one area, a category has those of its labels
    areas = [{len(cover.options[index].cells) for index in item.options} for item in cover.items]
    copies = np.array([item.copies for item in cover.items])
    used = np.eye(len(copies), dtype=np.intp)  # row i: one copy of item i
    alone = np.array([sum_fillable(areas, copies - row) for row in used], np.uint64)
    both = np.array(
        [[sum_fillable(areas, copies - row - other) for other in used] for row in used], np.uint64
    )
    item_of = np.array(cover.item_of, np.intp)
    allowed = have_areas(alone[item_of], board & ~options, cover.puzzle.columns)
    dead = np.flatnonzero(~allowed)
    forbidden = [np.stack([dead, dead], axis=1)]
    for first, second in _iterate_pairs(options, item_of, np.flatnonzero(allowed), copies):
        free = board & ~(options[first] | options[second])
        leaves_none = ~have_areas(both[item_of[first], item_of[second]], free, cover.puzzle.columns)
        forbidden.append(np.stack([first[leaves_none], second[leaves_none]], axis=1))
    return np.concatenate(forbidden)


def sum_fillable(areas: Sequence[set[int]], copies: Numbers) -> int:
    """Return, as bits, the areas that copies of items can fill; ``areas`` are those of one copy."""
    choices = (own | {0} for own, number in zip(areas, copies, strict=True) for _ in range(number))
    return sum(1 << total for total in sum_areas(choices) if total < WORD)


def _iterate_pairs(
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


def _pack_cells(cover: Cover) -> tuple[np.uint64, Masks]:
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
