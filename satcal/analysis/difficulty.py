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
    that is about, evenly chosen where there are more than asked for. Of more than ``MAX_LISTED``
    none is, and ``guesses`` is None. ``shares``: per piece, how many of its placements on the empty
    board some tiling has, of how many.
    """

    reveal: Reveal
    tilings: int
    guesses: Spread | None
    examined: int
    shares: Mapping[str, tuple[int, int]]

    def record(self) -> dict[str, Any]:
        """The measures by the names of columns, shares as fractions of one."""
        whole = tuple(map(sum, zip(*self.shares.values(), strict=True)))
        shares = {"share": whole} | {f"share_{name}": pair for name, pair in self.shares.items()}
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
    """Return an iterator of the difficulties, examining at most ``sample`` tilings of a reveal.

    The diagram is built at once, the rest reveal by reveal.

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
    whole = diagram_for(question, method, progress=progress)

    @lru_cache(maxsize=8)
    def narrowed(labels: Reveal) -> PuzzleDiagram:
        return narrowed(labels[:-1]).only(labels[-1:]) if labels else whole

    return (_difficulty(narrowed(reveal), reveal, question.demands, sample) for reveal in reveals)


def _difficulty(
    diagram: PuzzleDiagram, reveal: Reveal, demands: Sequence[Demand], sample: int
) -> Difficulty:
    empty = place(cover_of(diagram.puzzle, reveal), demands)
    count, containing = diagram.count(reveal, demands), diagram.containing(reveal, demands)
    number = {option: n for n, option in enumerate(empty.options)}
    tilings = diagram.tilings(reveal, demands) if count <= MAX_LISTED else ()
    listed = [np.array([number[placement] for placement in tiling], np.int64) for tiling in tilings]
    size = min(sample, len(listed))
    masks = _Masks(empty)
    guesses = [_fewest(masks.closed(listed[n * count // size])) for n in range(size)]
    shares = {}
    for item in empty.items:
        occurring = sum(containing.get(empty.placements[n], 0) > 0 for n in item.options)
        shares[item.name] = (occurring, len(item.options))
    return Difficulty(reveal, count, _spread(guesses), size, shares)


def _spread(numbers: Sequence[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def _fewest(sets: Array) -> int:
    """Return the size of the smallest of some sets; a number's bits are the members of its set."""
    return int(np.bitwise_count(np.flatnonzero(sets)).min())


class _Masks:
    """The placements of a cover as words, in which each cell is a bit, and their pieces."""

    def __init__(self, empty: Cover) -> None:
        bit = {cell: 1 << n for n, cell in enumerate(empty.cells)}
        masks = [sum(map(bit.__getitem__, option.cells)) for option in empty.options]
        self.cells, self.item = np.array(masks, np.uint64), np.array(empty.item_of, np.int64)

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
