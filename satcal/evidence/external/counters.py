"""Programs that say how many: model counters and exact-cover searches from PyPI.

Each runs in a process of its own, see :mod:`satcal.evidence.external.hosted`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from satcal.errors import FormatError
from satcal.evidence.external.process import Limits, run
from satcal.evidence.external.questions import Question


def counted(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask a hosted package, which writes its number into a file."""
    answer = path.with_suffix(".answer")
    run([*command, str(path), str(answer), str(question.tolerance)], limits, (0,))
    said = answer.read_text("utf-8", "replace") if answer.exists() else ""
    if not re.fullmatch(r"[0-9]{1,4000}\n", said):
        raise FormatError("it did not say how many there are")
    return int(said)


def close(tilings: int, said: int, tolerance: float) -> bool:
    """Return whether an approximate count is right up to a factor of 1 + tolerance."""
    factor = 1 + Fraction(str(tolerance))
    return Fraction(tilings) / factor <= said <= tilings * factor
