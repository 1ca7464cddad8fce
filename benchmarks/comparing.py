"""The table of enumerators, from the rows of measurements and nothing else.

``python -m benchmarks.comparing FILE.csv`` writes FILE.md again. Ratios compare CPU seconds of
the count alone, which other programs on the machine disturb least.
"""

from __future__ import annotations

import csv
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import seconds, table

Key = tuple[str, str]
BEST = "satcal-sat-closed"
HARD = ("weekday", "Sat,Oct,25")
# satcal's loop, whom it is to beat, how many times, and on which date alone (None: the median)
TARGETS = (
    ("satcal-sat-none", "cp-sat", 1.5, None),
    (BEST, "cp-sat", 3.0, None),
    (BEST, "clasp-cnf", 4.0, None),
    (BEST, "cp-sat", 2.5, HARD),
)
HEAD = """\
# Enumerating all tilings: satcal's SAT loop and others

Written by `make bench-long` from `enumeration.csv`. One core each, interleaved: everyone on a date,
then the next date. *CPU* and *wall* are seconds from the loaded puzzle to the last tiling; for
clasp, whose input is written beforehand, those of its process. All counts agree with
`results/counts`. Ratios are of CPU seconds and, in brackets, of wall seconds; `≥` stands where
a program was stopped at its time limit.
"""


@dataclass(frozen=True)
class Figure:
    """A median of seconds over rounds, or a lower bound of it."""

    busy: float
    wall: float
    late: bool


def write(rows: Iterable[Mapping[str, str]], path: Path) -> None:
    """Write the table; the same rows, the same bytes."""
    path.write_text(markdown(list(rows)))


def markdown(rows: Sequence[Mapping[str, str]]) -> str:
    """Return the whole page."""
    peers = list(dict.fromkeys(row["peer"] for row in rows))
    tilings = {(row["board"], row["reveal"]): row["tilings"] for row in rows}
    figures = {
        (case, peer): figure
        for case in tilings
        for peer in peers
        if (figure := median(rows, case, peer)) is not None
    }
    versions = {row["peer"]: row["version"] for row in rows}
    return "\n".join(
        [
            HEAD,
            about(rows, versions),
            "## Ratios\n",
            ratio_table(list(tilings), figures),
            "## Seconds: CPU (wall)\n",
            date_table(tilings, peers, figures),
        ]
    )


def about(rows: Sequence[Mapping[str, str]], versions: Mapping[str, str]) -> str:
    """Return machines, limits, rounds and versions as a list."""
    named = {
        "machine": sorted({row["machine"] for row in rows}),
        "rounds": [str(max((int(row["round"]) for row in rows), default=0))],
        "time limit": sorted({f"{row['limit']} s" for row in rows}),
        "versions": [f"{peer} {version}" for peer, version in versions.items()],
    }
    return "".join(f"- {name}: {', '.join(values)}\n" for name, values in named.items())


def median(rows: Iterable[Mapping[str, str]], case: Key, peer: str) -> Figure | None:
    """Return the median over the rounds of a peer on a date, None if it was not measured."""
    mine = [r for r in rows if (r["board"], r["reveal"]) == case and r["peer"] == peer]
    if not mine:
        return None
    return Figure(
        statistics.median(float(row["busy"]) for row in mine),
        statistics.median(float(row["seconds"]) for row in mine),
        any(row["status"] == "late" for row in mine),
    )


def ratio_table(cases: Sequence[Key], figures: Mapping[tuple[Key, str], Figure]) -> str:
    """Return, per target, the median, least and greatest ratio, and how often it is reached."""
    lines = []
    for own, other, target, only in TARGETS:
        found = [
            (figures[case, own], figures[case, other])
            for case in cases
            if (case, own) in figures and (case, other) in figures and only in (None, case)
        ]
        if not found:
            continue
        busy = [theirs.busy / mine.busy for mine, theirs in found]
        wall = [theirs.wall / mine.wall for mine, theirs in found]
        more = "≥ " if any(theirs.late for _, theirs in found) else ""
        middle = f"{more}{statistics.median(busy):.2f} ({statistics.median(wall):.2f})"
        where = "median of " + f"{len(found)} dates" if only is None else " ".join(only)
        reached = f"{sum(ratio >= target for ratio in busy)} of {len(busy)}"
        row = [f"{own} over {other}, {where}", middle, f"{target:g}"]
        lines.append([*row, f"{min(busy):.2f}", f"{max(busy):.2f}", reached])
    head = ("times faster", "CPU (wall)", "target", "least", "greatest", "dates that reach it")
    return table(head, lines)


def date_table(
    tilings: Mapping[Key, str], peers: Sequence[str], figures: Mapping[tuple[Key, str], Figure]
) -> str:
    """Return seconds per date and peer, and the best loop's ratios to CP-SAT and clasp."""
    lines = []
    for case, count in tilings.items():
        cells = [cell(figures.get((case, peer))) for peer in peers]
        ratios = [ratio(figures.get((case, o)), figures.get((case, BEST))) for o in others(peers)]
        lines.append([" ".join(case), f"{int(count):,}", *cells, *ratios])
    heads = [f"{other} / {BEST}" for other in others(peers)]
    return table(("date", "tilings", *peers, *heads), lines)


def others(peers: Iterable[str]) -> list[str]:
    """Return who is not satcal."""
    return [peer for peer in peers if not peer.startswith("satcal")]


def cell(figure: Figure | None) -> str:
    """Return seconds as the table shows them."""
    if figure is None:
        return ""
    return f"{'≥ ' if figure.late else ''}{seconds(figure.busy)} ({seconds(figure.wall)})"


def ratio(theirs: Figure | None, own: Figure | None) -> str:
    """Return how many times as long they took."""
    if theirs is None or own is None:
        return ""
    return f"{'≥ ' if theirs.late else ''}{theirs.busy / own.busy:.1f}"


if __name__ == "__main__":
    where = Path(sys.argv[1])
    with where.open(newline="") as lines:
        write(list(csv.DictReader(lines)), where.with_suffix(".md"))
