"""What a certificate costs to make and to check: ``python -m benchmarks.certificates``.

Of each library puzzle the reveal with the fewest tilings and one in the middle, each in a fresh
process. The columns ``certify`` (search, write, check), ``check`` (follow the tree) and ``sat``
(count the same with closed lemmas, without a proof) are CPU seconds.

``--programs FOLDER`` measures proofs of other kinds instead, for proofs.csv, by programs in that
folder or on the PATH: d4, cpog-gen, cpog-check, cadical, drat-trim, lrat-check and veripb, which
nothing here fetches or builds.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import RESULTS, ROOT, run
from satcal.certificates.certify import make_certificate
from satcal.counting.method import Meter
from satcal.counting.sat import Sat
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.proof.check import check
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Reveal
from satcal.resources import limit_command

FIELDS = ("board", "reveal", "tilings", "nodes", "bytes", "certify", "check", "sat")
PROOF_FIELDS = ("board", "reveal", "tilings", "proof", "bytes", "make", "check")
DATES = (
    ("a-puzzle-a-day", "Oct,6"),
    ("a-puzzle-a-day", "Dec,25"),
    ("crea-makerspace", "Apr,19"),
    ("crea-makerspace", "Feb,3"),
    ("rhombus", "Thu,Sep,6"),
    ("rhombus", "Fri,Feb,29"),
    ("weekday", "Mon,Apr,6"),
    ("weekday", "Sat,Jun,26"),
    ("a-puzzle-a-day", ""),  # all reveals: one certificate, one open formula
)
MEMORY = 12 * 2**30  # bytes, for each step


def reveals_of(board: str) -> Iterator[Reveal]:
    """Yield the reveals that are measured of a board."""
    puzzle = load(board)
    counts = PuzzleDiagram.build(puzzle).counts()
    dated = [r for r in counts if puzzle.calendar.parts is None or puzzle.calendar.is_date(r)]
    ordered = sorted(dated, key=lambda reveal: (counts[reveal], reveal))
    yield ordered[0]
    if len(ordered) > 1:
        yield ordered[len(ordered) // 2]


def one(board: str, reveal: Reveal) -> dict[str, str]:
    """Return the row of one certificate, measured in this process."""
    puzzle = load(board)
    began = time.process_time()
    data = make_certificate(puzzle, [reveal])[0]
    made = time.process_time()
    for _ in range(2):  # a first check loads what later ones find loaded
        warm = time.process_time()
        found = check(io.BytesIO(data))
    checked = time.process_time()
    Sat().counts(puzzle, [reveal], (), Meter())
    values = (board, " ".join(reveal), found.tilings[reveal], found.nodes, len(data))
    taken = f"{made - began:.2f}", f"{checked - warm:.3f}", f"{time.process_time() - checked:.2f}"
    return dict(zip(FIELDS, [*map(str, values), *taken], strict=True))


def measured(board: str, reveal: Reveal) -> dict[str, str]:
    """Return the row of one certificate, measured in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.certificates", "--one", board, *reveal]
    ended = run(command, 3600)
    if ended.code != 0:
        sys.exit(f"{board} {reveal}: exit {ended.code}\n{ended.errors[-2000:]}")
    row: dict[str, str] = json.loads(ended.output)
    print(row, file=sys.stderr, flush=True)
    return row


class Steps(NamedTuple):
    """The commands of a proof: ``make`` writes the file ``proof``, which ``check`` accepts.

    ``given`` are commands whose time does not count, such as the export of the formula;
    ``acceptance`` is the line by which the checker accepts, with the count where it tells it.
    """

    proof: str
    make: Sequence[Sequence[str]]
    check: Sequence[str]
    acceptance: str
    given: Sequence[Sequence[str]] = ()


RULES_OF_VERSION_1 = {
    r"version 3\.0$": "version 1.2",
    r"^solx (.*) ;$": r"v \1",
    r"^(f|del) (.*) ;$": r"\1 \2",
    r"^output NONE ;\n": "",
    r"^conclusion \S+ \d+ : (\d+) ;\n": r"c \1\n",
    r"^end pseudo-Boolean proof ;\n": "",
    r"^preserved: .*\n": "",
}
"""The rules of a proof and its formula in VeriPB's format 3.0, as VeriPB 0.3a0 reads them."""


def translate(text: str) -> str:
    """Return a proof or its formula for VeriPB 0.3a0."""
    for new, old in RULES_OF_VERSION_1.items():
        text = re.sub(new, old, text, flags=re.MULTILINE)
    return text


def steps_of(board: str, reveal: str, tilings: int) -> dict[str, Steps]:
    """Return the steps of each kind of proof."""
    satcal = (sys.executable, "-m", "satcal")
    which = ("--reveal", reveal) if reveal else ("--all-reveals",)
    own = (*satcal, "certify", "-q", "-b", board, *which, "-o", "p.satcert")
    found = {
        "certificate": Steps(
            "p.satcert",
            [own],
            (sys.executable, str(ROOT / "docs" / "check.py"), "p.satcert"),
            "accepted",
        )
    }
    for encoding in ("ladder", "ladder, lemmas", "plain, lemmas"):
        name, _, lemmas = encoding.partition(", ")
        formula = ("--encoding", name, "--lemmas", "closed" if lemmas else "none", "-o", "p.cnf")
        shown = ("--reveal", reveal) if reveal else ("--open",)
        found[f"CPOG, {encoding}"] = Steps(
            "p.cpog",
            [
                ("d4", "-dDNNF", "p.cnf", "-out=p.nnf"),
                ("cpog-gen", "-m", "p.cnf", "p.nnf", "p.cpog"),
            ],
            ("cpog-check", "p.cnf", "p.cpog"),
            rf"CHECK: Regular model count = {tilings}",
            [(*satcal, "export", "-q", "-b", board, *shown, *formula)],
        )
    if not reveal:
        return found
    blocked = (*satcal, "check", "-q", "p.satcert", "--reveal", reveal, "--proof")
    found["DRAT, CaDiCaL"] = Steps(
        "p.drat",
        [("cadical", "-q", "p.cnf", "p.drat")],
        ("drat-trim", "p.cnf", "p.drat", "-t", "100000"),
        "s VERIFIED",
        [own, (*blocked, "drup")],
    )
    for form, checker, acceptance in (
        ("drup", ("drat-trim", "p.cnf", "p.drup", "-f", "-U", "-t", "100000"), "s VERIFIED"),
        ("lrat", ("lrat-check", "p.cnf", "p.lrat"), "c VERIFIED"),
        ("veripb", ("veripb", "--requireUnsat", "old.opb", "old.pbp"), "Verification succeeded."),
    ):
        proof = "p.pbp" if form == "veripb" else f"p.{form}"
        found[form] = Steps(proof, [own, (*blocked, form)], checker, acceptance)
    return found


def measure_proof(steps: Steps, limit: float) -> dict[str, str]:
    """Return bytes and CPU seconds of a proof; an empty field was not reached within the limits."""
    row, took = {"bytes": "", "make": "", "check": ""}, 0.0
    with tempfile.TemporaryDirectory() as folder:

        def go(command: Sequence[str]) -> tuple[str, float] | None:
            limited = limit_command(list(command), MEMORY, 16 * 2**30, int(limit) + 1)
            inside = ["env", "-C", folder, f"PYTHONPATH={ROOT}", *limited]
            ended = run(inside, 10 * limit)  # CPU seconds are limited, on a busy machine too
            return None if ended.code not in (0, 20) else (ended.output, ended.cpu)

        for command in steps.given:
            if go(command) is None:
                sys.exit(f"{command}: fails")
        for command in steps.make:
            done = go(command)
            if done is None:
                return row
            took += done[1]
        proof = Path(folder, steps.proof)
        row |= {"bytes": str(proof.stat().st_size), "make": f"{took:.2f}"}
        if steps.proof == "p.pbp":
            for suffix in ("opb", "pbp"):
                new = Path(folder, f"p.{suffix}").read_text()
                Path(folder, f"old.{suffix}").write_text(translate(new))
        checked = go(steps.check)
        if checked is not None:
            lines = checked[0].splitlines()
            if not any(re.match(rf"(.*: )?{steps.acceptance}", line) for line in lines):
                sys.exit(f"REFUSED: {steps}\n{checked[0][-500:]}")
            row["check"] = f"{checked[1]:.2f}"
    return row


def proofs(boards: Sequence[str], kinds: Sequence[str], limit: float) -> Iterator[dict[str, str]]:
    """Yield a row for each kind of proof of each date."""
    for board, reveal in DATES:
        if boards and board not in boards:
            continue
        counts = shipped_counts(load(board))
        tilings = counts[tuple(reveal.split(","))] if reveal else sum(counts.values())
        for kind, steps in steps_of(board, reveal, tilings).items():
            if kinds and kind not in kinds:
                continue
            what = (board, reveal.replace(",", " ") or "all", str(tilings), kind)
            row = dict(zip(PROOF_FIELDS, what, strict=False)) | measure_proof(steps, limit)
            print(row, file=sys.stderr, flush=True)
            yield row


def kept_proofs(folder: Path, new: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows of the kept table with new ones in their places, dates in order."""
    path = folder / "proofs.csv"
    kept = list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
    rows = {(row["board"], row["reveal"], row["proof"]): row for row in [*kept, *new]}
    dates = [(board, reveal.replace(",", " ") or "all") for board, reveal in DATES]
    kinds = [*steps_of("", "-", 0)]
    return sorted(
        rows.values(),
        key=lambda row: (dates.index((row["board"], row["reveal"])), kinds.index(row["proof"])),
    )


def write(rows: list[dict[str, str]], folder: Path) -> None:
    """Write the table of certificates, or of proofs of all kinds."""
    is_certificates = "nodes" in rows[0]
    name, fields = ("certificates", FIELDS) if is_certificates else ("proofs", PROOF_FIELDS)
    with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.certificates", description=__doc__)
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--board", action="append", help="default: all of at most 70 cells")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="measure all kinds")
    parser.add_argument("--kind", action="append", help="of proof; others stay in the table")
    parser.add_argument("--limit", type=float, default=120, help="CPU seconds of each step (120)")
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(one(options.one[0], tuple(options.one[1:]))))
        return
    if options.programs:
        os.environ["PATH"] = f"{options.programs.resolve()}{os.pathsep}{os.environ['PATH']}"
        new = list(proofs(options.board or (), options.kind or (), options.limit))
        write(kept_proofs(options.output, new), options.output)
        return
    boards = options.board or [name for name in library() if len(load(name).cells) <= 70]
    rows = [measured(board, reveal) for board in boards for reveal in reveals_of(board)]
    write(rows, options.output)


if __name__ == "__main__":
    main()
