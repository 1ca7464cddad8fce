"""Counting reveals again by another method, and saying whether the methods agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from satcal.counting.methods import Outcome, Status
from satcal.puzzle.model import Reveal


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
