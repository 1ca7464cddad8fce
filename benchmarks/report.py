"""Results as JSON and as Markdown: ``python -m benchmarks.report results/benchmarks``.

The same results give the same bytes; seconds are shown as measured and never judged.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.suites import MEMORY_TARGET

HEAD = """\
# satcal and its peers

Written by `make bench`. Every measurement is a fresh process; the figures are medians of
interleaved rounds. *Process* is the wall time of the whole process, with starting Python and
importing modules; *count* is the time from the loaded puzzle to the answer; for programs
(C, clasp), whose input is written beforehand, both are the same. *CPU* is user and system time
and *peak* the resident memory of the whole process. All counts are compared: of each reveal
where a peer tells them, else their sum.
"""


def write(results: Mapping[str, Any], folder: Path) -> None:
    """Write peers.json and peers.md."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "peers.json").write_text(json.dumps(rounded(results), indent=1) + "\n")
    (folder / "peers.md").write_text(markdown(results))


def rounded(value: Any) -> Any:
    """Return a value with floats of four significant digits; more would be noise."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return value


def markdown(results: Mapping[str, Any]) -> str:
    """Return the report."""
    parts = [HEAD, about(results)]
    for title, cases in (
        ("One date", results["suites"].get("date", {})),
        ("Whole puzzles: every reveal, from nothing", results["suites"].get("whole", {})),
    ):
        if cases:
            parts.append(f"## {title}\n")
        for key, cells in cases.items():
            parts += [f"### {key}\n", case_table(cells, results["limit"])]
    if results.get("targets"):
        parts += ["## Ratios\n", target_table(results["targets"]), memory_line(results)]
    parts += ["## Peers\n", peer_table(results["peers"])]
    return "\n".join(parts)


def about(results: Mapping[str, Any]) -> str:
    """Return date, machine, versions and settings as a list."""
    machine, versions = results["machine"], results["versions"]
    return (
        f"- date: {results['date']}\n"
        f"- machine: {machine['cpu']}, {machine['cores']} cores\n"
        f"- Python {versions['python']}, numpy {versions['numpy']}\n"
        f"- up to {results['repetitions']} repetitions, {results['limit']:g} s per measurement\n"
    )


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: bool = True) -> str:
    """Return a Markdown table whose first column is text and whose others are numbers or text."""
    names = list(head)
    lines = [names, ["---"] + ["---:" if numbers else "---"] * (len(names) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def case_table(cells: Mapping[str, Mapping[str, Any]], limit: float) -> str:
    """Return what was measured in one case; the order of peers is that of the registry."""
    rows = [[name, *case_row(cell, limit)] for name, cell in cells.items()]
    return table(("peer", "count s", "process s", "CPU s", "peak MB", "tilings", "runs"), rows)


def case_row(cell: Mapping[str, Any], limit: float) -> list[str]:
    """Return the figures of one peer, or why there are none."""
    if cell["status"] == "ok":
        right = "" if cell.get("right", True) else " **(wrong)**"
        return [
            *(seconds(cell[key]) for key in ("seconds", "wall", "cpu")),
            f"{cell['peak'] / 1e6:,.0f}",
            f"{cell['tilings']:,}{right}",
            str(cell["repetitions"]),
        ]
    if cell["status"] == "late":
        return [f"not finished within {limit:g} s", "", "", f"{cell['peak'] / 1e6:,.0f}", "", "1"]
    why = {"missing": "missing", "failed": "failed"}.get(cell["status"])
    return [why or f"not possible: {cell['why']}", "", "", "", "", ""]


def seconds(value: float) -> str:
    """Return seconds with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def target_table(targets: Iterable[Mapping[str, Any]]) -> str:
    """Return how many times faster satcal's diagram is, and how many it is meant to be."""
    rows = []
    for one in targets:
        more = "≥ " if one["at_least"] else ""
        figures = [f"{more}{one[key]:.3g}" for key in ("count", "process", "cpu")]
        against = " or ".join(one["peers"]) + (", the faster" if len(one["peers"]) > 1 else "")
        rows.append([f"{one['case']}: {against}", *figures, f"{one['target']:g}"])
    return table(("satcal-diagram is faster than", "count", "process", "CPU", "target"), rows)


def memory_line(results: Mapping[str, Any]) -> str:
    """Return the diagram's largest peak beside what is allowed."""
    cells = [case.get("satcal-diagram", {}) for case in results["suites"].get("whole", {}).values()]
    peak = max((cell["peak"] for cell in cells if "peak" in cell), default=0)
    return f"Largest peak of satcal-diagram: {peak / 1e6:,.0f} MB of {MEMORY_TARGET / 1e6:,.0f}.\n"


def peer_table(peers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return who the peers are, and their versions."""
    rows = [[name, one["version"] or "missing", one["what"]] for name, one in peers.items()]
    return table(("peer", "version", "what it does"), rows, numbers=False)


if __name__ == "__main__":
    where = Path(sys.argv[1])
    write(json.loads((where / "peers.json").read_text()), where)
