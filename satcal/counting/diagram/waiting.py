"""States that wait for their layer: in memory as long as they fit, then on disk, sorted.

A *run* is a sorted block of states without repetition. A layer is read in parts, each a range
of frontiers that fits into memory, merged from all its runs: an external merge sort (Knuth,
TAOCP 5.4) that adds up the ways of equal states.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from satcal.counting.diagram.merging import States, merged
from satcal.counting.diagram.model import (
    HEADROOM,
    Array,
    DiagramError,
    Watch,
)

SMALLEST = 8 << 20
"""With fewer bytes than this to work with it would not end in any useful time."""
MERGING = 4  # bytes needed at once for each that is merged; measured with tracemalloc
HELD = 3  # of the budget this part waits in memory: merging may need four times as much beside it
SAMPLE = 1024  # every so many states of a run are known without reading it
SPARE = 1 << 30  # bytes that stay free on the disk
BLOCK = 1 << 14  # states that are copied at once


class Run:
    """A sorted run: in memory, or in a file from an offset on."""

    def __init__(self, states: States, file: Any = None) -> None:
        self.rows, self.nbytes = len(states.bits), states.nbytes
        self.sample = states.bits[::SAMPLE].copy()
        self._file = file
        self._columns = states if file is None else None
        self._kept: list[tuple[int, np.dtype[Any], tuple[int, ...]]] = []
        if file is not None:
            # ways are below 2**32: half of their bytes need not be written
            for column in (states.bits, states.left, states.ways.astype(np.uint32)):
                self._kept.append((file.seek(0, 2), column.dtype, column.shape[1:]))
                column.tofile(file)
                if file.seek(0, 2) != self._kept[-1][0] + column.nbytes:
                    raise OSError("not all could be written")

    def place(self, frontier: Any) -> int:
        """Return where the first state with at least this frontier, a scalar of its type, is."""
        near = max(0, int(np.searchsorted(self.sample, frontier)) - 1) * SAMPLE
        block = self._column(0, near, min(near + SAMPLE + 1, self.rows))
        return near + int(np.searchsorted(block, frontier))

    def read(self, begin: int, end: int) -> States:
        """Return a part of it."""
        bits, left, ways = (self._column(place, begin, end) for place in range(3))
        return States(bits, left, ways.astype(np.uint64))

    def _column(self, place: int, begin: int, end: int) -> Array:
        if self._columns is not None:
            return self._columns[place][begin:end]
        offset, dtype, shape = self._kept[place]
        wide = shape[0] if shape else 1
        self._file.seek(offset + begin * wide * dtype.itemsize)
        found: Array = np.fromfile(self._file, dtype, (end - begin) * wide)
        if len(found) != (end - begin) * wide:
            raise DiagramError("a layer on disk ended too early; name another disk in TMPDIR")
        return found.reshape(-1, *shape)


class Waiting:
    """What waits, by layer; a context that gives back its room on the disk.

    ``budget``: bytes that each of three parts of the work may take: what waits, what is merged,
    what placements make of it. Files have no name, so nothing is left of a process that is killed.

    Raises:
        MemoryLimitError: less than ``SMALLEST`` bytes are left to work with.
    """

    def __init__(self, watch: Watch, span: int, width: int) -> None:
        self._watch, self._span, self._width = watch, span, width
        watch.check(SMALLEST, "layers on disk")
        free = None if watch.limit is None else int(watch.limit / HEADROOM) - watch.held
        self.budget = free // 3 if free is not None else 1 << 62
        self._blocks: dict[int, list[States]] = defaultdict(list)
        self._runs: dict[int, list[Run]] = defaultdict(list)
        self._files: dict[int, Any] = {}
        self._held = 0

    def __enter__(self) -> Waiting:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.close()

    @property
    def rows(self) -> int:
        """Number of states that wait, equal ones as often as they came."""
        blocks = sum(len(block.bits) for mine in self._blocks.values() for block in mine)
        return blocks + sum(run.rows for runs in self._runs.values() for run in runs)

    @property
    def nbytes(self) -> int:
        """Size of all that waits, in memory and on disk."""
        blocks = sum(block.nbytes for mine in self._blocks.values() for block in mine)
        return blocks + sum(run.nbytes for runs in self._runs.values() for run in runs)

    def blocks(self) -> Iterator[tuple[int, States]]:
        """Yield all that waits with its layer, a block at a time; it goes on to wait."""
        for layer, blocks in self._blocks.items():
            for block in blocks:
                for begin in range(0, len(block.bits), BLOCK):
                    yield layer, block.at(slice(begin, begin + BLOCK))
        for layer, runs in self._runs.items():
            for run in runs:
                for begin in range(0, run.rows, BLOCK):
                    yield layer, run.read(begin, min(begin + BLOCK, run.rows))

    def layers(self) -> list[int]:
        """Return the layers for which something waits, ascending."""
        return sorted({*self._blocks, *self._runs})

    def take(self, cut: Mapping[int, States]) -> None:
        """Let the states of a cut wait."""
        for layer, states in cut.items():
            self.add(layer, states)

    def add(self, layer: int, states: States) -> None:
        """Let states wait for their layer; what does not fit into memory goes to disk."""
        if not len(states.bits):
            return
        # a copy: a view would keep alive all that it was cut from
        self._blocks[layer].append(States(*(column.copy() for column in states)))
        self._held += states.nbytes
        if HELD * self._held > self.budget:
            self._shrink()

    def _shrink(self) -> None:
        """Merge what waits in memory; if half of the room is needed still, write it to disk."""
        self._held = 0
        for blocks in self._blocks.values():
            blocks[:] = [self._merged(blocks)]
            self._held += blocks[0].nbytes
        if 2 * HELD * self._held > self.budget:
            for layer, (block,) in self._blocks.items():
                self._runs[layer].append(self._write(layer, block))
            self._blocks.clear()
            self._held = 0

    def _write(self, layer: int, states: States) -> Run:
        folder = tempfile.gettempdir()
        try:
            if shutil.disk_usage(folder).free < states.nbytes + SPARE:
                raise OSError("the disk is full")
            if layer not in self._files:
                # closed when the layer is read, or by the context
                self._files[layer] = tempfile.TemporaryFile(buffering=0, dir=folder)  # noqa: SIM115
            return Run(states, self._files[layer])
        except OSError as error:
            raise DiagramError(
                f"layer {layer} cannot wait in {folder}: {error}; name a larger disk in TMPDIR"
            ) from error

    def _merged(self, blocks: Sequence[States]) -> States:
        return merged(blocks, self._span, self._width)

    def parts(self, layer: int) -> Iterator[States]:
        """Yield the states of a layer, ascending, in parts that fit; they wait no more."""
        blocks, runs = self._blocks.pop(layer, []), self._runs.pop(layer, [])
        self._held -= sum(block.nbytes for block in blocks)
        if blocks:
            runs.append(Run(self._merged(blocks)))
            blocks.clear()
        if len(runs) == 1 and MERGING * runs[0].nbytes <= self.budget:
            yield runs[0].read(0, runs[0].rows)
        elif runs:
            yield from self._ranges(layer, runs)
        if layer in self._files:
            self._files.pop(layer).close()

    def _ranges(self, layer: int, runs: Sequence[Run]) -> Iterator[States]:
        """Yield the merged states of all runs, a range of frontiers at a time."""
        each = max(run.nbytes / run.rows for run in runs)
        # from one border to the next each run may have a block more than its sample says
        blocks = max(1, int(self.budget / MERGING / each / SAMPLE) - len(runs))
        known = np.sort(np.concatenate([run.sample for run in runs]))
        begins = [0] * len(runs)
        # no Python integers: numpy would compare them with uint64 as float64
        for border in [*np.unique(known[blocks::blocks]), None]:
            ends = [run.rows if border is None else run.place(border) for run in runs]
            # more than fits only where one frontier has so many states
            rows = sum(ends) - sum(begins)
            self._watch.check(int(MERGING * each * rows), f"states of layer {layer}")
            found = [r.read(b, e) for r, b, e in zip(runs, begins, ends, strict=True) if b < e]
            begins = ends
            if found:
                yield self._merged(found)
