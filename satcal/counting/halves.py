"""Halves of tilings, listed in numpy: all ways to fill a line of cells up to its end.

The first empty cell of a partial tiling is covered by each option that begins there and fits. All
partial tilings with the same first empty cell, a *bucket*, are extended together, the buckets in
the order of the cells. A partial tiling is a state, and a row of a tree that has the parent and
the last option of each row. States are never merged: a row is one set of options.

A state is one word. Its lower bits count the used copies of each item: the field of an item with c
copies starts with ``2**b - c``, where ``2**b`` is the least power that is not less than c. So its
uppermost bit, the *guard*, is set by the last copy. The upper bits are a *window*: the covered
cells from a base on. All cells before the base are covered, and none behind the window. So an
option fits if its cells and the guard of its item are 0 in the state, which is one ``&``, and one
``+`` places it.

>>> line = CellOrder(4, [(0, 1), (1, 2), (2, 3)], Fields([2]), [(0, (n, n + 1)) for n in range(3)])
>>> half = Half(line, range(2), end=2, base=2)
>>> half.grow(lambda rows: None)
>>> [(half.option[rows].tolist(), half.parent[rows].tolist()) for _, rows in half.grown]
[([0], [0])]
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Blocks = list[tuple[Array, Array]]
"""States and their values, in several arrays, as one would take twice the memory to make."""
WORD = np.uint64
WORD_BITS = 64
COMPARISONS = 1 << 18
"""Pairs of a state and an option that are compared at once: they fit a processor's cache."""
MAX_HASH_BITS = 26
HASH_FACTOR = WORD(0x9E3779B97F4A7C15)  # 2**64 by the golden ratio (Knuth, TAOCP 6.4)
REVERSED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], np.uint8)


class Fields:
    """The fields of the items in a word: their number of bits, and per item ``unit`` and ``guard``.

    ``start`` is the word with no copy in use, ``full`` the word with all of them.

    >>> fields = Fields([1, 3])
    >>> fields.bits, fields.unit, fields.guard, f"{fields.start:b}", f"{fields.full:b}"
    (4, [1, 2], [1, 8], '10', '1001')
    """

    def __init__(self, copies: Sequence[int]) -> None:
        self.unit: list[int] = []
        self.guard: list[int] = []
        self.bits = self.start = 0
        for number in copies:
            exponent = (number - 1).bit_length()
            self.unit.append(1 << self.bits)
            self.guard.append(1 << self.bits + exponent)
            self.start += (1 << exponent) - number << self.bits
            self.bits += exponent + 1
        self.full = sum(self.guard)


class CellOrder:
    """Cells 0, 1, … of a board in some order, and the options as pairs of an item and its cells.

    ``neighbours`` has the pairs of adjacent cells, the lower number first.
    """

    def __init__(
        self,
        cells: int,
        neighbours: Iterable[tuple[int, int]],
        fields: Fields,
        options: Sequence[tuple[int, Sequence[int]]],
    ) -> None:
        self.cells, self.fields, self.options = cells, fields, options
        self.neighbours = list(neighbours)
        self.board = (1 << cells) - 1
        self.lower: defaultdict[int, int] = defaultdict(int)
        """Per distance between neighbours, the set of the lower ones."""
        for low, high in self.neighbours:
            self.lower[high - low] |= 1 << low
        self.first = [min(covered) for _, covered in options]
        self.mask = [sum(1 << cell for cell in covered) for _, covered in options]
        items: defaultdict[int, set[int]] = defaultdict(set)
        for item, covered in options:
            if len(covered) == 1:
                items[covered[0]].add(item)
        self.single = sum(1 << cell for cell in items)
        """The cells that are an option of their own."""
        self.only: defaultdict[int, int] = defaultdict(int)
        """Per item with one copy, the single cells that are options of no other item."""
        for cell, owners in items.items():
            item = min(owners)
            if len(owners) == 1 and fields.guard[item] == fields.unit[item]:
                self.only[item] |= 1 << cell

    def mirrored(self) -> CellOrder:
        """Return the line that is read from its last cell."""
        last = self.cells - 1
        neighbours = [(last - high, last - low) for low, high in self.neighbours]
        options = [(item, [last - cell for cell in covered]) for item, covered in self.options]
        return CellOrder(self.cells, neighbours, self.fields, options)


class Half:
    """The partial tilings of the cells before ``end``.

    From ``base`` on, the window stands still. Cells of ``gaps`` may stay empty if ``rest``, the
    windows that the other half covers, has a window with just the gaps so far.
    """

    def __init__(
        self,
        line: CellOrder,
        options: Iterable[int],
        end: int,
        base: int,
        gaps: Collection[int] = (),
        rest: Array | None = None,
    ) -> None:
        self.line, self.end, self.base, self.gaps, self.rest = line, end, base, gaps, rest
        self.low = line.fields.bits
        self.sieves: dict[int, Sieve] = {}
        self.by_first: list[list[int]] = [[] for _ in range(end)]
        for option in options:
            self.by_first[line.first[option]].append(option)
        self.waiting: list[Blocks] = [[] for _ in range(end + 1)]
        self.size = 1
        self.parent: Array = np.zeros(1, np.int32)
        small = len(line.options) < 2**15
        self.option: Array = np.full(1, -1, np.int16 if small else np.int32)
        self.grown: Blocks = []

    def grow(self, report: Callable[[int], None]) -> None:
        """List the half: blocks of states and their rows in the tree, in ``grown``.

        ``report`` gets the number of rows from time to time, and may raise an error.
        """
        self.waiting[0].append((np.array([self.line.fields.start], WORD), self.first_values()))
        for cell in range(self.end):
            states, values = self.take(cell)
            if not len(states):
                continue
            size = max(1, COMPARISONS // max(1, len(self.by_first[cell])))
            for begin in range(0, len(states), size):
                report(self.size)
                part = slice(begin, begin + size)
                self.extend(cell, states[part], values[part])
        self.sieves.clear()
        blocks = self.waiting[self.end]
        while blocks:  # few large blocks, each in the reverse order of its parts
            last: Blocks = []
            while blocks and sum(len(states) for states, _ in last) < COMPARISONS:
                last.append(blocks.pop())
            self.grown.append(self.join(last))
        self.grown.reverse()

    def take(self, cell: int) -> tuple[Array, Array]:
        """Return the states of a bucket, and their values."""
        return self.thin(*self.join(self.waiting[cell]))

    def join(self, blocks: Blocks) -> tuple[Array, Array]:
        """Return the states of all blocks, and their values."""
        return join_blocks(blocks, (WORD, self.first_values().dtype))

    def window(self, cells: int, base: int) -> Any:
        """Return a set of cells as the window from a base, without those that it cannot hold."""
        return WORD(cells >> base << self.low & (1 << WORD_BITS) - 1)

    def extend(self, cell: int, states: Array, values: Array) -> None:
        """Place each option that begins in a cell on each state on which it fits."""
        line, base, options = self.line, min(cell, self.base), self.by_first[cell]
        fields, items = line.fields, [line.options[option][0] for option in options]
        masks = [self.window(line.mask[option], base) for option in options]
        guards = np.array([fields.guard[item] for item in items], WORD)
        units = np.array([fields.unit[item] for item in items], WORD)
        cells = np.array(masks, WORD)
        fitting = np.flatnonzero(states[:, None] & (cells | guards) == 0)
        parent, chosen = np.divmod(fitting.astype(np.int32), np.int32(max(1, len(options))))
        new = states[parent] + (cells + units)[chosen]
        alive = self.find_alive(new, base)
        new, parent, chosen = new[alive], parent[alive], chosen[alive]
        new_values = self.record(values[parent], np.array(options, self.option.dtype)[chosen])
        if cell in self.gaps:
            new = np.concatenate([new, states])
            new_values = np.concatenate([new_values, values])
        if not len(new):
            return
        filled = new >> WORD(self.low) | WORD((1 << cell + 1 - base) - 1)
        distance = np.bitwise_count(filled & ~(filled + WORD(1)))  # from the base to the next cell
        order = np.argsort(distance, kind="stable")
        new, new_values = new[order], new_values[order]
        ends = np.cumsum(np.bincount(distance)).tolist()
        for number, (begin, end) in enumerate(itertools.pairwise([0, *ends])):
            if begin < end:
                following = min(base + number, self.end)
                block, block_values = new[begin:end], new_values[begin:end]
                if step := min(following, self.base) - base:
                    copies = block & WORD((1 << self.low) - 1)
                    block = block >> WORD(self.low + step) << WORD(self.low) | copies
                kept = self.find_completable(following, block)
                # copies, so that the memory of a bucket is freed with it
                self.waiting[following].append((block[kept], block_values[kept]))

    def find_completable(self, cell: int, states: Array) -> Array:
        """Return which states of a bucket have the gaps of some window of the other half."""
        if self.rest is None or cell <= self.base:
            return np.ones(len(states), bool)
        decided = self.window((1 << cell) - (1 << self.base), self.base)
        if cell not in self.sieves:
            self.sieves[cell] = Sieve([self.rest & decided])
        return self.sieves[cell].find(~states & decided)

    def find_alive(self, states: Array, base: int) -> Array:
        """Return which states have no empty cell that nothing can cover, bool [states].

        Only an option of one cell can cover an empty cell without an empty neighbour; of an item
        with one copy, only one such cell.
        """
        line = self.line
        # the neighbours of later cells may be behind the window
        seen = WORD_BITS - self.low - max(line.lower, default=0)
        seen_cells = self.window(line.board & (1 << base + max(0, seen)) - 1, base)
        alone = empty = ~states & self.window(line.board, base)
        for distance, lower in line.lower.items():
            if distance < WORD_BITS:
                step, cells = WORD(distance), self.window(lower, base)
                alone = alone & ~((empty & cells) << step | empty >> step & cells)
        alone = alone & seen_cells
        alive: Array = alone & ~self.window(line.single, base) == 0
        for item, only in line.only.items():
            guard = WORD(line.fields.guard[item])
            alive &= np.bitwise_count(states & guard | alone & self.window(only, base)) <= 1
        return alive

    def first_values(self) -> Array:
        """Return the value of the empty board: its row."""
        return np.zeros(1, np.int32)

    def record(self, parents: Array, options: Array) -> Array:
        """Append rows to the tree, and return their numbers."""
        begin, self.size = self.size, self.size + len(parents)
        if self.size > len(self.parent):
            room = max(self.size, len(self.parent) * 9 // 8)
            for column in (self.parent, self.option):
                column.resize(room, refcheck=False)  # in place, as there may be little memory
        self.parent[begin : self.size] = parents
        self.option[begin : self.size] = options
        return np.arange(begin, self.size, dtype=np.int32)

    def thin(self, states: Array, values: Array) -> tuple[Array, Array]:
        """Return all states; an estimate takes some of them."""
        return states, values

    def path(self, rows: Array) -> list[Array]:
        """Return the options of rows, the last first; -1 is before the first."""
        columns = []
        while rows.any():
            columns.append(self.option[rows])
            rows = self.parent[rows]
        return columns


class Sample(Half):
    """An estimate of the size of a half by some states of each bucket (after Knuth, 1975).

    A state stands for as many as its value says; ``size`` is the estimated number of rows.
    """

    STATES = 512

    def first_values(self) -> Array:
        """Return the value of the empty board."""
        return np.ones(1, np.int64)

    def record(self, parents: Array, options: Array) -> Array:
        """Add the states for which the new ones stand."""
        self.size += int(parents.sum())
        return parents

    def thin(self, states: Array, values: Array) -> tuple[Array, Array]:
        """Return at most ``STATES`` states, each for as many as there are in a step."""
        step = -(-len(states) // self.STATES) or 1
        return states[step // 2 :: step], values[step // 2 :: step] * step


class Sieve:
    """A test whether words may be among others: by a hash, so a few too many pass."""

    def __init__(self, blocks: Sequence[Array]) -> None:
        bits = min(MAX_HASH_BITS, sum(map(len, blocks)).bit_length() + 3)
        self.table, self.shift = np.zeros(1 << bits, bool), WORD(WORD_BITS - bits)
        for words in blocks:
            self.table[words * HASH_FACTOR >> self.shift] = True

    def find(self, words: Array) -> Array:
        """Return which words pass, bool [words]."""
        found: Array = self.table[words * HASH_FACTOR >> self.shift]
        return found


def join_blocks(blocks: Blocks, dtypes: Sequence[Any]) -> tuple[Array, Array]:
    """Return the columns of all blocks; each block is removed when it is copied."""
    size = sum(len(block[0]) for block in blocks)
    first, second = (np.empty(size, dtype) for dtype in dtypes)
    while blocks:
        block = blocks.pop()
        part = slice(size - len(block[0]), size)
        first[part], second[part] = block
        size = part.start
    return first, second


def distinct(words: Array) -> Array:
    """Return the different words, ascending; ``np.unique`` would import 15 ms of ``numpy.ma``."""
    words = np.sort(words)
    return np.concatenate([words[:1], words[1:][words[1:] != words[:-1]]])


def mirror(words: Array, bits: int) -> Array:
    """Return the lowest bits of words in reverse order.

    >>> mirror(np.array([0b0011], np.uint64), 4).tolist()
    [12]
    """
    reversed_words: Array = REVERSED[words.view(np.uint8)].view(WORD).byteswap()
    return reversed_words >> WORD(WORD_BITS - bits) if bits else np.zeros_like(words)
