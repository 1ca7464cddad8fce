"""How a count ends, and what it took."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from satcal.errors import BY_EXIT_CODE, BudgetExhausted, SatcalError
from satcal.puzzle.model import Reveal

WORK = ("nodes", "prunings", "propagations", "conflicts")
"""What methods count of their work. Nodes are those of the diagram, the partial tilings that
search visits, the decisions of sat; what a method does not have, it does not count."""


def add_work(total: dict[str, float], more: Mapping[str, float]) -> None:
    """Add what one task took to what others took."""
    for name, number in more.items():
        total[name] = total.get(name, 0) + number


class Status(enum.Enum):
    """How a count ended: ``EXACT`` is a count, ``UNKNOWN`` a lower bound at most."""

    EXACT = "exact"
    UNKNOWN = "unknown"
    ERROR = "error"


@dataclass(frozen=True)
class Outcome:
    """What one method says of a reveal: ``tilings`` is exact, a lower bound, or 0.

    ``work`` is what it took: seconds, and numbers that are named in ``WORK``.
    """

    status: Status
    tilings: int
    message: str = ""
    exit_code: int = 0
    work: Mapping[str, float] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, error: SatcalError, tilings: int = 0) -> Outcome:
        """The outcome of a count that an error ended; a budget's is UNKNOWN."""
        status = Status.UNKNOWN if isinstance(error, BudgetExhausted) else Status.ERROR
        return cls(status, tilings, str(error), error.exit_code)

    def require(self, reveal: Reveal) -> int:
        """The exact count of a reveal.

        Raises:
            BudgetExhausted: it is UNKNOWN.
            InputError, Disagreement, Stopped, Missing: the count failed.
        """
        if self.status is Status.EXACT:
            return self.tilings
        text = f"{' '.join(reveal) or 'the board'}: {self.message}"
        if self.status is Status.UNKNOWN:
            raise BudgetExhausted(text, self.tilings)
        raise BY_EXIT_CODE[self.exit_code](text)
