"""Producing tables: ``python -m tools.tables BOARD… [--method M]``.

Counts the reveals of each board by one method and writes ``results/counts``. A table that is
there already is compared first: a difference is exit 1 and leaves it as it was. ``--sample``
counts some reveals of a table again, the same in every run; ``--year`` those with the fewest
and the most tilings, then the dates of a year. Each finished count is stored: the same call
goes on where it was interrupted, ``--fresh`` starts over.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from satcal.cli.progress import progress
from satcal.counting.count import exact_counts
from satcal.counting.settings import Settings
from satcal.errors import Disagreement, OptionError, SatcalError, exit_code
from satcal.evidence.claims.examination import chosen_rows
from satcal.evidence.tables import MANIFEST, Entry, Row, Table, Tables, results_folder
from satcal.files import make_folder, write_bytes
from satcal.puzzle.loading import load, origin_of
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, select
from satcal.store.location import Location, parse_location
from satcal.store.resuming import Keeper

EXTREMES = 10  # rows with the fewest tilings, and as many with the most
CountEach = Callable[[Puzzle, Sequence[Reveal]], Iterable[tuple[Reveal, int]]]
HEAD = """\
# The tables in this folder and the puzzles they count, by digest of the puzzle.
# Written together with the tables by `python -m tools.tables`.
"""


def write_table(
    folder: Path, board: str, puzzle: Puzzle, counts: Mapping[Reveal, int], method: str
) -> Path:
    """Write the counts of one method to the table of a board, and return its path.

    Where there is a table of this puzzle already, its counts must be the same, and the method
    joins those that its rows name; ``counts`` may then be of some reveals only.

    Raises:
        Disagreement: a count differs from the table; nothing is written.
        FormatError, FileTrouble: the table that is there is damaged.
        ValueError: the counts are not of all reveals, and there is no table yet.
    """
    make_folder(folder)
    known = Tables(folder)
    of_board = (entry.digest for entry in known.entries if entry.board == board)
    old = known.find(puzzle) if puzzle.digest in of_board else None
    rows: dict[Reveal, Row] = {}
    for reveal in puzzle.reveals():
        fresh = counts.get(reveal)
        if old:
            row = old.rows[frozenset(reveal)]
        elif fresh is None:
            raise ValueError(f"{board}: no count of {','.join(reveal)}")
        else:
            row = Row(fresh, (method,))
        if fresh not in (None, row.tilings):
            raise Disagreement(
                f"{board} {' '.join(reveal)}: the table says {row.tilings} "
                f"({'+'.join(row.methods)}), {method} counts {fresh}"
            )
        also = [] if fresh is None else [method]
        rows[reveal] = Row(row.tilings, tuple(sorted({*row.methods, *also})))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*puzzle.categories, "tilings", "methods"])
    writer.writerows([*r, row.tilings, "+".join(row.methods)] for r, row in rows.items())
    path = folder / f"{board}.csv"
    write_bytes(path, text.getvalue().encode())
    total = sum(row.tilings for row in rows.values())
    entries = {entry.board: entry for entry in known.entries}
    entries[board] = Entry(board, puzzle.digest, len(rows), total)
    manifest = HEAD + "".join(
        f'\n["{e.board}"]\ndigest = "{e.digest}"\nrows = {e.rows}\ntotal = {e.total}\n'
        for _, e in sorted(entries.items())
    )
    write_bytes(folder / MANIFEST, manifest.encode())
    return path


def of_year(puzzle: Puzzle, table: Table, year: int) -> list[Reveal]:
    """Return the reveals of a year's dates, the extremes of the whole table before them."""
    rows = select(puzzle, Range(year=year), datetime.date(year, 1, 1))
    ordered = sorted(puzzle.reveals(), key=lambda reveal: (table.tilings(reveal), reveal))
    extremes = ordered[:EXTREMES] + ordered[-EXTREMES:]
    return list(dict.fromkeys([*extremes, *(row.reveal for row in rows)]))


def add_sample(
    folder: Path,
    puzzle: Puzzle,
    table: Table,
    method: str,
    reveals: Sequence[Reveal],
    count_each: CountEach,
) -> None:
    """Count those reveals of a table that a method has not counted yet; save each.

    Raises:
        Disagreement: the table says something else; what agreed before is saved.
    """
    missing = [each for each in reveals if method not in table.rows[frozenset(each)].methods]
    for reveal, tilings in count_each(puzzle, missing):
        write_table(folder, table.board, puzzle, {reveal: tilings}, method)


def counts_kept(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings, keeper: Keeper
) -> Iterator[tuple[Reveal, int]]:
    """Yield each reveal with its count; those that are stored first, the others as they come."""
    known = keeper.recall(puzzle, reveals, settings)
    yield from known.items()
    todo = [reveal for reveal in reveals if reveal not in known]
    if not todo:
        return
    fresh = exact_counts(puzzle, todo, settings)
    # the diagram counts all at once, and so in one transaction
    at_once = settings.method == "diagram"
    for counts in [dict(fresh)] if at_once else ({reveal: count} for reveal, count in fresh):
        keeper.record(puzzle, settings, counts)
        yield from counts.items()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code (that of the error, if any)."""
    parser = argparse.ArgumentParser(prog="python -m tools.tables", description=__doc__)
    parser.add_argument("boards", nargs="+", metavar="BOARD")
    parser.add_argument("--method", default="diagram")
    parser.add_argument("--sample", type=int, metavar="N", help="that many reveals of a table")
    parser.add_argument("--year", type=int, metavar="Y", help="the dates of a year, extremes first")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--cluster", metavar="tcp://HOST:8786|local", help="count on this one")
    parser.add_argument("--folder", type=Path, help="default: results/counts")
    parser.add_argument("--store", metavar="URL|FILE|none", help="of what is finished")
    parser.add_argument("--fresh", action="store_true", help="count again what is stored")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    chosen = parser.parse_args(arguments)
    try:
        location = parse_location(chosen.store or os.environ.get("SATCAL_STORE"))
        folder = chosen.folder or results_folder() / "counts"
        return exit_code([_one(folder, board, chosen, location) for board in chosen.boards])
    except SatcalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped; what was counted is saved", file=sys.stderr)
        return 3


def _one(folder: Path, board: str, chosen: argparse.Namespace, location: Location | None) -> int:
    """Produce the table of one board; return the exit code of its keeping."""
    settings = Settings(
        method=chosen.method, jobs=chosen.jobs, use_cache=False, cluster=chosen.cluster
    )
    keeper = Keeper(location, origin_of(board), chosen.fresh)

    def each(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Iterator[tuple[Reveal, int]]:
        with progress(f"counting {board}", len(reveals), chosen.quiet) as advance:
            for reveal, tilings in counts_kept(puzzle, reveals, settings, keeper):
                advance(" ".join(reveal))
                yield reveal, tilings

    try:
        puzzle = load(board)
        name = puzzle.name
        if chosen.sample is None and chosen.year is None:
            counts = dict(each(puzzle, list(puzzle.reveals())))
            write_table(folder, name, puzzle, counts, chosen.method)
        else:
            table = Tables(folder).find(puzzle)
            if table is None:
                raise OptionError(f"{name} has no table in {folder}; produce it without --sample")
            name = table.board
            if chosen.year:
                reveals = of_year(puzzle, table, chosen.year)
            else:
                reveals = chosen_rows(puzzle, [], chosen.sample)
            add_sample(folder, puzzle, table, chosen.method, reveals, each)
        print(folder / f"{name}.csv", flush=True)
    finally:
        keeper.close()
    return keeper.finish()


if __name__ == "__main__":
    sys.exit(main())
