"""States with the number of ways that lead to each: blocks of them, merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satcal.counting.diagram.bits import sort_order
from satcal.counting.diagram.model import Array

LIMB = 32  # bits; a sum of fewer than 2**32 limbs fits 64


class States(NamedTuple):
    """States of one layer with the number of ways that lead to each.

    ``bits`` [states]: the frontier, uint32 or uint64. ``left`` [states]: what remains, packed.
    ``ways`` [states, limbs]: uint64, each a digit to the base 2**32, the lowest first.
    """

    bits: Array
    left: Array
    ways: Array

    def at(self, index: Array | slice) -> States:
        """Return those of an index."""
        return States(self.bits[index], self.left[index], self.ways[index])

    @property
    def nbytes(self) -> int:
        """Their size in memory."""
        return sum(column.nbytes for column in self)


def number_of(ways: Array) -> int:
    """Return the sum of ways, [states, limbs], as one integer."""
    return sum(int(limb) << LIMB * place for place, limb in enumerate(ways.sum(axis=0).tolist()))


def merged(blocks: Sequence[States], span: int, width: int) -> States:
    """Return the distinct states of some blocks, ascending, the ways of equal ones added up."""
    limbs = max(block.ways.shape[1] for block in blocks)
    bits = np.concatenate([block.bits for block in blocks])
    left = np.concatenate([block.left for block in blocks])
    ways = np.concatenate([_with(block.ways, limbs) for block in blocks])
    order = sort_order(left, width)
    order = order[sort_order(bits[order], span)]
    bits, left = bits[order], left[order]
    new = np.ones(len(bits), bool)
    new[1:] = (bits[1:] != bits[:-1]) | (left[1:] != left[:-1])
    starts = np.flatnonzero(new)
    if not len(starts):
        return States(bits, left, ways)
    total = np.add.reduceat(ways[order], starts, axis=0)
    return States(bits[starts], left[starts], _carried(total))


def _with(ways: Array, limbs: int) -> Array:
    missing = limbs - ways.shape[1]
    return np.pad(ways, ((0, 0), (0, missing))) if missing else ways


def _carried(ways: Array) -> Array:
    """Return sums of fewer than 2**32 numbers with each limb below its base again."""
    carry = np.zeros(len(ways), np.uint64)
    for place in range(ways.shape[1]):
        ways[:, place] += carry
        carry = ways[:, place] >> np.uint64(LIMB)
        ways[:, place] &= np.uint64((1 << LIMB) - 1)
    return np.column_stack([ways, carry]) if carry.any() else ways
