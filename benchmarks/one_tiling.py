"""What a full count costs beside one tiling per date: ``python -m benchmarks.one_tiling``.

A book runs CP-SAT through all 2,562 dates of the rhombus, one tiling each, "in well under five
minutes", and calls the result a profile. This measures one tiling and every tiling of a sample
of the dates, by CP-SAT and by satcal's SAT loop, and all dates at once by the diagram.
"""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.peers import Counts, enumerated, satcal_by, satcal_diagram
from satcal.external.packages import cp_sat
from satcal.files import write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, select

BOARD, SAMPLE = "rhombus", 24
REPORT = Path("results/benchmarks/profile.md")


def dates(puzzle: Puzzle) -> list[Reveal]:
    """Return the reveals that some year has, in canonical order."""
    today = datetime.date(2025, 1, 1)  # which plays no part
    return [row.reveal for row in select(puzzle, Range(all_dates=True), today)]


def timed(count: Callable[[Puzzle, Reveal], Counts], reveals: list[Reveal], puzzle: Puzzle) -> str:
    """Return a row's figures: tilings, processor seconds, and minutes that all dates would take."""
    count(puzzle, reveals[0])  # imports are not measured
    tilings, started = 0, time.process_time()
    for reveal in reveals:
        found = count(puzzle, reveal)
        tilings += found if isinstance(found, int) else sum(found)
    took = time.process_time() - started
    every = len(dates(puzzle))
    return f"{tilings:,} | {took:.1f} | {took / len(reveals) * every / 60:.1f}"


def report() -> str:
    """Return the text of the report."""
    puzzle = load(BOARD)
    every = dates(puzzle)
    step = len(every) / SAMPLE
    sample = [every[int(number * step)] for number in range(SAMPLE)]
    counts = {
        "CP-SAT, one tiling per date": enumerated(cp_sat, every=False),
        "CP-SAT, every tiling": enumerated(cp_sat),
        "satcal, SAT loop, every tiling": satcal_by("sat"),
    }
    rows = [(name, timed(count, sample, puzzle)) for name, count in counts.items()]
    started = time.process_time()
    found = satcal_diagram(puzzle, None)
    took = time.process_time() - started
    assert not isinstance(found, int)
    lines = [
        "# What a full count of the rhombus costs",
        "",
        f"Written by `python -m benchmarks.one_tiling`: {SAMPLE} of the {len(every):,} dates, "
        "evenly spaced, in",
        "seconds of one processor's time; the last column is what the mean of the sample makes of "
        "all dates.",
        "",
        "| what | tilings found | seconds | all dates, minutes |",
        "|---|---|---|---|",
        *(f"| {name} | {figures} |" for name, figures in rows),
        "",
        f"The diagram counts all {len(found):,} reveals at once, {sum(found):,} tilings, in "
        f"{took:.1f} s.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = report()
    write_bytes(REPORT, text.encode())
    sys.stdout.write(text)
