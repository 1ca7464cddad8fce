"""Counting layer by layer without keeping the diagram: what is left when memory is not enough.

A layer's states (see :mod:`.model`) are kept with the number of ways that lead to each, until
the layer is expanded; then they are forgotten. Only the layers that placements reach into are
held, and of those what does not fit into memory waits on disk, sorted (:mod:`.waiting`): a
breadth-first search with delayed detection of duplicates (Korf: Best-first frontier search
with delayed duplicate detection, AAAI 2004). All tilings pass through the states of a cut, so
parts of a cut are counted apart and their numbers add up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from satcal import __version__
from satcal.counting.diagram.bits import WORD, kind_of, sort_order, trailing_ones
from satcal.counting.diagram.cache import fingerprint
from satcal.counting.diagram.checkpoint import Checkpoint
from satcal.counting.diagram.frontier import WIDEST, Frontiers, frontiers
from satcal.counting.diagram.merging import States, merged, number_of
from satcal.counting.diagram.model import Array, DiagramError, MemoryLimitError, Problem, Watch
from satcal.counting.diagram.packing import Packing
from satcal.counting.diagram.tracking import choose_tracked
from satcal.counting.diagram.waiting import Waiting

Cut = dict[int, States]
"""States through which every tiling passes exactly once, by layer."""
EXPANDING = 6  # bytes needed at once for each of a state that a step makes; tracemalloc
PRUNING_SHARE = 4  # the frontiers that states are compared with get at most a fourth of memory


@dataclass(frozen=True)
class Live:
    """The frontiers that can be completed, without the steps between them."""

    starts: list[int]
    bits: Array
    room: Array
    tracked: int

    def keep(self, layer: int, states: States) -> States:
        """Return the states of a layer whose frontier can be completed by what remains."""
        mine = slice(self.starts[layer], self.starts[layer + 1])
        known, room = self.bits[mine], self.room[mine]
        if not len(known):
            return states.at(slice(0))
        place = np.searchsorted(known, states.bits)
        place[place == len(known)] = 0
        subset = (states.left & states.left.dtype.type(self.tracked)).astype(WORD)
        live = (known[place] == states.bits) & ((room[place] >> subset & WORD(1)) != 0)
        return states if live.all() else states.at(np.flatnonzero(live))


class Layered:
    """A problem that is counted layer by layer, within ``watch.limit`` bytes.

    Raises:
        DiagramError: the problem's states do not fit two words of 64 bits.
        MemoryLimitError: the limit is too small even for this.
    """

    def __init__(self, problem: Problem, watch: Watch) -> None:
        tracked = choose_tracked(problem)
        self.problem, self.watch, self.packing = problem, watch, Packing(problem, tracked)
        first = problem.first()
        self.span = max(
            (m.bit_length() - f for m, f in zip(problem.mask, first, strict=True)), default=1
        )
        if self.span > WIDEST or self.packing.width > 64:
            raise DiagramError("its states are too wide to be counted layer by layer")
        self.starting: list[list[tuple[int, int]]] = [[] for _ in range(problem.cells)]
        for option, cell in enumerate(first):
            self.starting[cell].append((problem.item[option], problem.mask[option] >> cell))
        self.live = _live(problem, watch)

    def start(self) -> Cut:
        """Return the cut before the first placement: the empty board."""
        one = np.ones((1, 1), np.uint64)
        left = np.array([self.packing.start], self.packing.dtype)
        return {0: States(np.zeros(1, kind_of(self.span)[0]), left, one)}

    @property
    def name(self) -> str:
        """SHA-256, shortened, of the problem and of the form in which its states are written."""
        form = (fingerprint(self.problem), self.packing.unit, self.span, __version__)
        return hashlib.sha256(repr(form).encode()).hexdigest()[:32]

    def count(self, cut: Cut, checkpoint: Checkpoint | None = None) -> int:
        """Return the number of tilings that pass through a cut, from where a checkpoint is."""
        with Waiting(self.watch, self.span, self.packing.width) as waiting:
            if checkpoint is None or not checkpoint.recall(waiting):
                waiting.take(cut)
            for layer in range(self.problem.cells):
                self._pass(layer, waiting)
                if checkpoint is not None:
                    checkpoint.offer(waiting)
            # where areas differ, the board may be full before every item is used
            ends = waiting.parts(self.problem.cells)
            total = sum(number_of(part.ways[part.left == 0]) for part in ends)
        if checkpoint is not None:
            checkpoint.forget()
        return total

    def cut(self, states: int) -> Cut:
        """Return the first cut of at least so many states; the whole count is of its parts."""
        with Waiting(self.watch, self.span, self.packing.width) as waiting:
            waiting.take(self.start())
            for layer in range(self.problem.cells):
                self._pass(layer, waiting)
                if waiting.rows >= states:
                    break
            return {
                layer: merged(list(waiting.parts(layer)), self.span, self.packing.width)
                for layer in waiting.layers()
            }

    def _pass(self, layer: int, waiting: Waiting) -> None:
        """Expand the states of a layer; what they lead to waits for its own layer."""
        for part in waiting.parts(layer):
            self.watch.tell("layers", layer, len(part.bits))
            made = EXPANDING * max(1, len(self.starting[layer])) * part.nbytes // len(part.bits)
            most = max(1, waiting.budget // made)
            for begin in range(0, len(part.bits), most):
                chunk = part.at(slice(begin, begin + most))
                for target, found in self._expand(layer, chunk):
                    waiting.add(target, found)

    def _expand(self, layer: int, states: States) -> Iterator[tuple[int, States]]:
        """Yield what the placements of a layer make of its states, by their own layer."""
        made = []
        for item, mask in self.starting[layer]:
            unit, field = self.packing.unit[item], self.packing.field[item]
            fits = (states.bits & states.bits.dtype.type(mask)) == 0
            fits &= (states.left & states.left.dtype.type(field)) != 0
            found = states.at(np.flatnonzero(fits))
            made.append(found._replace(
                bits=found.bits | found.bits.dtype.type(mask),
                left=found.left - found.left.dtype.type(unit),
            ))  # fmt: skip
        if not made:
            return
        together = States(*(np.concatenate(column) for column in zip(*made, strict=True)))
        ones = trailing_ones(together.bits.astype(WORD))
        order = sort_order(ones, 16)
        together = together.at(order)
        ones = ones[order]
        bits = together.bits >> ones.astype(together.bits.dtype)
        together = together._replace(bits=bits)
        steps = np.flatnonzero(np.bincount(ones)).tolist()
        bounds = [*np.searchsorted(ones, steps).tolist(), len(ones)]
        for step, begin, end in zip(steps, bounds, bounds[1:], strict=False):
            found = together.at(slice(begin, end))
            yield layer + step, self.live.keep(layer + step, found) if self.live else found


def _live(problem: Problem, watch: Watch) -> Live | None:
    """Return the frontiers that can be completed; None where they take too much memory."""
    part = Watch(watch.layers, watch.limit, watch.progress)
    try:
        found: Frontiers = frontiers(problem, part)
    except MemoryLimitError:
        return None
    size = found.bits.nbytes + found.room.nbytes
    if watch.limit is not None and size > watch.limit // PRUNING_SHARE:
        return None
    watch.held += size
    tracked = (1 << len(found.tracked)) - 1
    return Live(found.layer_start.tolist(), found.bits, found.room, tracked)
