"""What the prunings of ``search`` gain. ``python -m benchmarks.pruning``.

CPU seconds of a search to its end in this process, medians of five rounds in which the prunings
take turns. Writes ``results/benchmarks/pruning.md``.
"""

from __future__ import annotations

import datetime
import statistics
import time

from benchmarks.measure import ROOT
from benchmarks.report import table
from satcal.counting.search import PRUNINGS, Search
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover

ROUNDS = 5
DATES = (
    ("weekday", ("Mon", "Feb", "6")),
    ("weekday", ("Mon", "Apr", "6")),
    ("rhombus", ("Thu", "Oct", "23")),
    ("rhombus", ("Mon", "Mar", "10")),
)
HEAD = """# Prunings of the method search

Written by `python -m benchmarks.pruning`: CPU seconds of a search to its end, medians of five
rounds in which the prunings take turns, and the partial tilings visited. *gain* compares `sums`
with `none`. Asked after every placement, as it was until commit 36861a2, `sums` took 11.3 s on
weekday Mon Feb 6 where `none` took 1.9 s: now it is asked only where the ring around a placement
is split, and both write sets of cells as bits, which made `none` as much faster as nodes are
cheaper.
"""


def main() -> None:
    """Measure all dates and write the page."""
    rows = []
    for name, reveal in DATES:
        whole = cover(load(name), reveal)
        seconds: dict[str, list[float]] = {pruning: [] for pruning in PRUNINGS}
        for _ in range(ROUNDS):
            for pruning in PRUNINGS:
                search = Search(whole, pruning)
                began = time.process_time()
                tilings = sum(1 for _ in search.tilings())
                seconds[pruning].append(time.process_time() - began)
                if pruning == PRUNINGS[0]:
                    every = search.visited
        medians = {pruning: statistics.median(each) for pruning, each in seconds.items()}
        rows.append([
            " ".join([name, *reveal]), f"{tilings:,}",
            *(f"{each:.2f}" for each in medians.values()),
            f"{medians['none'] / medians['sums']:.2f}", f"{every:,}",
            f"{search.visited:,}",
        ])  # fmt: skip
    head = ["date", "tilings", *PRUNINGS, "gain", "visited by none", "by sums"]
    date = datetime.date.today().isoformat()
    text = f"{HEAD}\n- date: {date}\n\n{table(head, rows, False)}\n"
    (ROOT / "results" / "benchmarks" / "pruning.md").write_text(text)


if __name__ == "__main__":
    main()
