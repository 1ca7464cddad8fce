"""The difficulty of a date, beyond its number of tilings (docs/explanation/methods.md).

The measure is deterministic: exact up to ``SAMPLE`` tilings, and from an evenly spaced sample
above that. It was not compared with what people find hard.

>>> from satcal.puzzle.loading import load
>>> (result,) = difficulties(load("a-puzzle-a-day"), [("Oct", "6")])
>>> result.tilings, result.guesses.least, result.guesses.most, result.rating
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
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover

SAMPLE = 250  # tilings of a date that are examined
MAX_PIECES = 14  # 2 ** pieces sets of placements are examined for each tiling
MAX_CELLS = 64  # a set of cells is a 64-bit integer
ONE = np.uint64(1)
RATINGS = (("Easy", 2.75), ("Fair", 3.25), ("Hard", float("inf")))
"""Each rating with its greatest mean number of guesses.

docs/explanation/methods.md says how many dates of two boards are Easy or Hard.
"""


class Spread(NamedTuple):
    """The least, mean and greatest of several numbers."""

    least: int
    mean: float
    most: int


@dataclass(frozen=True)
class Difficulty:
    """The difficulty of a reveal.

    The guesses of a tiling are the fewest of its placements that force the others. A placement is
    forced when it is the only one left for a cell or a piece. ``guesses`` has the least, mean and
    greatest number over ``examined`` tilings: all, or an evenly spaced sample. It is None without a
    tiling.
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

    def as_fields(self) -> dict[str, str | float | None]:
        """Return the fields of ``count --difficulty``."""
        mean = self.guesses and round(self.guesses.mean, 4)
        return {"difficulty": self.rating, "guesses_mean": mean}


def difficulties(
    puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement] = ()
) -> Iterator[Difficulty]:
    """Yield the difficulties of reveals; all tilings contain ``place``.

    Raises:
        TooLarge: too many pieces or cells for this measure, or a diagram that does not fit.
    """
    pieces = sum(piece.copies for piece in puzzle.pieces)
    if pieces > MAX_PIECES or len(puzzle.cells) > MAX_CELLS:
        raise TooLarge(
            f"{puzzle.name}: difficulty is measured with at most {MAX_PIECES} pieces on "
            f"{MAX_CELLS} cells, not {pieces} on {len(puzzle.cells)}"
        )
    graph = open_diagram(puzzle, reveals, place)

    @lru_cache(maxsize=8)  # reveals with the same first labels share smaller diagrams
    def restrict(labels: Reveal) -> PuzzleDiagram:
        return restrict(labels[:-1]).only(labels[-1:]) if labels else graph

    for reveal in reveals:
        yield measure(restrict(reveal), reveal, place)


def measure(diagram: PuzzleDiagram, reveal: Reveal, place: Sequence[Placement]) -> Difficulty:
    """Return the difficulty of a reveal in a diagram; see :func:`difficulties`."""
    cover = cover_with(diagram.puzzle, reveal, place)
    count = diagram.count(reveal, place)
    index_of = {option: number for number, option in enumerate(cover.options)}
    size = min(SAMPLE, count)
    masks, guesses = _Masks(cover), []
    for number in range(size):
        tiling = diagram.tiling(number * count // size, reveal, place)
        indices = np.array([index_of[placement] for placement in tiling], np.int64)
        # a set is an index, read in binary
        sizes = np.bitwise_count(np.flatnonzero(masks.forcing_subsets(indices)))
        guesses.append(int(sizes.min()))
    spread = Spread(min(guesses), sum(guesses) / size, max(guesses)) if size else None
    return Difficulty(reveal, count, spread, size)


class _Masks:
    """The placements of a cover as 64-bit masks of cells, and the piece of each."""

    def __init__(self, cover: Cover) -> None:
        bit = {cell: 1 << n for n, cell in enumerate(cover.cells)}
        masks = [sum(map(bit.__getitem__, option.cells)) for option in cover.options]
        self.cells, self.item = np.array(masks, np.uint64), np.array(cover.item_of, np.int64)

    def forcing_subsets(self, tiling: Array) -> Array:
        """Return whether each set of a tiling's placements forces the others.

        The result is bool [2 ** placements], indexed by the bits of a set. A set excludes the
        placements that overlap it, and those whose piece has no copy left. A placement of the
        tiling is forced, and joins the set, if the set excludes all placements outside the tiling
        for one of its cells, or for its piece.
        """
        masks, full_set = self.cells[tiling], (1 << len(tiling)) - 1
        overlaps = (self.cells[:, None] & masks != 0) @ (1 << np.arange(len(tiling)))
        is_same_item = self.item[:, None] == self.item[tiling]
        is_same_item[tiling] = False
        # a placement outside the tiling has a ``blocker`` for each copy of its piece: a set of the
        # tiling's placements, namely that of this copy and those that overlap the outside one. The
        # sets that contain a member of each of its blockers exclude it
        other, copy = np.nonzero(is_same_item)
        blocker = overlaps[other] | 1 << copy
        # any other set leaves it open: the complement of the set contains a whole blocker. After
        # the loop, open_masks[0] has the union of the cells, and open_masks[1] that of the pieces,
        # of the placements that are left open, by complement. Reversed, the arrays are indexed by
        # the set itself
        open_masks = np.zeros((2, full_set + 1), np.uint64)
        np.bitwise_or.at(open_masks[0], blocker, self.cells[other])
        np.bitwise_or.at(open_masks[1], blocker, ONE << self.item[other].astype(np.uint64))
        for n in range(len(tiling)):
            pairs = open_masks.reshape(2, -1, 2, 1 << n)
            pairs[:, :, 1] |= pairs[:, :, 0]
        cells, pieces = open_masks[:, ::-1]
        closure = np.arange(full_set + 1)
        for n, (mask, item) in enumerate(zip(masks, self.item[tiling], strict=True)):
            is_forced = (cells & mask != mask) | (pieces >> np.uint64(item) & ONE == 0)
            closure |= is_forced.astype(np.int64) << n
        while (next_closure := closure[closure]).tobytes() != closure.tobytes():
            closure = next_closure
        result: Array = closure == full_set
        return result
