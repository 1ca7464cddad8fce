"""Consistency of lemmas: two options exclude each other if they leave a cell without an option.

Two options are *compatible* if they do not overlap, do not both use the only copy of a piece, and
no lemma forbids them; an option is compatible with itself. A pair is dropped when a cell or a piece
has no option that is compatible with both. This is strong path consistency (Montanari 1974) of the
pairs, over the cells and pieces.

The lemmas are sound: let p and q (perhaps equal) be options of a tiling. The tiling satisfies the
initial lemmas, so p and q are compatible at the start. For each cell and each piece it has an
option s. While all pairs of its options are compatible, s is compatible with p and with q, so no
pair of the tiling is ever dropped. Therefore a dropped pair is in no tiling, and neither is an
option that is not compatible with itself.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from satcal.encoding.formula import Clause
from satcal.puzzle.placements import Cover

Compatibility = NDArray[np.bool_]
"""A symmetric matrix over options: whether two are compatible."""
Pairs = NDArray[np.intp]
"""Lemmas: rows of two options that exclude each other, or twice the one that is forbidden."""
# A round that drops a smaller share of the pairs is the last. For rhombus, Thu Oct 23, 0.1
# forbids 905 options, 0.2 only 778, and 0.01 none more.
MIN_GAIN = 0.1
MAX_OPTIONS = 4096  # the matrix has a byte for each pair of options: 16 MiB


def close_lemmas(cover: Cover, lemmas: Pairs, min_gain: float = MIN_GAIN) -> list[Clause]:
    """Return, as clauses, the closure of lemmas under consistency."""
    # per cell and then per piece, the options of which a tiling has one or more
    groups = [*cover.by_cell.values(), *(item.options for item in cover.items)]
    count = len(cover.options)
    member = np.zeros((len(groups), count), dtype=bool)
    for row, options in zip(member, groups, strict=True):
        row[options] = True
    disjoint = np.ones((count, count), dtype=bool)  # compatible without any lemma
    one_copy = [item.options for item in cover.items if item.copies == 1]
    for options in [*cover.by_cell.values(), *one_copy]:
        disjoint[np.ix_(options, options)] = False
    np.fill_diagonal(disjoint, True)
    compatible = disjoint.copy()
    a, b = lemmas.T
    compatible[a, b] = compatible[b, a] = False
    live = np.arange(count)
    has_gained = True
    while True:
        rows = np.flatnonzero(compatible.diagonal())
        live, compatible = live[rows], compatible[np.ix_(rows, rows)]
        if not has_gained:
            break
        pairs = np.count_nonzero(compatible)
        _drop_pairs(compatible, [np.flatnonzero(group) for group in member[:, live]])
        has_gained = bool(np.count_nonzero(compatible) < pairs * (1 - min_gain))
    dead = np.setdiff1d(np.arange(count), live)
    first, second = np.nonzero(np.triu(disjoint[np.ix_(live, live)] & ~compatible))
    clauses: list[Clause] = (-np.stack([live[first], live[second]], axis=1) - 1).tolist()
    return [[-index - 1] for index in dead.tolist()] + clauses


def _drop_pairs(compatible: Compatibility, groups: Iterable[NDArray[np.intp]]) -> None:
    """Drop the pairs for which a group has no option that is compatible with both."""
    first, second = np.nonzero(np.triu(compatible))
    for group in groups:
        keep = np.zeros(len(first), dtype=bool)
        for word in _pack_words(compatible[:, group]):
            keep |= (word[first] & word[second]) != 0
        a, b = first[~keep], second[~keep]
        compatible[a, b] = compatible[b, a] = False
        first, second = first[keep], second[keep]


def _pack_words(bits: Compatibility) -> NDArray[np.uint64]:
    """Return the rows of a matrix as words of 64 bits: one array per 64 columns."""
    octets = np.packbits(bits, axis=1)
    padding = np.zeros((len(bits), -(-octets.shape[1] // 8) * 8), dtype=np.uint8)
    padding[:, : octets.shape[1]] = octets
    return np.ascontiguousarray(padding.view(np.uint64).T)
