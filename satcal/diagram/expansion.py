"""The expansion step: place each option of a cell on each state on which it fits.

A sweep takes the cells in order. A *state* of layer c has c as its first uncovered cell. It is a
word, whose bits are the covered cells from c on, the *frontier*. A new state waits in the layer of
its first uncovered cell. There equal states merge, and their values are combined.

There are two sweeps. :mod:`.frontiers` keeps all layers and the arcs between them, for the graph.
:mod:`.layers` discards each layer and carries the number of paths to each state. This is the
transfer-matrix method, also called the broken profile.

The first uncovered cell of a state is found by its trailing ones:

>>> trailing_ones(np.array([0b0, 0b10, 0b1011], np.uint32)).tolist()
[0, 0, 2]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from satcal.diagram.model import Array, ExactCover, Watch, choose_dtype, sort_order

MAX_STATE_BITS = 62
"""Bits of a state that fit in a word; wider frontiers are Python integers."""
# Bytes per row, measured with tracemalloc.
MERGING_BYTES = 36  # to merge a row into its layer, in addition to its columns
EXPANDING_BYTES = 37  # to make a row, in addition to its columns and a copy of them
Columns = tuple[Array, ...]
"""The values of states or of new states, one array per value, [rows]."""


class Sweep(ABC):
    """A sweep over all layers; a subclass defines the values of states.

    ``waiting[c]`` collects the rows of layer c until it is built: words, then values. ``held[c]``
    is the number of rows whose memory becomes free then. ``options[c]`` are the options whose first
    cell is c.
    """

    row_bytes: int

    def __init__(self, problem: ExactCover, watch: Watch) -> None:
        self.problem, self.watch = problem, watch
        first = problem.first()
        layers = problem.cells + 1
        self.options: list[list[int]] = [[] for _ in range(layers)]
        for option, cell in enumerate(first):
            self.options[cell].append(option)
        cells = [mask >> cell for mask, cell in zip(problem.mask, first, strict=True)]
        self.width = max(map(int.bit_length, cells), default=1)
        self.dtype: Any = object
        if self.width <= MAX_STATE_BITS:  # with a bit to spare, as one is added to all ones
            self.dtype, _ = choose_dtype(self.width + 1)
        self.mask = np.array(cells, self.dtype)
        self.waiting: list[list[Columns]] = [[] for _ in range(layers)]
        self.held = [0] * layers

    @abstractmethod
    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Combine the values of equal states; return whether each state is kept, bool [states].

        ``words`` are the distinct states, ascending. ``order`` sorts the values ``rows``, and
        ``first`` is the index in it of the first row of each word.
        """

    @abstractmethod
    def new_values(self, at: Array, option: Array) -> Columns:
        """Return the values of new states, one from each option placed on a state.

        ``at`` has the indices of these states in the layer that was merged last.
        """

    def build(self, layer: int) -> int:
        """Merge the states of a layer, and place its options; return its number of states."""
        blocks, self.waiting[layer] = self.waiting[layer], []
        size = sum(len(block[0]) for block in blocks)
        waiting = self.row_bytes * sum(self.held[layer:])
        needed = (self.row_bytes + MERGING_BYTES) * size + waiting
        self.watch.check_memory(needed, f"frontiers of layer {layer + 1}")
        if not size:
            return 0
        words, *rows = concatenate(blocks)
        blocks.clear()
        order = sort_order(words, self.width)
        words = words[order]
        first = np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1]]))
        words = words[first]
        words = words[self.merge(layer, words, order, first, tuple(rows))]
        if len(words) and self.options[layer]:
            self.expand(layer, words)
        return len(words)

    def expand(self, layer: int, words: Array) -> None:
        """Place each option of a layer on each state on which it fits."""
        indices = []
        for option_number in self.options[layer]:
            indices.append(np.flatnonzero(words & self.mask[option_number] == 0))
            self.watch.repeat_report()
        sizes = [len(part) for part in indices]
        needed = (2 * self.row_bytes + EXPANDING_BYTES) * sum(sizes)
        needed += self.row_bytes * sum(self.held[layer + 1 :])
        self.watch.check_memory(needed, f"steps from layer {layer + 1}")
        at = np.concatenate(indices)
        option = np.repeat(np.array(self.options[layer], np.int32), sizes)
        new_words: Array = words[at] | self.mask[option]
        ones = trailing_ones(new_words)
        new_words >>= ones.astype(self.dtype)
        order = np.argsort(ones, kind="stable")
        rows = [column[order] for column in (new_words, *self.new_values(at, option))]
        counts = np.bincount(ones)
        end = 0
        for step in np.flatnonzero(counts).tolist():
            begin, end = end, end + int(counts[step])
            self.waiting[layer + step].append(tuple(column[begin:end] for column in rows))
        # the parts are views, so their memory is free when the last of them is merged
        self.held[layer + len(counts) - 1] += len(new_words)


def concatenate(blocks: list[Columns]) -> Columns:
    """Concatenate the columns of blocks; columns that a block lacks are zeros."""
    width = max(map(len, blocks))
    return tuple(
        np.concatenate(
            [block[n] if n < len(block) else np.zeros(len(block[0]), np.int64) for block in blocks]
        )
        for n in range(width)
    )


def trailing_ones(bits: Array) -> Array:
    """Return the number of ones below the lowest zero of each word."""
    if bits.dtype == object:  # uint16, as a board may have more than 255 cells
        return np.array([(~word & word + 1).bit_length() - 1 for word in bits], np.uint16)
    ones: Array = np.bitwise_count(bits & ~(bits + bits.dtype.type(1)))
    return ones
