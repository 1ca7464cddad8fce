"""How hard a date is, beyond its number of tilings (docs/explanation/methods.md).

The measure is deterministic: exact up to ``SAMPLE`` tilings, and from an evenly spaced sample
above that. It was not compared with what people find hard.

>>> from satcal.puzzle.loading import load
>>> (measured,) = difficulties(load("a-puzzle-a-day"), [("Oct", "6")])
>>> measured.tilings, measured.guesses.least, measured.guesses.most, measured.rating
(7, 2, 3, 'Easy')
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from satcal.diagram.model import Array
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.errors import TooLarge
from satcal.progress import Progress
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover

SAMPLE = 250  # tilings of a date that are examined one by one
MAX_PIECES = 14  # each set of a tiling's placements is looked at: 2 ** pieces
MAX_CELLS = 64  # one bit each in a 64-bit integer
ONE = np.uint64(1)
RATINGS = (("Easy", 2.75), ("Fair", 3.25), ("Hard", float("inf")))
"""Each rating, and the greatest mean number of guesses that earns it.

The means of the library's dates lie between 2.4 and 4.1: an eighth of those of a-puzzle-a-day are
easy, a fifth of those of tetromino fair, and all of rhombus hard.
"""


class Spread(NamedTuple):
    """The least, mean and greatest of some numbers."""

    least: int
    mean: float
    most: int


@dataclass(frozen=True)
class Difficulty:
    """The difficulty of a reveal.

    For each tiling, count the fewest placements that force the rest, one at a time, each being the
    only placement left for some cell or piece. ``guesses`` has the least, mean and greatest of
    these counts; it is None without a tiling. ``examined`` is the number of tilings behind it: all,
    or ``SAMPLE`` evenly chosen.
    """

    reveal: Reveal
    tilings: int
    guesses: Spread | None
    examined: int

    @property
    def rating(self) -> str | None:
        """Easy, Fair or Hard; None without a tiling."""
        if self.guesses is None:
            return None
        mean = self.guesses.mean
        return next(rating for rating, threshold in RATINGS if mean <= threshold)


def difficulties(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    placed: Sequence[Placement] = (),
    *,
    sample: int = SAMPLE,
    diagram: PuzzleDiagram | None = None,
    progress: Progress | None = None,
) -> Iterator[Difficulty]:
    """Return an iterator over the difficulties of reveals, with pieces placed already.

    The ``diagram`` is opened before this returns if none is given. Each difficulty is measured
    when it is asked for.

    Raises:
        TooLarge: too many pieces or cells for this measure, or a diagram that does not fit.
    """
    pieces = sum(piece.copies for piece in puzzle.pieces)
    if pieces > MAX_PIECES or len(puzzle.cells) > MAX_CELLS:
        raise TooLarge(
            f"{puzzle.name}: difficulty is measured with at most {MAX_PIECES} pieces on "
            f"{MAX_CELLS} cells, not {pieces} on {len(puzzle.cells)}"
        )
    graph = open_diagram(puzzle, reveals, placed, progress=progress) if diagram is None else diagram

    @lru_cache(maxsize=8)
    def restrict(labels: Reveal) -> PuzzleDiagram:
        return restrict(labels[:-1]).only(labels[-1:]) if labels else graph

    return (measure(restrict(reveal), reveal, placed, sample) for reveal in reveals)


def measure(
    diagram: PuzzleDiagram, reveal: Reveal, placed: Sequence[Placement] = (), sample: int = SAMPLE
) -> Difficulty:
    """Return the difficulty of a reveal in a diagram; see :func:`difficulties`."""
    cover = cover_with(diagram.puzzle, reveal, placed)
    count = diagram.count(reveal, placed)
    index_of = {option: number for number, option in enumerate(cover.options)}
    size = min(sample, count)
    masks, guesses = _Masks(cover), []
    for number in range(size):
        tiling = diagram.tiling(number * count // size, reveal, placed)
        indices = np.array([index_of[placement] for placement in tiling], np.int64)
        guesses.append(_smallest_size(masks.forcing_subsets(indices)))
    spread = Spread(min(guesses), sum(guesses) / size, max(guesses)) if size else None
    return Difficulty(reveal, count, spread, size)


def _smallest_size(sets: Array) -> int:
    """Return the size of the smallest set marked True; an index, read in binary, is a set."""
    return int(np.bitwise_count(np.flatnonzero(sets)).min())


class _Masks:
    """The placements of a cover as 64-bit masks of cells, and the piece of each."""

    def __init__(self, cover: Cover) -> None:
        bit = {cell: 1 << n for n, cell in enumerate(cover.cells)}
        masks = [sum(map(bit.__getitem__, option.cells)) for option in cover.options]
        self.cells, self.item = np.array(masks, np.uint64), np.array(cover.item_of, np.int64)

    def forcing_subsets(self, tiling: Array) -> Array:
        """Return from which sets of a tiling's placements the rest follows one by one.

        The result is bool [2 ** placements], indexed by the bits of a set. A cell or a piece is
        decided if nothing else is left for it: if each other placement overlaps one of the set, or
        has no copy of its piece left.
        """
        own, full_set = self.cells[tiling], (1 << len(tiling)) - 1
        overlaps = (self.cells[:, None] & own != 0) @ (1 << np.arange(len(tiling)))
        same = self.item[:, None] == self.item[tiling]
        same[tiling] = False
        # a set rules out another placement if it meets, for each copy of its piece, these sets
        other, copy = np.nonzero(same)
        needed = overlaps[other] | 1 << copy
        # left[0][S]: the cells, left[1][S]: the pieces of the placements that have a ``needed``
        # within S, by subset sums; reversed, the index is the chosen set and S its complement
        left = np.zeros((2, full_set + 1), np.uint64)
        np.bitwise_or.at(left[0], needed, self.cells[other])
        np.bitwise_or.at(left[1], needed, ONE << self.item[other].astype(np.uint64))
        for n in range(len(tiling)):
            pairs = left.reshape(2, -1, 2, 1 << n)
            pairs[:, :, 1] |= pairs[:, :, 0]
        cells, pieces = left[:, ::-1]
        follows = np.arange(full_set + 1)
        for n, (cell, item) in enumerate(zip(own, self.item[tiling], strict=True)):
            decided = (cells & cell != cell) | (pieces >> np.uint64(item) & ONE == 0)
            follows |= decided.astype(np.int64) << n
        while (further := follows[follows]).tobytes() != follows.tobytes():
            follows = further
        forcing: Array = follows == full_set
        return forcing
