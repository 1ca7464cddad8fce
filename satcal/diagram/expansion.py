"""The one step of every count: place each option of a cell on each state that lets it.

A sweep takes the cells in order. A *state* of layer c has c as its first uncovered cell: it is a
word with the covered cells from c on, a *frontier*, and below them, where a sweep wants that, how
often items are used. What an option leads to waits in the layer of its own first uncovered cell.
There equal states merge, and what they carry is put together.

Two sweeps take this step. :mod:`.frontiers` keeps all layers and the arcs between them, for the
graph. :mod:`.layers` lets go of each layer and carries the number of ways to each state. This is
the transfer-matrix method, also called the broken profile.

The first uncovered cell of a state is found by its trailing ones:

>>> trailing_ones(np.array([0b0, 0b10, 0b1011], np.uint32)).tolist()
[0, 0, 2]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from satcal.diagram.model import Array, ExactCover, Watch, kind_of, sort_order

WIDEST = 62
"""Bits of a state, for it to fit a word; where it may not, states are Python integers."""
# Bytes needed at once, beside its columns, per row; measured with tracemalloc.
MERGING_BYTES = 36  # a row that is merged into its layer
EXPANDING_BYTES = 37  # a row while it is made, its columns twice
Columns = tuple[Array, ...]
"""What states carry, each column [states] or [arrivals]."""


class Sweep(ABC):
    """A sweep over all layers; a subclass says what states carry and what is kept.

    ``waiting[c]`` collects the rows that arrive in layer c until it is built: words, then columns.
    ``held[c]`` is the number of rows whose memory is free then. ``options[c]`` are those whose
    first cell is c; ``low`` is the number of bits below the frontier.
    """

    row_bytes: int

    def __init__(self, problem: ExactCover, watch: Watch, low: int = 0) -> None:
        self.problem, self.watch, self.low = problem, watch, low
        first = problem.first()
        layers = problem.cells + 1
        self.options: list[list[int]] = [[] for _ in range(layers)]
        for option, cell in enumerate(first):
            self.options[cell].append(option)
        cells = [mask >> cell for mask, cell in zip(problem.mask, first, strict=True)]
        self.width = low + max(map(int.bit_length, cells), default=1)
        self.dtype: Any = object
        self.scalar: Any = int
        if self.width <= WIDEST:  # with a bit to spare, as one is added to all ones
            self.dtype, self.scalar = kind_of(self.width + 1)
        self.mask = np.array([mask << low for mask in cells], self.dtype)
        self.waiting: list[list[Columns]] = [[] for _ in range(layers)]
        self.held = [0] * layers

    @abstractmethod
    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Put together what equal states carry; return which of the states are kept, as bool.

        ``words`` are distinct and ascending. ``order`` sorts the ``rows`` that arrived, and
        ``first`` is where in it each word begins.
        """

    @abstractmethod
    def carry(self, at: Array, option: Array) -> Columns:
        """Return what arrives by options from the states of the last layer at some indices."""

    def fitting(self, words: Array, option: int) -> Array:
        """Return the indices of the states on which an option can be placed."""
        return np.flatnonzero(words & self.mask[option] == 0)

    def place(self, words: Array, option: Array) -> Array:
        """Return states with an option on each of them."""
        covered: Array = words | self.mask[option]
        return covered

    def build(self, layer: int) -> int:
        """Merge what arrived in a layer, and place its options; return its number of states."""
        blocks, self.waiting[layer] = self.waiting[layer], []
        arrived = sum(len(block[0]) for block in blocks)
        waiting = self.row_bytes * sum(self.held[layer:])
        needed = (self.row_bytes + MERGING_BYTES) * arrived + waiting
        self.watch.check_memory(needed, f"frontiers of layer {layer + 1}")
        if not arrived:
            return 0
        words, *rows = concatenate(blocks)
        blocks.clear()
        order = sort_order(words, self.width)
        words = words[order]
        first = np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1]]))
        words = words[first]
        kept = self.merge(layer, words, order, first, tuple(rows))
        words = words[kept]
        if len(words) and self.options[layer]:
            self.expand(layer, words)
        return len(words)

    def expand(self, layer: int, words: Array) -> None:
        """Place each option of a layer on each state that lets it."""
        hits = []
        for one in self.options[layer]:
            hits.append(self.fitting(words, one))
            self.watch.pulse()
        sizes = [len(hit) for hit in hits]
        needed = (2 * self.row_bytes + EXPANDING_BYTES) * sum(sizes)
        needed += self.row_bytes * sum(self.held[layer + 1 :])
        self.watch.check_memory(needed, f"steps from layer {layer + 1}")
        at = np.concatenate(hits)
        option = np.repeat(np.array(self.options[layer], np.int32), sizes)
        reached = self.place(words[at], option)
        frontier = reached >> self.scalar(self.low)
        ones = trailing_ones(frontier)
        frontier >>= ones.astype(self.dtype)
        if self.low:
            reached &= self.scalar((1 << self.low) - 1)
            reached |= frontier << self.scalar(self.low)
        else:
            reached = frontier
        order = np.argsort(ones, kind="stable")
        rows = [column[order] for column in (reached, *self.carry(at, option))]
        counts = np.bincount(ones)
        end = 0
        for step in np.flatnonzero(counts).tolist():
            begin, end = end, end + int(counts[step])
            self.waiting[layer + step].append(tuple(column[begin:end] for column in rows))
        # the parts are views: all of it is held until the last of them is merged
        self.held[layer + len(counts) - 1] += len(reached)


def concatenate(blocks: list[Columns]) -> Columns:
    """Return the columns of blocks one after another; a block may have fewer of them."""
    width = max(map(len, blocks))
    return tuple(
        np.concatenate(
            [block[n] if n < len(block) else np.zeros(len(block[0]), np.int64) for block in blocks]
        )
        for n in range(width)
    )


def trailing_ones(bits: Array) -> Array:
    """Return the number of ones below the lowest zero of each word."""
    if bits.dtype == object:  # a board may have more than 255 cells
        return np.array([(~word & word + 1).bit_length() - 1 for word in bits], np.uint16)
    ones: Array = np.bitwise_count(bits & ~(bits + bits.dtype.type(1)))
    return ones
