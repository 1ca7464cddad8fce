"""satcal's SAT loop beside other enumerators: ``python -m benchmarks.enumeration``.

Dates of five boards, easy to hard, one core each; every measurement becomes a row of
``results/benchmarks/enumeration.csv`` at once, and a run that was interrupted goes on after the
last one. The table beside it is written from these rows alone. Exit codes: 1 a count differs
from ``results/counts``, 4 a program is missing.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.comparing import write
from benchmarks.measure import ROOT, Failed, ask, measure
from benchmarks.run import machine
from benchmarks.suites import Case

PEERS = (
    "satcal-sat-none",
    "satcal-sat-single",
    "satcal-sat-pair",
    "satcal-sat-closed",
    "cp-sat",
    "clasp-cnf",
)
BOARDS = ("a-puzzle-a-day", "jarring-words", "rhombus", "weekday", "tetromino")
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # easy to hard: how many dates have fewer tilings
HARD = Case("weekday", "Sat,Oct,25")
FIELDS = (
    "board",
    "reveal",
    "tilings",
    "round",
    "peer",
    "status",
    "seconds",
    "busy",
    "wall",
    "cpu",
    "peak",
    "limit",
    "version",
    "machine",
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
Row = dict[str, str]


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing, write the table, and return the exit code."""
    options = parse(arguments)
    known = ask("versions")[1]["peers"]
    missing = [name for name in PEERS if known[name]["version"] is None]
    if missing:
        print(f"{', '.join(missing)} is missing: see benchmarks/README.md", file=sys.stderr)
        return 4
    path = options.output / "enumeration.csv"
    if options.fresh:
        path.unlink(missing_ok=True)
    rows = read(path)
    done = {(row["board"], row["reveal"], row["peer"], row["round"]) for row in rows}
    where = f"{machine()['cpu']}, {machine()['cores']} cores"
    todo = [
        (turn, case, tilings, peer)
        for turn in range(1, options.repeat + 1)
        for case, tilings in cases(ROOT / "results" / "counts")
        for peer in PEERS
        if (case.board, case.reveal, peer, str(turn)) not in done
    ]
    for number, (turn, case, tilings, peer) in enumerate(todo, start=1):
        try:
            found = measure(peer, known[peer]["program"], case, options.limit)
        except Failed as error:
            print(f"FAILED: {case.key}: {error}", file=sys.stderr)
            return 1
        if found["status"] == "ok" and found["tilings"] != tilings:
            print(f"DIFFERENT: {case.key}: {peer} counts {found['tilings']}", file=sys.stderr)
            return 1
        print(
            f"{number} of {len(todo)}: {case.key}: {peer}: {found['status']}, "
            f"{found['busy']:.3g} s CPU",
            file=sys.stderr,
            flush=True,
        )
        about = {
            "board": case.board,
            "reveal": case.reveal,
            "tilings": tilings,
            "round": turn,
            "peer": peer,
            "status": found["status"],
            "limit": f"{options.limit:g}",
            "version": known[peer]["version"],
            "machine": where,
        }
        figures = {key: f"{found[key]:.4g}" for key in ("seconds", "busy", "wall", "cpu")}
        append(path, {**about, **figures, "peak": found["peak"]})
    write(read(path), path.with_suffix(".md"))
    return 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.enumeration", description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, help="rounds over all dates (1)")
    parser.add_argument("--limit", type=float, default=300, help="seconds per measurement (300)")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks")
    options = parser.parse_args(arguments)
    if options.repeat < 1 or options.limit <= 0:
        parser.error("--repeat and --limit must be positive")
    return options


def cases(folder: Path) -> list[tuple[Case, int]]:
    """Return the dates to be counted with their tilings by satcal's tables: those at fixed
    shares of each board's dates in the order of their tilings, and the hard one."""
    found: dict[Case, int] = {}
    for board in BOARDS:
        dates = sorted(dates_of(folder / f"{board}.csv"))
        known = {reveal: tilings for tilings, reveal in dates}
        for share in SHARES:
            tilings, reveal = dates[round(share * (len(dates) - 1))]
            found[Case(board, reveal)] = tilings
        if board == HARD.board and HARD.reveal:
            found[HARD] = known[HARD.reveal]
    return list(found.items())


def dates_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the tilings and the reveal of each row of a table that is a date of some year."""
    with path.open(newline="") as lines:
        for row in csv.DictReader(lines):
            try:  # a leap year
                datetime.date(2024, MONTHS.index(row["month"]) + 1, int(row["day"]))
            except ValueError:
                continue
            labels = (row[key] for key in row if key not in ("tilings", "methods"))
            yield int(row["tilings"]), ",".join(labels)


def read(path: Path) -> list[Row]:
    """Return the rows that are measured; none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def append(path: Path, row: dict[str, object]) -> None:
    """Add one row, and before the first one the header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerow(row)


if __name__ == "__main__":
    sys.exit(main())
