"""Asking programs, and comparing what they say with what satcal says."""

from __future__ import annotations

import enum
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from satcal.encoding.formats import format_named
from satcal.errors import BudgetExhausted, Disagreement, InputError
from satcal.evidence.external.process import Limits
from satcal.evidence.external.programs import Program
from satcal.evidence.external.questions import Question


class Outcome(enum.Enum):
    """How a comparison ended; only the first two compare anything."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    STOPPED = "stopped"
    FAILED = "failed"
    UNSUITABLE = "unsuitable"
    MISSING = "missing"


@dataclass(frozen=True)
class Checked:
    """What one program says of one question."""

    question: Question
    program: Program
    outcome: Outcome
    answer: str

    def __str__(self) -> str:
        return f"{self.program.name} {self.outcome.value}: {self.answer}"

    def as_fields(self) -> dict[str, str | int]:
        """Return the row of a table."""
        question, whole = self.question, self.question.whole
        of = question.encoding if self.program.format == "dimacs" else self.program.format
        return {
            "board": whole.puzzle.name,
            "reveal": "open" if whole.reveal is None else " ".join(whole.reveal),
            "formula": question.file.name if question.file else of,
            "tilings": question.tilings,
            "program": self.program.name,
            "outcome": self.outcome.value,
            "said": self.answer,
        }


def cross_check(
    asked: Iterable[Question], programs: Sequence[Program], limits: Limits
) -> Iterator[Checked]:
    """Yield what each program says of each question, one after another."""
    for question in asked:
        for program in programs:
            yield Checked(question, program, *_outcome(question, program, limits))


def _outcome(question: Question, program: Program, limits: Limits) -> tuple[Outcome, str]:
    command = program.command()
    if command is None:
        return Outcome.MISSING, program.get
    if reason := program.cannot(question):
        return Outcome.UNSUITABLE, reason
    try:
        with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
            path = Path(folder, f"tilings{format_named(program.format).suffix}")
            path.write_text(question.text(program.format))
            number = program.ask(question, command, path, limits)
    except BudgetExhausted as stop:
        return Outcome.STOPPED, str(stop)
    except Disagreement as difference:
        return Outcome.DISAGREES, str(difference)
    except InputError as trouble:
        return Outcome.FAILED, str(trouble)
    tolerance = limits.tolerance if program.approximate else 0.0
    right = close(question.tilings, number, tolerance)
    return (Outcome.AGREES if right else Outcome.DISAGREES), f"{number:,}"


def close(tilings: int, number: int, tolerance: float) -> bool:
    """Return whether a count is right up to a factor of 1 + tolerance."""
    factor = 1 + Fraction(str(tolerance))
    return Fraction(tilings) / factor <= number <= tilings * factor
