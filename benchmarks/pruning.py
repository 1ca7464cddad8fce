"""What the prunings of ``search`` gain. ``python -m benchmarks.pruning``.

CPU seconds of a search to its end in this process, medians of five rounds in which the prunings
take turns; then what a search does that looks at no cell first. Writes
``results/benchmarks/pruning.md``.
"""

from __future__ import annotations

import datetime
import statistics
import time

from benchmarks.measure import ROOT
from benchmarks.report import table
from satcal.counting.search import Search, piece_by_piece
from satcal.counting.settings import PRUNINGS
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of

ROUNDS = 5
DATES = (
    ("weekday", ("Mon", "Feb", "6")),
    ("weekday", ("Mon", "Apr", "6")),
    ("rhombus", ("Thu", "Oct", "23")),
    ("rhombus", ("Mon", "Mar", "10")),
    ("pentomino-3x20", ()),
)
HEAD = """# Prunings of the method search

Written by `python -m benchmarks.pruning`: CPU seconds of a search to its end, medians of five
rounds in which the prunings take turns, and the partial tilings visited. *gain* compares `sums`
with `none`. `search` goes on where the fewest placements fit, and a part that nothing can fill is
mostly a cell that nothing fits: so prunings find little to do on the calendar boards, and halve the
work on 3 x 20. *first cell* is a search that goes on at the first uncovered cell, as the programs
do that claim 42 is about (the first of these dates); visited by each pruning.
"""


BY_PIECES = """
## Without a first cell

Claim 41 is about a program that places the pieces of `a-puzzle-a-day` in their order, each wherever
it fits, and tries every orientation at every place of an array of 8 by 8. Counted exactly for all
366 dates (`satcal.counting.search.piece_by_piece`), without a clock:
"""


def main() -> None:
    """Measure all dates and write the page."""
    rows = []
    for name, reveal in DATES:
        cover = cover_of(load(name), reveal)
        seconds: dict[str, list[float]] = {pruning: [] for pruning in PRUNINGS}
        for _ in range(ROUNDS):
            for pruning in PRUNINGS:
                search = Search(cover, pruning)
                began = time.process_time()
                tilings = sum(1 for _ in search.tilings())
                seconds[pruning].append(time.process_time() - began)
                if pruning == PRUNINGS[0]:
                    every = search.visited
        first = [Search(cover, pruning, first_cell=True) for pruning in PRUNINGS]
        for search_by_cell in first:
            assert sum(1 for _ in search_by_cell.tilings()) == tilings
        medians = {pruning: statistics.median(each) for pruning, each in seconds.items()}
        rows.append(
            [
                " ".join([name, *reveal]),
                f"{tilings:,}",
                *(f"{each:.2f}" for each in medians.values()),
                f"{medians['none'] / medians['sums']:.2f}",
                f"{every:,}",
                f"{search.visited:,}",
                " / ".join(f"{each.visited:,}" for each in first),
            ]
        )
    head = ["date", "tilings", *PRUNINGS, "gain", "visited by none", "by sums", "first cell"]
    puzzle = load("a-puzzle-a-day")
    dates = [reveal for reveal in puzzle.reveals() if puzzle.calendar.is_date(reveal)]
    works = zip(*(piece_by_piece(puzzle, reveal, 8) for reveal in dates), strict=True)
    figures = [
        [name, *(f"{each(work):,.0f}" for each in (min, statistics.median, statistics.mean, max))]
        for name, work in zip(("places tried", "of them valid"), works, strict=True)
    ]
    of_dates = table(["of the dates", "fewest", "median", "mean", "most"], figures, False)
    date = datetime.date.today().isoformat()
    text = f"{HEAD}\n- date: {date}\n\n{table(head, rows, False)}{BY_PIECES}\n{of_dates}\n"
    (ROOT / "results" / "benchmarks" / "pruning.md").write_text(text)


if __name__ == "__main__":
    main()
