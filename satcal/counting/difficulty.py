"""How hard a date is, beyond its number of tilings: docs/difficulty.md says how little that proves.

Each measure is exact, and none depends on chance. None of them knows what people find hard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from satcal.counting.settings import DEFAULTS, Settings
from satcal.counting.tilings import diagram_for
from satcal.diagram.model import Array, Progress
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.encoding.lemmas import each_part_has
from satcal.errors import TooLarge
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.shapes import cell_order

SAMPLE = 250  # tilings of a date that are examined one by one
MAX_PIECES = 14  # each set of a tiling's placements is looked at: 2 ** pieces
MAX_CELLS = 64  # of the array that holds the board: the bits of a word
MAX_LISTED = 100_000  # tilings of a date: each is compared with each that is examined
ONE = np.uint64(1)


class Spread(NamedTuple):
    """The least, mean and greatest of some numbers."""

    least: int
    mean: float
    most: int


@dataclass(frozen=True)
class Difficulty:
    """The measures of a reveal.

    ``nodes``: the partial tilings that the method search visits until it has all tilings.
    ``forced``: those of them from which exactly one placement goes on, the others being pruned.
    ``guesses``: of each tiling the fewest of its placements after which all others follow one by
    one, each as the only placement left for a cell or for a piece.
    ``right``: of each tiling the fewest of its placements that no other tiling has together.
    ``examined``: how many tilings the last two are about, evenly chosen where there are more than
    asked for; none of more than ``MAX_LISTED``, and the last two are None.
    ``shares``: per piece, how many of its placements on the empty board some tiling has, of how
    many.
    """

    reveal: Reveal
    tilings: int
    nodes: int
    forced: int
    guesses: Spread | None
    right: Spread | None
    examined: int
    shares: Mapping[str, tuple[int, int]]

    def record(self) -> dict[str, Any]:
        """Return the measures by the names of columns, shares as fractions of one."""
        whole = tuple(map(sum, zip(*self.shares.values(), strict=True)))
        shares = {"share": whole} | {f"share_{name}": pair for name, pair in self.shares.items()}
        spreads = {"guesses": self.guesses, "right": self.right}
        return {
            "nodes": self.nodes,
            "forced": self.forced,
            **{
                name + suffix: spread and round(spread[n], 4)
                for name, spread in spreads.items()
                for n, suffix in enumerate(("", "_mean", "_most"))
            },
            "examined": self.examined,
            **{name: round(some / max(every, 1), 4) for name, (some, every) in shares.items()},
        }


def difficulties(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    settings: Settings = DEFAULTS,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> Iterator[Difficulty]:
    """Return an iterator of the difficulties, examining at most ``sample`` tilings of a reveal.

    The diagram is built at once, the rest reveal by reveal.

    Raises:
        TooLarge: too many pieces or cells for these measures.
        As :func:`satcal.counting.tilings.diagram_for`.
    """
    pieces = sum(piece.copies for piece in puzzle.pieces)
    if pieces > MAX_PIECES or puzzle.rows * puzzle.columns > MAX_CELLS:
        raise TooLarge(
            f"{puzzle.name}: difficulty is measured with at most {MAX_PIECES} pieces on a board "
            f"within {MAX_CELLS} cells, not {pieces} within {puzzle.rows} by {puzzle.columns}"
        )
    whole = diagram_for(puzzle, reveals, settings, progress=progress)

    @lru_cache(maxsize=8)
    def narrowed(labels: Reveal) -> PuzzleDiagram:
        return narrowed(labels[:-1]).only(labels[-1:]) if labels else whole

    return (_difficulty(narrowed(reveal), reveal, settings.demands, sample) for reveal in reveals)


def _difficulty(
    diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand], sample: int
) -> Difficulty:
    empty = place(cover(diagram.puzzle, reveal), demands)
    count, containing = diagram.count(reveal, demands), diagram.containing(reveal, demands)
    number = {option: n for n, option in enumerate(empty.options)}
    tilings = diagram.tilings(reveal, demands) if count <= MAX_LISTED else ()
    listed = np.array([[number[each] for each in tiling] for tiling in tilings], np.int64)
    listed = listed.reshape(-1, sum(item.copies for item in empty.items))
    has = np.zeros((len(listed), len(number)), bool)  # [tiling, placement]
    np.put_along_axis(has, listed, True, axis=1)
    size = min(sample, len(listed))
    chosen = [listed[n * count // size] for n in range(size)]
    words = _Words(empty)
    nodes, forced = words.search()
    shares = {}
    for item in empty.items:
        occurring = sum(containing.get(empty.placements[n], 0) > 0 for n in item.options)
        shares[item.name] = (occurring, len(item.options))
    guesses = _spread([_fewest(words.closed(tiling)) for tiling in chosen])
    right = _spread([_fewest(_unshared(has[:, tiling])) for tiling in chosen])
    return Difficulty(reveal, count, nodes, forced, guesses, right, size, shares)


def _spread(numbers: Sequence[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def _fewest(sets: Array) -> int:
    """Return the size of the smallest of some sets; a number's bits are the members of its set."""
    return int(np.bitwise_count(np.flatnonzero(sets)).min())


def _unshared(has: Array) -> Array:
    """Return which sets of a tiling's placements no other tiling has, bool [2 ** placements].

    ``has``: bool [tilings, placements], which of them each tiling has, its own row among them.
    """
    size = has.shape[1]
    sharing = np.bincount(has @ (1 << np.arange(size)), minlength=1 << size)
    for n in range(size):  # from those with just this set to those with it: sum over its supersets
        pairs = sharing.reshape(-1, 2, 1 << n)
        pairs[:, 0] += pairs[:, 1]
    unshared: Array = sharing == 1
    return unshared


class _Words:
    """A cover whose sets of cells are words: cell (line, place) is bit ``line * width + place``."""

    def __init__(self, empty: Cover) -> None:
        order = cell_order(empty.cells)
        x = 0 if order == sorted(order) else 1  # the lines are rows, or columns
        self.width = (empty.puzzle.columns, empty.puzzle.rows)[x]
        bit = {cell: cell[x] * self.width + cell[1 - x] for cell in order}
        self.bits = list(bit.values())
        masks = [sum(1 << bit[cell] for cell in option.cells) for option in empty.options]
        self.cells, self.item = np.array(masks, np.uint64), np.array(empty.item_of, np.int64)
        self.copies = [item.copies for item in empty.items]
        # what remains of the pieces is a number to which a copy adds its piece's unit; the areas
        # that it fills are a word, in which a whole board of 64 cells is bit 0, so always filled
        self.unit, fills = [], [1]
        for item in empty.items:
            self.unit.append(len(fills))
            area = len(empty.options[item.options[0]].cells) if item.options else 0
            last = fills
            for _ in range(item.copies):
                last = [areas | areas << area for areas in last]
                fills = fills + last
        self.fills = np.array([areas % (1 << MAX_CELLS) for areas in fills], np.uint64)

    def closed(self, tiling: Array) -> Array:
        """Return from which sets of a tiling's placements the rest follows, one by one.

        bool [2 ** placements]. A cell or a piece is decided if nothing else is left for it: if
        each other placement overlaps one of the set, or has no copy of its piece left.
        """
        own, everything = self.cells[tiling], (1 << len(tiling)) - 1
        overlaps = (self.cells[:, None] & own != 0) @ (1 << np.arange(len(tiling)))
        same = self.item[:, None] == self.item[tiling]
        same[tiling] = False
        # a set rules out another placement if it meets, for each copy of its piece, these sets
        other, copy = np.nonzero(same)
        needed = overlaps[other] | 1 << copy
        left = np.zeros((2, everything + 1), np.uint64)  # [cells or pieces, set]
        np.bitwise_or.at(left[0], needed, self.cells[other])
        np.bitwise_or.at(left[1], needed, ONE << self.item[other].astype(np.uint64))
        for n in range(len(tiling)):  # what is needed and lies within a set, which is not met by
            pairs = left.reshape(2, -1, 2, 1 << n)
            pairs[:, :, 1] |= pairs[:, :, 0]
        cells, pieces = left[:, ::-1]  # ... the set's complement
        follows = np.arange(everything + 1)
        for n, (cell, item) in enumerate(zip(own, self.item[tiling], strict=True)):
            decided = (cells & cell != cell) | (pieces >> np.uint64(item) & ONE == 0)
            follows |= decided.astype(np.int64) << n
        while (further := follows[follows]).tobytes() != follows.tobytes():
            follows = further
        closed: Array = follows == everything
        return closed

    def search(self) -> tuple[int, int]:
        """Return the nodes that the method search visits, and from how many one placement goes on.

        Partial tilings of the same cells by the same pieces are looked at once, and counted as
        often as there are: what takes search seconds takes a fraction of one.
        """
        layers: dict[int, list[tuple[Array, ...]]] = {n: [] for n in self.bits}
        uncovered = np.array([sum(1 << n for n in self.bits)], np.uint64)
        remaining = np.array([len(self.fills) - 1])
        if layers and each_part_has(self.fills[remaining], uncovered, self.width)[0]:
            layers[self.bits[0]].append((uncovered, remaining, np.ones(1, np.int64)))
        first = _first(self.cells)
        nodes, forced = 1, 0
        for n, states in layers.items():
            starting = np.flatnonzero(first == n).tolist()
            if not states or not starting:
                continue
            uncovered, remaining, paths = _merged(*map(np.concatenate, zip(*states, strict=True)))
            states.clear()
            grown = []
            for option in starting:
                cells, item = self.cells[option], self.item[option]
                left = remaining // self.unit[item] % (self.copies[item] + 1)
                at = np.flatnonzero((uncovered & cells == cells) & (left > 0))
                grown.append((at, uncovered[at] ^ cells, remaining[at] - self.unit[item]))
            parent, uncovered, remaining = map(np.concatenate, zip(*grown, strict=True))
            nodes += int(paths[parent].sum())
            kept = each_part_has(self.fills[remaining], uncovered, self.width)
            parent, uncovered, remaining = parent[kept], uncovered[kept], remaining[kept]
            forced += int(paths[np.bincount(parent, minlength=len(paths)) == 1].sum())
            uncovered_from = _first(uncovered)
            for later in np.unique(uncovered_from[uncovered != 0]).tolist():
                at = np.flatnonzero(uncovered_from == later)
                layers[later].append((uncovered[at], remaining[at], paths[parent[at]]))
        return nodes, forced


def _first(words: Array) -> Array:
    """Return the lowest bit of each word, 64 where there is none."""
    first: Array = np.bitwise_count((words & ~words + ONE) - ONE)
    return first


def _merged(uncovered: Array, remaining: Array, paths: Array) -> tuple[Array, Array, Array]:
    """Return the distinct states, and how many paths lead to each."""
    order = np.lexsort((remaining, uncovered))
    uncovered, remaining = uncovered[order], remaining[order]
    new = (uncovered[1:] != uncovered[:-1]) | (remaining[1:] != remaining[:-1])
    starts = np.flatnonzero(np.concatenate([[True], new]))
    return uncovered[starts], remaining[starts], np.add.reduceat(paths[order], starts)
