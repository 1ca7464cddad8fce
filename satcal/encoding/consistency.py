"""Consistency of lemmas: two options that leave some cell without an option exclude each other.

Two options *go together* if they overlap nowhere, do not both take the only copy of a piece,
and no lemma forbids them; an option goes together with itself. They stop to do so when some
cell, or some piece, has no option left that goes together with both. This is strong path
consistency (Montanari 1974) of the pairs, over the cells and pieces alone.

Why the lemmas are sound: let p and q (perhaps the same) be options of one tiling. It satisfies
the lemmas that this starts from, so p and q go together in the beginning. It covers each cell
and uses each piece, by an option s of its own; as long as all pairs of its options go together,
s goes together with p and with q, so none of these pairs is ever given up. What is given up is
therefore part of no tiling, and an option that no longer goes together with itself is in none.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from satcal.encoding.formula import Clause
from satcal.puzzle.placements import Cover

Together = NDArray[np.bool_]
"""A symmetric matrix over options: do two go together?"""
LEAST_GAIN = 0.1  # of the pairs, for another round; 0.05 to 0.5 make no difference
MAX_OPTIONS = 4096  # the matrix has a byte for each two of them, 16 MiB


def close_lemmas(
    cover: Cover, lemmas: Iterable[Clause], least_gain: float = LEAST_GAIN
) -> list[Clause]:
    """Return lemmas, of one or two options each, closed under consistency."""
    # per cell and then per piece, which options a tiling may take one of
    groups = [*cover.by_cell.values(), *(item.options for item in cover.items)]
    count = len(cover.options)
    member = np.zeros((len(groups), count), dtype=bool)
    for row, options in zip(member, groups, strict=True):
        row[options] = True
    before = np.ones((count, count), dtype=bool)  # as far as cells and pieces say
    single = [item.options for item in cover.items if item.copies == 1]
    for options in [*cover.by_cell.values(), *single]:
        before[np.ix_(options, options)] = False
    np.fill_diagonal(before, True)
    together = before.copy()
    ends = [(clause[0], clause[-1]) for clause in lemmas]  # in a lemma about one, the same
    a, b = -np.array(ends, dtype=np.intp).reshape(-1, 2).T - 1
    together[a, b] = together[b, a] = False
    live = np.arange(count)
    gains = True
    while True:
        good = np.flatnonzero(together.diagonal())
        live, together = live[good], together[np.ix_(good, good)]
        if not gains:
            break
        pairs = np.count_nonzero(together)
        _sweep(together, [np.flatnonzero(group) for group in member[:, live]])
        gains = bool(np.count_nonzero(together) < pairs * (1 - least_gain))
    dead = np.setdiff1d(np.arange(count), live)
    first, second = np.nonzero(np.triu(before[np.ix_(live, live)] & ~together))
    lost: list[Clause] = (-np.stack([live[first], live[second]], axis=1) - 1).tolist()
    return [[-index - 1] for index in dead.tolist()] + lost


def _sweep(together: Together, groups: Iterable[NDArray[np.intp]]) -> None:
    """Give up the pairs that leave a group without an option for both."""
    first, second = np.nonzero(np.triu(together))
    for group in groups:
        keep = np.zeros(len(first), dtype=bool)
        for word in _words(together[:, group]):
            keep |= (word[first] & word[second]) != 0
        a, b = first[~keep], second[~keep]
        together[a, b] = together[b, a] = False
        first, second = first[keep], second[keep]


def _words(bits: Together) -> NDArray[np.uint64]:
    """Return the rows of a matrix as words of 64 bits: one array per 64 columns."""
    packed = np.packbits(bits, axis=1)
    padded = np.zeros((len(bits), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)
