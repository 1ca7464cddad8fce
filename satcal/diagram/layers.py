"""Counts without a graph: the layers of states are discarded as they are used.

The value of a state is the number of paths to it from its end of the board. Two halves of states
(:mod:`.halves`) keep the last layers only; where they meet, the number of tilings is a sum of
products. This takes a fraction of a graph's memory, and answers one question: the number of tilings
that use only the allowed options.

With one item, a state is a frontier, and a single sweep from one end does without arcs between
frontiers. This is the transfer-matrix method, or broken profile.

Counts are exact at any size. They are written in limbs: int64 digits in base ``2**digit_bits``. An
option leads to a state from at most one other state. So a sum of digits has at most as many terms
as there are options, and stays below ``2**62``.

>>> dominoes = [0b0011, 0b1100, 0b0101, 0b1010]  # on a square of four cells
>>> count_by_layers(ExactCover(cells=4, copies=[2], item=[0] * 4, mask=dominoes))
(2, 4)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import mul

import numpy as np

from satcal.diagram.build import may_have_tilings, restrict
from satcal.diagram.expansion import Columns, Sweep
from satcal.diagram.frontiers import enumerate_frontiers
from satcal.diagram.halves import HalfStates, Halves, Layer, Reached
from satcal.diagram.model import Array, ExactCover, Frontiers, Watch
from satcal.progress import Progress

SUM_BITS = 62
"""Bits of a sum of digits in an int64, without its sign and a bit for the carry."""

NONE = np.zeros(0, np.int64)


def count_by_layers(
    problem: ExactCover,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[int, int]:
    """Return the number of tilings, and the number of states in all layers.

    Arguments as for :func:`~satcal.diagram.build.build`.

    Raises:
        MemoryLimitError: the limit would be exceeded; the message says where.
    """
    subproblem, _ = restrict(problem, allowed)
    if not may_have_tilings(subproblem):
        return 0, 0
    watch = Watch(problem.cells + 1, memory_limit, progress)
    if len(subproblem.copies) == 1 and min(subproblem.area()) > 0:
        return _CountSweep(subproblem, watch).count()
    frontiers = enumerate_frontiers(subproblem, watch)
    if not len(frontiers.bits):
        return 0, 0
    return _CountHalves(subproblem, frontiers, watch).count()


class Limbs:
    """Sums, of at most ``terms`` numbers, that are written in limbs, the lowest first."""

    def __init__(self, terms: int) -> None:
        self.digit_bits = SUM_BITS - terms.bit_length()

    def sum(self, limbs: Sequence[Array], order: Array, first: Array) -> list[Array]:
        """Return the sums of groups of numbers, sorted by ``order``, that begin at ``first``."""
        carries = np.zeros(len(first), np.int64)
        sums, mask = [], (1 << self.digit_bits) - 1
        for limb in limbs:
            total = np.add.reduceat(limb[order], first) + carries
            sums.append(total & mask)
            carries = total >> self.digit_bits
        return [*sums, carries] if carries.any() else sums

    def to_integers(self, limbs: Sequence[Array]) -> list[int]:
        """Return the numbers."""
        lowest, *rest = limbs
        numbers: list[int] = lowest.tolist()
        for place, limb in enumerate(rest, start=1):
            shift = place * self.digit_bits
            numbers = [
                n + (digit << shift) for n, digit in zip(numbers, limb.tolist(), strict=True)
            ]
        return numbers


class _CountHalves(Halves):
    """The halves with their last layers only; columns are the limbs of the numbers of paths.

    ``span`` is the most cells from the first to the last one of an option: no step passes more
    layers.
    """

    start_values = (np.ones(1, np.int64),)

    def __init__(self, problem: ExactCover, frontiers: Frontiers, watch: Watch) -> None:
        first = problem.first()
        self.span = max(m.bit_length() - c for m, c in zip(problem.mask, first, strict=True))
        self.limbs = Limbs(len(problem.mask))
        self.states = self.kept_bytes = 0
        super().__init__(problem, frontiers, watch)

    def count(self) -> tuple[int, int]:
        """Return the number of tilings, and of states."""
        total = 0
        for states, index, reached in self.cross(self.meet()):
            rows = index + (states.begin - self.backward.dropped)
            paths = [
                self.limbs.to_integers([limb[at] for limb in half.columns[1:]])
                for half, at in ((self.forward, reached.source), (self.backward, rows))
            ]
            total += sum(map(mul, *paths))
        return total, self.states

    def merge(self, half: HalfStates, reached: Reached, order: Array, first: Array) -> list[Array]:
        """Return the limbs of the new states."""
        return self.limbs.sum([limb[reached.source] for limb in half.columns[1:]], order, first)

    def hold(self, half: HalfStates, layer: int, states: Layer) -> None:
        """Drop the layers that no further step leaves; keep only keys of the backward half."""
        self.states += len(states.keys)
        half.needed = half.begins[-self.span :][0]
        if half is self.backward:
            self.layers[layer] = states._replace(frontier=NONE, remaining=NONE)
            self.layers.pop(layer + self.span, None)
        columns = [*self.forward.columns, *self.backward.columns]
        columns += [states.keys for states in self.layers.values()]
        before, self.kept_bytes = self.kept_bytes, self.factor * sum(c.nbytes for c in columns)
        self.watch.held_bytes += self.kept_bytes - before


class _CountSweep(Sweep):
    """The sweep of frontiers; their values are the limbs of the numbers of paths."""

    row_bytes = 16

    def __init__(self, problem: ExactCover, watch: Watch) -> None:
        super().__init__(problem, watch)
        self.limbs = Limbs(len(problem.mask))
        self.paths: list[Array] = []
        self.waiting[0].append((np.zeros(1, self.dtype), np.ones(1, np.int64)))

    def count(self) -> tuple[int, int]:
        """Return the number of tilings, and of states."""
        states = 0
        for layer in range(self.problem.cells + 1):
            size = self.build(layer)
            states += size
            self.watch.report("states", layer, size)
        return (self.limbs.to_integers(self.paths)[0] if size else 0), states

    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Sum the paths to equal states."""
        self.paths = self.limbs.sum(rows, order, first)
        self.row_bytes = 8 + 8 * len(self.paths)
        return np.ones(len(words), bool)

    def new_values(self, at: Array, option: Array) -> Columns:
        """Return the numbers of paths to the states ``at``."""
        return tuple(limb[at] for limb in self.paths)
