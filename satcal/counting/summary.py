"""What a table of counts amounts to: total, fewest, most, mean, median, rows without a tiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

Key = TypeVar("Key")


@dataclass(frozen=True)
class Summary(Generic[Key]):
    """Figures of a table; ``fewest`` and ``most`` hold the count and all rows that have it."""

    rows: int
    total: int
    fewest: tuple[int, list[Key]]
    most: tuple[int, list[Key]]
    mean: Fraction
    median: Fraction
    without: int


def summarise(counts: Sequence[tuple[Key, int]]) -> Summary[Key]:
    """Return the summary of rows and their exact counts, of which there is at least one."""
    values = sorted(count for _, count in counts)
    middle = len(values) // 2
    median = Fraction(values[middle] + values[-middle - 1], 2)
    least, most = values[0], values[-1]
    return Summary(
        rows=len(values),
        total=sum(values),
        fewest=(least, [key for key, count in counts if count == least]),
        most=(most, [key for key, count in counts if count == most]),
        mean=Fraction(sum(values), len(values)),
        median=median,
        without=values.count(0),
    )


def decimal(value: Fraction, places: int = 2) -> str:
    """Return an exact fraction rounded half up to decimal places, without floats."""
    scaled = (value * 10**places * 2 + 1) // 2
    whole, rest = divmod(scaled, 10**places)
    return f"{whole:,}.{rest:0{places}d}" if places else f"{whole:,}"
