"""Producing tables: ``python -m satcal.evidence.produce BOARD… [--method M] [--sample N]``.

Counts the reveals of each board by one method and writes ``results/counts``. A table that is
there already is compared first: a difference is exit 1 and leaves it as it was. ``--sample``
counts some reveals of a table again, the same in every run, and saves them as they come: who
interrupts it and calls it again goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from satcal.errors import OptionError, SatcalError
from satcal.evidence.claims.sources import chosen_rows
from satcal.evidence.folder import results_folder
from satcal.evidence.tables import Tables, write_table
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal

CountAll = Callable[[Puzzle, Sequence[Reveal] | None], dict[Reveal, int]]

BATCH = 4  # reveals counted between two writes of a table: seconds of work at most are lost


def produce(folder: Path, board: str, method: str, count_all: CountAll) -> Path:
    """Count a board by a method and write its table; return the table's path.

    Raises:
        Disagreement: the table that is there says something else.
        SatcalError: the board cannot be loaded, or not be counted.
    """
    puzzle = load(board)
    return write_table(folder, puzzle.name, puzzle, count_all(puzzle, None), method)


def add_sample(folder: Path, board: str, method: str, size: int, count_all: CountAll) -> Path:
    """Count some reveals of a board's table by another method, and let it join their rows.

    Which reveals is decided by the puzzle's digest. Those that the method has counted already
    are not counted again.

    Raises:
        Disagreement: the table says something else; what agreed before is saved.
        OptionError: there is no table of this board yet.
    """
    puzzle = load(board)
    table = Tables(folder).find(puzzle)
    if table is None:
        raise OptionError(f"{puzzle.name} has no table in {folder}; produce it without --sample")
    rows = {reveal: table.rows[frozenset(reveal)] for reveal in chosen_rows(puzzle, [], size)}
    missing = [reveal for reveal, row in rows.items() if method not in row.methods]
    path = folder / f"{table.board}.csv"
    for start in range(0, len(missing), BATCH):
        counts = count_all(puzzle, missing[start : start + BATCH])
        path = write_table(folder, table.board, puzzle, counts, method)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code (that of the error, if any)."""
    parser = argparse.ArgumentParser(prog="python -m satcal.evidence.produce", description=__doc__)
    parser.add_argument("boards", nargs="+", metavar="BOARD")
    parser.add_argument("--method", default="diagram")
    parser.add_argument("--sample", type=int, metavar="N", help="that many reveals of a table")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--folder", type=Path, help="default: results/counts")
    chosen = parser.parse_args(arguments)

    def count(puzzle: Puzzle, reveals: Sequence[Reveal] | None) -> dict[Reveal, int]:
        from satcal.api import count_all

        return count_all(puzzle, reveals, method=chosen.method, jobs=chosen.jobs)

    try:
        folder = chosen.folder or results_folder() / "counts"
        for board in chosen.boards:
            if chosen.sample is None:
                print(produce(folder, board, chosen.method, count))
            else:
                print(add_sample(folder, board, chosen.method, chosen.sample, count), flush=True)
    except SatcalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped; what was counted is saved", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
