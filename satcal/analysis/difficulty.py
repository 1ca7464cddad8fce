"""How hard a date is, beyond its number of tilings (docs/explanation/difficulty.md).

Each measure is exact, and none depends on chance. None of them knows what people find hard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from satcal.counting.settings import DIAGRAM, ByDiagram, Question
from satcal.counting.tilings import diagram_for
from satcal.diagram.model import Array
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.progress import Progress
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.model import Reveal
from satcal.puzzle.placements import Cover, cover_of

SAMPLE = 250  # tilings of a date that are examined one by one
MAX_PIECES = 14  # each set of a tiling's placements is looked at: 2 ** pieces
MAX_CELLS = 64  # the bits of a word
MAX_LISTED = 100_000  # tilings of a date: of more none is examined
ONE = np.uint64(1)


class Spread(NamedTuple):
    """The least, mean and greatest of some numbers."""

    least: int
    mean: float
    most: int


@dataclass(frozen=True)
class Difficulty:
    """The measures of a reveal.

    ``guesses``: of each tiling the fewest of its placements after which all others follow one by
    one, each as the only placement left for a cell or for a piece; ``examined`` is how many tilings
    that is about, evenly chosen where there are more than asked for. Where there are more than
    ``MAX_LISTED`` none is examined, and ``guesses`` is None. ``shares``: per piece, how many of the
    placements that the reveal and the demands leave it are in a tiling, and how many these are.
    """

    reveal: Reveal
    tilings: int
    guesses: Spread | None
    examined: int
    shares: Mapping[str, tuple[int, int]]

    def record(self) -> dict[str, Any]:
        """The measures by the names of columns, shares as fractions of one.

        ``guesses`` is the least, ``guesses_mean`` and ``guesses_most`` the mean and the greatest.
        """
        overall = tuple(map(sum, zip(*self.shares.values(), strict=True)))
        shares = {"share": overall} | {f"share_{name}": pair for name, pair in self.shares.items()}
        spread = self.guesses
        return {
            **{
                f"guesses{suffix}": spread and round(spread[n], 4)
                for n, suffix in enumerate(("", "_mean", "_most"))
            },
            "examined": self.examined,
            **{name: round(some / max(every, 1), 4) for name, (some, every) in shares.items()},
        }


def difficulties(
    question: Question,
    method: ByDiagram = DIAGRAM,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> Iterator[Difficulty]:
    """The difficulties of the reveals, examining at most ``sample`` tilings of each.

    The diagram is built before this returns, each difficulty when it is asked for.

    Raises:
        TooLarge: too many pieces or cells for these measures.
        As :func:`satcal.counting.tilings.diagram_for`.
    """
    puzzle, reveals = question.puzzle, question.reveals
    pieces = sum(piece.copies for piece in puzzle.pieces)
    if pieces > MAX_PIECES or len(puzzle.cells) > MAX_CELLS:
        raise TooLarge(
            f"{puzzle.name}: difficulty is measured with at most {MAX_PIECES} pieces on "
            f"{MAX_CELLS} cells, not {pieces} on {len(puzzle.cells)}"
        )
    diagram = diagram_for(question, method, progress=progress)

    @lru_cache(maxsize=8)
    def narrowed(labels: Reveal) -> PuzzleDiagram:
        return narrowed(labels[:-1]).only(labels[-1:]) if labels else diagram

    return (_difficulty(narrowed(reveal), reveal, question.demands, sample) for reveal in reveals)


def _difficulty(
    diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand], sample: int
) -> Difficulty:
    cover = place(cover_of(diagram.puzzle, reveal), demands)
    count, containing = diagram.count(reveal, demands), diagram.containing(reveal, demands)
    index_of = {option: n for n, option in enumerate(cover.options)}
    tilings = diagram.tilings(reveal, demands) if count <= MAX_LISTED else ()
    listed = [
        np.array([index_of[placement] for placement in tiling], np.int64) for tiling in tilings
    ]
    size = min(sample, len(listed))
    masks = _Masks(cover)
    guesses = [
        _smallest_size(masks.forcing_subsets(listed[n * count // size])) for n in range(size)
    ]
    shares = {}
    for item in cover.items:
        occurring = sum(containing.get(cover.placements[n], 0) > 0 for n in item.options)
        shares[item.name] = (occurring, len(item.options))
    return Difficulty(reveal, count, _spread(guesses), size, shares)


def _spread(numbers: Sequence[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def _smallest_size(sets: Array) -> int:
    """The size of the smallest of some sets, given as bool [2 ** members]; an index is a set."""
    return int(np.bitwise_count(np.flatnonzero(sets)).min())


class _Masks:
    """The placements of a cover as words, in which each cell is a bit, and their pieces."""

    def __init__(self, cover: Cover) -> None:
        bit = {cell: 1 << n for n, cell in enumerate(cover.cells)}
        masks = [sum(map(bit.__getitem__, option.cells)) for option in cover.options]
        self.cells, self.item = np.array(masks, np.uint64), np.array(cover.item_of, np.int64)

    def forcing_subsets(self, tiling: Array) -> Array:
        """From which sets of a tiling's placements the rest follows, one by one.

        bool [2 ** placements], a set's bits as index. A cell or a piece is decided if nothing
        else is left for it: if each other placement overlaps one of the set, or has no copy of
        its piece left.
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
