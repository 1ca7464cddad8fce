"""Producing tables: ``python -m tools.tables BOARD… [--method M]``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.count import show_progress
from satcal.cli.main import run
from satcal.cli.methods import method_option
from satcal.cli.progress import say
from satcal.counting.settings import METHODS, Assignment, Question, Run, method_of
from satcal.errors import Disagreement, OptionError, exit_code
from satcal.files import make_folder, write_bytes
from satcal.published.examination import chosen_rows
from satcal.published.own_tables import MANIFEST, ManifestEntry, TableRow, Tables, results_folder
from satcal.puzzle.loading import load, origin_of
from satcal.puzzle.model import Puzzle, Reveal
from satcal.records import written
from satcal.store.location import parse_location
from satcal.store.resuming import Keeper
from satcal.store.runs import count_and_keep

HEAD = """\
# The tables in this folder and the puzzles they count, by digest of the puzzle.
# Written together with the tables by `python -m tools.tables`.
"""


def write_table(
    folder: Path, board: str, puzzle: Puzzle, counts: Mapping[Reveal, int], method: str
) -> Path:
    """Write the counts of one method to the table of a board, and return its path.

    Where there is a table of this puzzle already, its counts must be the same, or Disagreement
    is raised, and the method joins those that its rows name; only a new table needs ``counts``
    of all reveals.
    """
    make_folder(folder)
    known = Tables(folder)
    of_board = (entry.digest for entry in known.entries if entry.board == board)
    old = known.find(puzzle) if puzzle.digest in of_board else None
    rows: dict[Reveal, TableRow] = {}
    for reveal in puzzle.reveals():
        row = old.rows[frozenset(reveal)] if old else TableRow(counts[reveal], ())
        if reveal in counts:
            if counts[reveal] != row.tilings:
                raise Disagreement(
                    f"{board} {' '.join(reveal)}: the table says {row.tilings} "
                    f"({'+'.join(row.methods)}), {method} counts {counts[reveal]}"
                )
            row = TableRow(row.tilings, tuple(sorted({*row.methods, method})))
        rows[reveal] = row
    fields = [*puzzle.categories, "tilings", "methods"]
    values = ((*reveal, row.tilings, "+".join(row.methods)) for reveal, row in rows.items())
    text = written((dict(zip(fields, row, strict=True)) for row in values), fields, "csv")
    path = folder / f"{board}.csv"
    write_bytes(path, text.encode())
    total = sum(row.tilings for row in rows.values())
    entries = {entry.board: entry for entry in known.entries}
    entries[board] = ManifestEntry(board, puzzle.digest, len(rows), total)
    manifest = HEAD + "".join(
        f'\n["{e.board}"]\ndigest = "{e.digest}"\nrows = {e.rows}\ntotal = {e.total}\n'
        for _, e in sorted(entries.items())
    )
    write_bytes(folder / MANIFEST, manifest.encode())
    return path


@click.command()
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...")
@method_option
@click.option("--sample", type=int, metavar="N", help="That many reveals of a table.")
@options.jobs_option
@options.cluster_option
@click.option("--folder", type=Path, help="Of the tables.  [default: results/counts]")
@options.store_option
@click.option("--fresh", is_flag=True, help="Count again what is stored.")
@options.quiet_option
def produce(
    boards: tuple[str, ...],
    method: str | None,
    sample: int | None,
    jobs: int | None,
    cluster: str | None,
    folder: Path | None,
    where: str | None,
    fresh: bool,
) -> int:
    """Count the reveals of each board by one method and write `results/counts`.

    A table that is there already is compared first: a difference is exit 1 and leaves it as it
    was. --sample counts some reveals of a table again, the same in every run. Each finished
    count is stored: the same call goes on where it was interrupted, --fresh starts over.
    """
    location, folder = parse_location(where), folder or results_folder() / "counts"
    by, run = method_of(method or next(iter(METHODS)), use_cache=False), Run(jobs, cluster)
    codes = []
    for board in boards:
        puzzle = load(board)
        name, reveals = puzzle.name, list(puzzle.reveals())
        if sample is not None:
            table = Tables(folder).find(puzzle)
            if table is None:
                raise OptionError(f"{name} has no table in {folder}; produce it without --sample")
            name = table.board
            reveals = [
                reveal
                for reveal in chosen_rows(puzzle, [], sample)
                if by.name not in table.rows[frozenset(reveal)].methods
            ]
        with closing(Keeper(location, origin_of(board), fresh, say=say, note=say)) as keeper:
            counted = count_and_keep(
                Assignment(Question(puzzle, reveals), by, run), keeper, show_progress
            )
            if counted.interrupted:
                raise KeyboardInterrupt
            for reveal, outcome in counted.outcomes.items():
                outcome.require(reveal)
            click.echo(write_table(folder, name, puzzle, counted.counts, by.name))
            codes.append(keeper.finish())
    return exit_code(codes)


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(arguments, produce, "python -m tools.tables")


if __name__ == "__main__":
    sys.exit(main())
