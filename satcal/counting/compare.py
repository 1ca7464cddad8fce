"""Counting reveals again by another method, and saying whether the methods agree."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from satcal.counting.methods import Outcome, Status
from satcal.puzzle.model import Puzzle, Reveal

SAMPLE = 4  # dates of a range that are counted again unless asked otherwise
# What sat lists in the time that nobody minds: half a second for one date, two for a range. On
# boards of 50 cells it finds 200 tilings a second, or more (docs/large-boards.md).
OF_ONE_DATE, OF_A_RANGE = 250, 600


@dataclass(frozen=True)
class Difference:
    """A reveal for which two methods give different exact counts."""

    reveal: Reveal
    counts: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        said = ", ".join(f"{method} counts {count:,}" for method, count in self.counts)
        return f"{' '.join(self.reveal) or 'the board'}: {said}"


def exact(outcomes: Mapping[Reveal, Outcome]) -> dict[Reveal, int]:
    """Return the counts of those outcomes that are exact."""
    return {r: o.tilings for r, o in outcomes.items() if o.status is Status.EXACT}


def differences(
    counts: Mapping[str, Mapping[Reveal, int]], reveals: Iterable[Reveal]
) -> list[Difference]:
    """Return the reveals whose exact counts differ between methods, in the given order.

    Args:
        counts: per method its exact counts; a method need not have counted every reveal.
        reveals: which to compare.
    """
    found = []
    for reveal in dict.fromkeys(reveals):
        said = tuple((m, mine[reveal]) for m, mine in counts.items() if reveal in mine)
        if len({count for _, count in said}) > 1:
            found.append(Difference(reveal, said))
    return found


def choose_sample(puzzle: Puzzle, counts: Mapping[Reveal, int], size: int) -> list[Reveal]:
    """Return the reveal with the fewest tilings, and others drawn without a clock.

    The seed comes from the puzzle and the range, so the same command checks the same dates.
    """
    if not counts or not size:
        return []
    fewest = min(counts, key=counts.__getitem__)
    rest = [reveal for reveal in counts if reveal != fewest]
    first, last = next(iter(counts)), next(reversed(list(counts)))
    random.Random(f"{puzzle.digest} {first} {last} {len(counts)}").shuffle(rest)
    return [fewest, *rest[: size - 1]]


def affordable(sample: Sequence[Reveal], counts: Mapping[Reveal, int]) -> list[Reveal]:
    """Return those of a sample, in its order, that sat can count again at once."""
    left = OF_ONE_DATE if len(counts) == 1 else OF_A_RANGE
    chosen = []
    for reveal in sample:
        if counts[reveal] <= left:
            chosen.append(reveal)
            left -= counts[reveal]
    return chosen
