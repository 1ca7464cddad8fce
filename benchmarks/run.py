"""Measure satcal and its peers side by side: ``python -m benchmarks.run``.

Rounds are interleaved: every peer of a case once, then all again, so that a busy machine
disturbs all of them. After each case the results so far are written. Exit codes: 1 an answer
differs, 2 wrong options, 4 a peer named by ``--peer`` is missing.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import statistics
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT, Failed, ask, measure
from benchmarks.report import write
from benchmarks.suites import SUITES, TARGETS, WARM_UP, Case

Cell = dict[str, Any]
REFERENCE = "satcal-diagram"


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks and return the exit code."""
    options = parse(arguments)
    known = ask("versions")[1]
    peers = known["peers"]
    wanted = options.peer or list(peers)
    missing = [name for name in wanted if peers.get(name, {}).get("version") is None]
    if options.peer and missing:
        return _refuse(missing, peers)
    warm_up([name for name in wanted if name not in missing], peers)
    results: dict[str, Any] = {
        "date": options.date,
        "machine": machine(),
        "versions": {"python": known["python"], "numpy": known["numpy"]},
        "repetitions": options.repeat,
        "limit": options.limit,
        "peers": {name: peers[name] for name in wanted},
        "suites": {},
    }
    for suite in options.suite or list(SUITES):
        results["suites"][suite] = cases = {}
        for case in chosen(suite, options.board):
            names = [name for name in wanted if suite in peers[name]["suites"]]
            cases[case.key] = measure_case(case, names, peers, options)
            results["targets"] = ratios(results["suites"])
            write(results, options.output)
    wrong = disagreements(results)
    for line in wrong:
        print(f"DIFFERENT ANSWERS: {line}", file=sys.stderr)
    return 1 if wrong else 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=__doc__.split("\n")[0])
    parser.add_argument("--suite", action="append", choices=list(SUITES), help="default: all")
    parser.add_argument("--board", action="append", help="only these boards of the suites")
    parser.add_argument("--peer", action="append", help="only these peers (exit 4 if missing)")
    parser.add_argument("--repeat", type=int, default=5, help="measurements of each (5)")
    parser.add_argument("--limit", type=float, default=300, help="seconds per measurement (300)")
    parser.add_argument(
        "--once-above", type=float, default=100, help="no repetition of what took longer (100 s)"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks")
    today = datetime.date.today().isoformat()
    parser.add_argument("--date", default=today, help="date of the run (today)")
    options = parser.parse_args(arguments)
    if options.repeat < 1 or options.limit <= 0:
        parser.error("--repeat and --limit must be positive")
    return options


def _refuse(missing: Iterable[str], peers: Mapping[str, Any]) -> int:
    for name in missing:
        if name not in peers:
            print(f"no peer '{name}'; the peers are {', '.join(peers)}", file=sys.stderr)
            return 2
        print(f"{name} is missing: see benchmarks/README.md", file=sys.stderr)
    return 4


def chosen(suite: str, boards: list[str] | None) -> list[Case]:
    """Return the cases of a suite on some boards, all boards by default."""
    return [case for case in SUITES[suite] if not boards or case.board in boards]


def machine() -> dict[str, Any]:
    """Return the processor's name and the number of cores."""
    model = "unknown"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        rows = (line.partition(":") for line in cpuinfo.read_text().splitlines())
        models = [value.strip() for key, _, value in rows if key.strip() == "model name"]
        model = models[0] if models else model
    return {"cpu": model, "cores": os.cpu_count()}


def warm_up(names: Iterable[str], peers: Mapping[str, Any]) -> None:
    """Count something tiny with everyone, unmeasured: compilers fill their caches."""
    for name in names:
        with contextlib.suppress(Failed):  # it will fail again where that is recorded
            measure(name, peers[name]["program"], WARM_UP, 120)


def measure_case(
    case: Case, names: Iterable[str], peers: Mapping[str, Any], options: argparse.Namespace
) -> dict[str, Cell]:
    """Return the summary of each peer's measurements of one case."""
    found: dict[str, list[Cell]] = {name: [] for name in names}
    for _ in range(options.repeat):
        for name, before in found.items():
            if peers[name]["version"] is None or (before and not again(before[-1], options)):
                continue
            try:
                before.append(measure(name, peers[name]["program"], case, options.limit))
            except Failed as error:
                before.append({"status": "failed", "why": str(error)})
            print(f"{case.key}: {name}: {before[-1]}", file=sys.stderr, flush=True)
    cells = {name: summary(measured) for name, measured in found.items()}
    compare(cells, peers)
    return cells


def again(last: Cell, options: argparse.Namespace) -> bool:
    """Return whether a measurement is worth repeating."""
    return last["status"] == "ok" and last["wall"] <= options.once_above


def summary(measured: list[Cell]) -> Cell:
    """Return medians over measurements with one status; a peer without any is missing."""
    if not measured:
        return {"status": "missing"}
    if measured[-1]["status"] != "ok":
        return measured[-1]
    answers = {(one["tilings"], one["digest"]) for one in measured}
    if len(answers) > 1:
        return {"status": "failed", "why": f"its answers differ: {sorted(answers, key=str)}"}
    keys = ("wall", "cpu", "peak", "seconds")
    medians = {key: statistics.median(one[key] for one in measured) for key in keys}
    same = {key: measured[0][key] for key in ("tilings", "digest")}
    return {"status": "ok", "repetitions": len(measured), **medians, **same}


def compare(cells: Mapping[str, Cell], peers: Mapping[str, Any]) -> None:
    """Mark as wrong whoever differs from satcal's diagram, or from most if that is not there."""
    good = [cell for name, cell in cells.items() if cell["status"] == "ok" and peers[name]["exact"]]
    if not good:
        return
    sums = [cell["tilings"] for cell in good]
    digests = [cell["digest"] for cell in good if cell["digest"]]
    reference = cells.get(REFERENCE, {})
    total = reference.get("tilings", statistics.mode(sums))
    digest = reference.get("digest") or (statistics.mode(digests) if digests else None)
    for cell in cells.values():
        if cell["status"] == "ok":
            cell["right"] = cell["tilings"] == total and cell["digest"] in (None, digest)


def disagreements(results: Mapping[str, Any]) -> list[str]:
    """Return who gave another answer, or failed, in which case; peers known for it left out."""
    lines = []
    for cases in results["suites"].values():
        for key, cells in cases.items():
            for name, cell in cells.items():
                if not results["peers"][name]["exact"]:
                    continue
                if cell["status"] == "failed":
                    lines.append(f"{key}: {name} failed: {cell['why']}")
                elif not cell.get("right", True):
                    lines.append(f"{key}: {name} counts {cell['tilings']}")
    return lines


def ratios(suites: Mapping[str, Mapping[str, Mapping[str, Cell]]]) -> list[dict[str, Any]]:
    """Return, per target, how many times faster satcal was than the fastest of the peers.

    ``count`` compares the counting alone, ``process`` whole processes, ``cpu`` their CPU
    time, which a busy machine disturbs least. A peer that was stopped at the limit gives a
    lower bound (``at_least``).
    """
    found = []
    for target in TARGETS:
        cells = suites.get("whole", {}).get(target.case.key, {})
        own = cells.get(REFERENCE, {})
        others = [cells[name] for name in target.peers if name in cells]
        usable = [cell for cell in others if cell["status"] in ("ok", "late")]
        if own.get("status") != "ok" or not usable or len(usable) < len(target.peers):
            continue
        process = min(cell["wall"] for cell in usable) / own["wall"]
        count = min(cell.get("seconds", cell["wall"]) for cell in usable) / own["seconds"]
        cpu = min(cell["cpu"] for cell in usable) / own["cpu"]
        found.append(
            {
                "case": target.case.key,
                "peers": list(target.peers),
                "target": target.factor,
                "count": count,
                "process": process,
                "cpu": cpu,
                "at_least": any(cell["status"] == "late" for cell in usable),
            }
        )
    return found


if __name__ == "__main__":
    sys.exit(main())
