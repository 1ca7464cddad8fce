"""Producing tables: ``python -m satcal.evidence.produce BOARD… [--method M] [--jobs N]``.

Counts all reveals of each board by one method and writes ``results/counts``. A table that is
there already is compared first: a difference is exit 1 and leaves it as it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from satcal.errors import SatcalError
from satcal.evidence.folder import results_folder
from satcal.evidence.tables import write_table
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal

CountAll = Callable[[Puzzle], dict[Reveal, int]]


def produce(folder: Path, board: str, method: str, count_all: CountAll) -> Path:
    """Count a board by a method and write its table; return the table's path.

    Raises:
        Disagreement: the table that is there says something else.
        SatcalError: the board cannot be loaded, or not be counted.
    """
    puzzle = load(board)
    return write_table(folder, puzzle.name, puzzle, count_all(puzzle), method)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code (that of the error, if any)."""
    parser = argparse.ArgumentParser(prog="python -m satcal.evidence.produce", description=__doc__)
    parser.add_argument("boards", nargs="+", metavar="BOARD")
    parser.add_argument("--method", default="sat")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--folder", type=Path, help="default: results/counts")
    chosen = parser.parse_args(arguments)

    def count(puzzle: Puzzle) -> dict[Reveal, int]:
        from satcal.api import count_all

        return count_all(puzzle, method=chosen.method, jobs=chosen.jobs)

    try:
        folder = chosen.folder or results_folder() / "counts"
        for board in chosen.boards:
            print(produce(folder, board, chosen.method, count))
    except SatcalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
