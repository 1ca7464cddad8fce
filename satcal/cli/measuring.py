"""How hard dates are, with progress shown: for ``satcal count`` and ``stats``."""

from __future__ import annotations

import math
import time

from satcal.analysis.difficulty import Difficulty, difficulties
from satcal.cli.progress import layers, progress, say
from satcal.counting.settings import DIAGRAM, ByDiagram, Question


def measured(
    question: Question, method: ByDiagram = DIAGRAM, limit: float | None = None
) -> list[Difficulty]:
    """The reveals' difficulties, as far as Ctrl-C and the limit in seconds let it come."""
    reveals = question.reveals
    deadline = math.inf if limit is None else time.monotonic() + limit
    known: list[Difficulty] = []
    try:
        with layers() as on_layer:
            found = difficulties(question, method, progress=on_layer)
        with progress("measuring", len(reveals)) as advance:
            while len(known) < len(reveals) and time.monotonic() < deadline:
                known.append(next(found))
                advance(" ".join(known[-1].reveal))
    except KeyboardInterrupt:
        pass
    if len(known) < len(reveals):
        say(f"stopped: difficulty measured for {len(known):,} of {len(reveals):,}")
    return known
