"""The methods by name, their settings, and one count or enumeration by one of them."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from satcal.errors import BudgetExhausted, OptionError, did_you_mean
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.place import Demand, place
from satcal.puzzle.placements import Cover, cover

if TYPE_CHECKING:
    from satcal.counting.sat import SatOptions

METHODS = ("sat", "search")


class Status(enum.Enum):
    """How a count ended: only ``EXACT`` is a count, ``UNKNOWN`` a lower bound at most."""

    EXACT = "exact"
    UNKNOWN = "unknown"
    ERROR = "error"


@dataclass(frozen=True)
class Outcome:
    """What one method says of one reveal: ``tilings`` is exact, a lower bound, or 0 by status."""

    status: Status
    tilings: int
    message: str = ""
    exit_code: int = 0


@dataclass(frozen=True)
class Settings:
    """How to count: by which method, under which conditions, within which budgets.

    ``demands`` is what ``--place`` asks for, ``up_to_symmetry`` counts one tiling of each
    class under the puzzle's own symmetries, ``time_limit`` is in seconds for a whole run,
    ``conflicts`` bounds each reveal's SAT conflicts, ``jobs`` is a number of processes.
    """

    method: str = "sat"
    encoding: str = "ladder"
    solver: str | None = None
    lemmas: str = "auto"
    order: str = "static"
    pruning: str = "sums"
    demands: tuple[Demand, ...] = field(default=())
    up_to_symmetry: bool = False
    conflicts: int | None = None
    time_limit: float | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise OptionError(
                f"no method '{self.method}'; the methods are {', '.join(METHODS)}"
                + did_you_mean(self.method, METHODS)
            )
        if self.up_to_symmetry and self.demands:
            raise OptionError(
                "--up-to-symmetry turns the board, so what is placed would move; leave out --place"
            )


def tilings_of(whole: Cover, settings: Settings, deadline: float | None = None) -> Iterator[Tiling]:
    """Yield the tilings of a cover by the method of the settings.

    Raises:
        BudgetExhausted: a budget ran out; what was yielded is not all.
    """
    if settings.up_to_symmetry:
        from satcal.puzzle.symmetry import classes

        every = replace(settings, up_to_symmetry=False)
        return classes(whole.puzzle, tilings_of(whole, every, deadline))
    # imported here: neither method should pay for what only the other imports
    if settings.method == "search":
        from satcal.counting.search import Search

        return Search(whole, settings.pruning, deadline).tilings()
    from satcal.counting.sat import tilings

    return tilings(whole, sat_options(settings, deadline))


def sat_options(settings: Settings, deadline: float | None = None) -> SatOptions:
    """Return the part of the settings that concerns the method ``sat``."""
    from satcal.counting.sat import SatOptions

    return SatOptions(
        encoding=settings.encoding,
        solver=settings.solver,
        lemmas=settings.lemmas,
        order=settings.order,
        conflicts=settings.conflicts,
        deadline=deadline,
    )


def tilings(puzzle: Puzzle, reveal: Reveal, settings: Settings = Settings()) -> Iterator[Tiling]:
    """Yield the tilings of one reveal."""
    deadline = time.monotonic() + settings.time_limit if settings.time_limit is not None else None
    return tilings_of(place(cover(puzzle, reveal), settings.demands), settings, deadline)


def count_one(
    puzzle: Puzzle, reveal: Reveal, settings: Settings, deadline: float | None = None
) -> Outcome:
    """Return what the method says of one reveal; a budget that ends it makes it UNKNOWN."""
    found = 0
    try:
        for _ in tilings_of(place(cover(puzzle, reveal), settings.demands), settings, deadline):
            found += 1
    except BudgetExhausted as stop:
        return Outcome(Status.UNKNOWN, found, str(stop), stop.exit_code)
    return Outcome(Status.EXACT, found)
