"""Producing tables: ``python -m satcal.evidence.produce BOARD… [--method M] [--sample N]``.

Counts the reveals of each board by one method and writes ``results/counts``. A table that is
there already is compared first: a difference is exit 1 and leaves it as it was. ``--sample``
counts some reveals of a table again, the same in every run, and saves them as they come: who
interrupts it and calls it again goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from satcal.counting.methods import Settings, Status
from satcal.errors import Disagreement, OptionError, SatcalError
from satcal.evidence.claims.sources import chosen_rows
from satcal.evidence.folder import results_folder
from satcal.evidence.tables import Tables, write_table
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal

CountAll = Callable[[Puzzle], dict[Reveal, int]]
CountEach = Callable[[Puzzle, Sequence[Reveal]], Iterable[tuple[Reveal, int]]]


def produce(folder: Path, board: str, method: str, count_all: CountAll) -> Path:
    """Count a board by a method and write its table; return the table's path.

    Raises:
        Disagreement: the table that is there says something else.
        SatcalError: the board cannot be loaded, or not be counted.
    """
    puzzle = load(board)
    return write_table(folder, puzzle.name, puzzle, count_all(puzzle), method)


def add_sample(folder: Path, board: str, method: str, size: int, count_each: CountEach) -> Path:
    """Count some reveals of a board's table by another method, and let it join their rows.

    Which reveals is decided by the puzzle's digest. Those that the method has counted already
    are not counted again; each one is saved when it is counted.

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
    for reveal, tilings in count_each(puzzle, missing):
        path = write_table(folder, table.board, puzzle, {reveal: tilings}, method)
    return path


def _counts_as_they_come(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings
) -> Iterator[tuple[Reveal, int]]:
    """Yield each reveal with its count when it is counted.

    Raises:
        Disagreement: a count failed.
    """
    from satcal.counting.run import count_reveals

    for reveal, outcome in count_reveals(puzzle, reveals, settings):
        if outcome.status is not Status.EXACT:
            raise Disagreement(f"{puzzle.name} {' '.join(reveal)}: {outcome.message}")
        yield reveal, outcome.tilings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code (that of the error, if any)."""
    parser = argparse.ArgumentParser(prog="python -m satcal.evidence.produce", description=__doc__)
    parser.add_argument("boards", nargs="+", metavar="BOARD")
    parser.add_argument("--method", default="diagram")
    parser.add_argument("--sample", type=int, metavar="N", help="that many reveals of a table")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--folder", type=Path, help="default: results/counts")
    chosen = parser.parse_args(arguments)

    def every(puzzle: Puzzle) -> dict[Reveal, int]:
        from satcal.api import count_all

        return count_all(puzzle, method=chosen.method, jobs=chosen.jobs, use_cache=False)

    def each(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Iterator[tuple[Reveal, int]]:
        settings = Settings(method=chosen.method, jobs=chosen.jobs, use_cache=False)
        return _counts_as_they_come(puzzle, reveals, settings)

    try:
        folder = chosen.folder or results_folder() / "counts"
        for board in chosen.boards:
            if chosen.sample is None:
                print(produce(folder, board, chosen.method, every))
            else:
                print(add_sample(folder, board, chosen.method, chosen.sample, each), flush=True)
    except SatcalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped; what was counted is saved", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
