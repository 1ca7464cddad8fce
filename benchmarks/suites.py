"""What is measured: cases by suite, and the ratios that satcal has to reach."""

from __future__ import annotations

from dataclasses import dataclass

# Nothing but the standard library: the process that measures must stay small (see measure.py).


@dataclass(frozen=True)
class Case:
    """One puzzle (a library name or a path) and what is counted: a reveal, or None for all."""

    board: str
    reveal: str | None = None

    @property
    def key(self) -> str:
        """Name of the case in files and tables."""
        return f"{self.board} {self.reveal or 'all reveals'}"


@dataclass(frozen=True)
class Target:
    """In a case, satcal's diagram is to be ``factor`` times faster than the fastest of peers."""

    case: Case
    peers: tuple[str, ...]
    factor: float


SUITES: dict[str, tuple[Case, ...]] = {
    "date": (
        Case("a-puzzle-a-day", "Dec,25"),
        Case("rhombus", "Thu,Oct,23"),
        Case("weekday", "Mon,Aug,17"),
    ),
    "whole": (Case("a-puzzle-a-day"), Case("rhombus"), Case("weekday")),
}
C = ("c-rows", "c-diagram")
TARGETS = (
    Target(Case("a-puzzle-a-day"), ("xcover",), 4),
    Target(Case("a-puzzle-a-day"), C, 1),
    Target(Case("rhombus"), ("xcover",), 60),
    Target(Case("rhombus"), C, 8),
    Target(Case("weekday"), C, 7),
)
MEMORY_TARGET = 1e9  # bytes, of the diagram of all reveals
WARM_UP = Case("a-puzzle-a-day", "Oct,6")  # 7 tilings: enough to compile, load and cache code
