"""How long people wait for a date and for a year: ``python -m benchmarks.answers``.

`satcal count` of one date and of the year 2025 on every calendar puzzle of the library, each in
a fresh process, without cache and store, cross-check included. Writes
``results/benchmarks/answers.md``.
"""

from __future__ import annotations

import datetime
import os
import statistics
import subprocess
import sys
import time

from benchmarks.measure import ROOT
from benchmarks.report import table
from satcal.errors import Stopped
from satcal.files import write_bytes
from satcal.puzzle.loading import library, load

ROUNDS = 3
ASKED = {"one date": (["--date", "2025-12-25"], 1.0), "a year": (["--year", "2025"], 6.0)}
HEAD = """# How long an answer takes

Written by `python -m benchmarks.answers`: `satcal count` of 2025-12-25 and of the year 2025 on
every calendar puzzle of the library, with `--no-cache --store none`, in fresh processes, the
comparison with other methods and the shipped table included. Medians of three rounds in which the
puzzles take turns. *end* is when the process has ended; CPU seconds are those of the process and
its workers. A date should end within a second and a year within six. What other work the machine
does is in the wall time; *unfinished* are the runs whose comparison its budget of four seconds cut
short.
"""

Times = tuple[float, float, int]


def measured(arguments: list[str]) -> Times:
    """Return seconds, CPU seconds, and the exit code."""
    command = [sys.executable, "-m", "satcal", "count", *arguments]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, Stopped.exit_code):
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}")
    end = time.perf_counter() - began
    return end, used.ru_utime + used.ru_stime, process.returncode


def main() -> None:
    """Measure all puzzles and write the page."""
    boards = [name for name in library() if load(name).calendar.parts is not None]
    taken: dict[tuple[str, str], list[Times]] = {}
    for _ in range(ROUNDS):
        for board in boards:
            for asked, (range_, _) in ASKED.items():
                options = ["--board", board, *range_, "--no-cache", "--store", "none"]
                taken.setdefault((board, asked), []).append(measured(options))
    rows = []
    for (board, asked), times in taken.items():
        *figures, codes = zip(*times, strict=True)
        end, cpu = map(statistics.median, figures)
        soon = "yes" if end < ASKED[asked][1] else "no"
        rows.append([board, asked, f"{end:.2f}", f"{cpu:.2f}", str(sum(map(bool, codes))), soon])
    head = ["board", "asked", "end", "CPU", "unfinished", "in time"]
    load_average = f"{os.getloadavg()[2]:.1f} processes wanted one of {os.cpu_count()} cores"
    when = f"- date: {datetime.date.today()}; in the last quarter of an hour {load_average}"
    text = f"{HEAD}\n{when}\n\n{table(head, rows, False)}\n"
    write_bytes(ROOT / "results" / "benchmarks" / "answers.md", text.encode())


if __name__ == "__main__":
    main()
