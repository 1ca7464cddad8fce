"""Shares of a reveal: how much less memory the largest needs, and how much more work all are.

``python -m benchmarks.shares`` writes ``results/benchmarks/shares.md``. Memory is the peak of what
Python and numpy allocate while a diagram is built, by ``tracemalloc``; times are CPU seconds.
"""

from __future__ import annotations

import datetime
import time
import tracemalloc

from benchmarks.measure import ROOT
from benchmarks.report import table
from satcal.counting.cubes import shares
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.demands import Demand
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal

CASES = (
    ("rhombus", ("Thu", "Oct", "23")),
    ("weekday", ("Mon", "Feb", "6")),
    ("pentomino-6x10", ()),
    ("pentomino-8x8-hole", ()),
)
HEAD = """# Shares of a reveal

Written by `python -m benchmarks.shares`: the diagram of a reveal, and those of its shares, one for
each placement that covers the middle of the board; peak of memory, CPU seconds.
"""


def measured(puzzle: Puzzle, reveal: Reveal, demands: tuple[Demand, ...]) -> tuple[int, int, float]:
    """Return the tilings, the peak in bytes and the seconds of one diagram."""
    began = time.process_time()
    tilings = PuzzleDiagram.build(puzzle, [reveal], demands).count(reveal)
    seconds = time.process_time() - began
    tracemalloc.start()
    PuzzleDiagram.build(puzzle, [reveal], demands)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return tilings, peak, seconds


def main() -> None:
    """Measure all boards and write the page."""
    rows = []
    for name, reveal in CASES:
        puzzle = load(name)
        tilings, peak, seconds = measured(puzzle, reveal, ())
        parts = [measured(puzzle, reveal, demands) for demands in shares(puzzle, reveal)]
        assert sum(part for part, _, _ in parts) == tilings
        largest, work = max(part for _, part, _ in parts), sum(part for _, _, part in parts)
        rows.append(
            [
                " ".join([name, *reveal]),
                f"{tilings:,}",
                f"{peak / 1e6:.1f}",
                str(len(parts)),
                f"{largest / 1e6:.1f}",
                f"{seconds:.2f}",
                f"{work:.2f}",
            ]
        )
    head = ["board", "tilings", "MB", "shares", "MB of the largest", "s", "s of all shares"]
    date = datetime.date.today().isoformat()
    text = f"{HEAD}\n- date: {date}\n\n{table(head, rows, False)}\n"
    (ROOT / "results" / "benchmarks" / "shares.md").write_text(text)


if __name__ == "__main__":
    main()
