"""The Python interface.

>>> import satcal
>>> puzzle = satcal.load("a-puzzle-a-day")
>>> satcal.count(puzzle, puzzle.reveal("2025-10-06"))
7
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.counting.count import count_one, exact_counts
from satcal.counting.settings import Settings
from satcal.counting.tilings import tilings as _tilings
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling

__all__ = [
    "Placement", "Puzzle", "Reveal", "Tiling", "count", "count_all", "library", "load", "tilings",
]  # fmt: skip


def tilings(
    puzzle: Puzzle, reveal: Reveal, *, method: str = "diagram", place: Sequence[str] = ()
) -> Iterator[Tiling]:
    """Yield the tilings of a reveal, each once; those of ``sat`` are verified.

    Args:
        puzzle: what :func:`load` returns.
        reveal: one label per category, as ``puzzle.reveal(date)`` returns it.
        method: ``diagram``, ``sat``, ``search`` or ``verified`` (which counts only).
        place: conditions such as ``N:r2c3,r2c4,r2c5,r3c5,r3c6`` or ``N@r2c3``.

    Raises:
        OptionError, PlacementError, UnknownName: bad input.
    """
    settings = Settings(method=method, demands=tuple(parse_demands(puzzle, place)))
    return _tilings(puzzle, puzzle.check_reveal(tuple(reveal)), settings)


def count(
    puzzle: Puzzle, reveal: Reveal, *, method: str = "diagram", place: Sequence[str] = ()
) -> int:
    """Return the number of tilings of a reveal; as for :func:`tilings`."""
    settings = Settings(method=method, demands=tuple(parse_demands(puzzle, place)))
    return count_one(puzzle, puzzle.check_reveal(tuple(reveal)), settings).tilings


def count_all(
    puzzle: Puzzle,
    reveals: Sequence[Reveal] | None = None,
    *,
    method: str = "diagram",
    jobs: int | None = None,
    time_limit: float | None = None,
    use_cache: bool = True,
) -> dict[Reveal, int]:
    """Return the number of tilings of many reveals (None: all), counted in parallel.

    ``use_cache`` is about the diagrams kept in the user's cache directory.

    Raises:
        BudgetExhausted: the time limit (seconds) ended the run before all were counted.
        InputError, Disagreement, Stopped, Missing: a count failed; the text says why.
    """
    settings = Settings(method=method, jobs=jobs, time_limit=time_limit, use_cache=use_cache)
    asked = puzzle.reveals() if reveals is None else reveals
    wanted = [puzzle.check_reveal(tuple(reveal)) for reveal in asked]
    counts = dict(exact_counts(puzzle, wanted, settings))
    return {reveal: counts[reveal] for reveal in wanted}
