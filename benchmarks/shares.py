"""What it costs to count shares of a cut apart. ``python -m benchmarks.shares``.

Shares meet the same states again. Work is the number of states that are expanded, so the figures
are the same on every machine. Writes ``results/benchmarks/shares.md``.
"""

from __future__ import annotations

from benchmarks.measure import ROOT
from benchmarks.report import table
from satcal.counting.diagram.layered import Cut, Layered
from satcal.counting.diagram.model import Problem, Watch
from satcal.counting.diagram.puzzle import problem_of
from satcal.counting.within import CUT_AT, shared
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover

BOARDS = ("pentomino-6x10", "pentomino-8x8-hole", "rhombus", "weekday")
SHARES = (2, 8, 32)


def states(problem: Problem, cut: Cut | None) -> tuple[int, int]:
    """Return the tilings through a cut (None: the whole), and how many states were expanded."""
    expanded = 0

    def tell(name: str, _layer: int, _layers: int, here: int) -> None:
        nonlocal expanded
        expanded += here if name == "layers" else 0

    layered = Layered(problem, Watch(problem.cells + 1, None, tell))
    return layered.count(layered.start() if cut is None else cut), expanded


def main() -> None:
    """Count each board whole and in shares, and write the page."""
    rows = []
    for board in BOARDS:
        problem = problem_of(cover(load(board), None))
        tilings, whole = states(problem, None)
        cut = Layered(problem, Watch(problem.cells + 1, None, None)).cut(CUT_AT)
        for number in SHARES:
            found = [states(problem, share) for share in shared(cut, number)]
            if sum(count for count, _ in found) != tilings:
                raise SystemExit(f"{board}: {number} shares do not add up to {tilings:,}")
            work = [expanded / whole for _, expanded in found]
            rows.append([board, f"{tilings:,}", f"{whole:,}", str(number), f"{sum(work):.1f}",
                         f"{max(work):.2f}"])  # fmt: skip
            print(*rows[-1], flush=True)
    head = ["board", "tilings", "states", "shares", "work of all", "of the largest"]
    page = (
        "# Shares of a cut\n\nWritten by `python -m benchmarks.shares`: all tilings of a board, "
        f"counted layer by layer, whole and in\nshares of its first cut of {CUT_AT:,} states; work "
        "as a multiple of that of the whole, in states.\n\n"
    )
    (ROOT / "results/benchmarks/shares.md").write_text(page + table(head, rows, False))


if __name__ == "__main__":
    main()
