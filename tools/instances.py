"""Instances for SAT solvers: graded dates of each board of the library, in one archive.

``python -m tools.instances build/instances.tar.xz`` exports, of each board, a date without tilings
if there is one, and dates with the fewest, a middling and the most tilings. Each comes plain, as a
ladder, and as a ladder with lemmas. Beside each formula is the answer of a model counter, as in the
model counting competition. The manifest of each folder has the numbers of tilings, the digests, and
the *effort*: the decisions that clasp takes to list all tilings, or nothing if they or its
conflicts are more than 10,000. The same satcal and clasp write the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
import re
import sys
import tarfile
import tempfile
from pathlib import Path

from satcal.cli.export import FIELDS, MANIFEST
from satcal.cli.main import run
from satcal.encoding.export import track_of
from satcal.errors import Disagreement, SatcalError
from satcal.external.programs import PROGRAMS
from satcal.external.solvers import Budget, parse_clasp
from satcal.external.solvers import run as run_program
from satcal.files import write_bytes
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal

VARIANTS = (("--encoding", "plain,ladder"), ("--lemmas", "closed"))
LIMIT = 10_000  # tilings, and conflicts: three CPU seconds for a plain formula of rhombus


def choose_reveals(puzzle: Puzzle) -> list[Reveal]:
    """Return a reveal without tilings, and those with the fewest, a middling and the most."""
    counts = shipped_counts(puzzle)
    ranked = sorted(counts, key=lambda reveal: (counts[reveal], reveal))
    solvable = [reveal for reveal in ranked if counts[reveal]]
    none = [reveal for reveal in ranked if not counts[reveal]]
    return list(dict.fromkeys([*none[:1], solvable[0], solvable[len(solvable) // 2], solvable[-1]]))


def write_instances(folder: Path, boards: list[str]) -> None:
    """Write the formulas and manifests of boards, a folder for each."""
    for number, board in enumerate(boards, start=1):
        print(f"{board}, {number} of {len(boards)} boards", file=sys.stderr, flush=True)
        reveals = [
            word
            for reveal in choose_reveals(load(board))
            for word in ("--reveal", ",".join(reveal))
        ]
        which = reveals if reveals[1:] != [""] else ["--all-reveals"]
        for variant in VARIANTS:
            line = ["export", "--board", board, *which, *variant, "-q", "-o", f"{folder / board}/"]
            if code := run(line):
                sys.exit(code)
        complete_manifest(folder / board)


def complete_manifest(folder: Path) -> None:
    """Write the answer to each formula, ``NAME.answer`` for ``NAME.cnf``, and add the efforts.

    Raises:
        Missing: clasp is missing.
        Disagreement: clasp does not find as many tilings as the shipped table has.
    """
    path = folder / MANIFEST
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        formula, tilings = folder / row["file"], int(row["tilings"])
        verdict, track = "SATISFIABLE" if tilings else "UNSATISFIABLE", track_of(row["encoding"])
        # in the form of the model counting competition
        answer = f"s {verdict}\nc s type {track}\nc s exact arb int {tilings}\n"
        write_bytes(formula.with_suffix(".answer"), answer.encode())
        row["effort"] = find_effort(formula, tilings)
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [*FIELDS, "effort"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def find_effort(formula: Path, tilings: int) -> str:
    """Return how many decisions clasp takes to list the tilings, or '' if they are too many."""
    if tilings > LIMIT:
        return ""
    command = [*PROGRAMS["clasp"].command(), "-n", "0", "-q", "--stats"]
    limits = Budget(seconds=3600.0)
    limit = f"--solve-limit={LIMIT}"
    code, text = run_program([*command, limit, str(formula)], limits, (0, 10, 20, 30))
    if code < 20:  # neither "all models" nor "no model"
        return ""
    if (count := parse_clasp(text, tilings + 1)) != tilings:
        raise Disagreement(f"{formula.name}: clasp finds {count:,} tilings, the table {tilings:,}")
    (decisions,) = re.findall(r"^c Choices +: (\d+)", text, re.MULTILINE)
    return str(decisions)


def archive(folder: Path) -> bytes:
    """Return a tar of a folder, compressed, without anything about this machine or day."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"satcal-instances/{path.relative_to(folder)}")
            entry.size = path.stat().st_size
            with open(path, "rb") as stream:
                tar.addfile(entry, stream)
    return lzma.compress(packed.getvalue())


def main(arguments: list[str] | None = None) -> None:
    """Write the archive."""
    parser = argparse.ArgumentParser(prog="python -m tools.instances", description=__doc__)
    parser.add_argument("output", type=Path, help="the archive, such as instances.tar.xz")
    parser.add_argument("boards", nargs="*", help="by default the whole library")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            write_instances(Path(folder), options.boards or sorted(library()))
        except SatcalError as error:
            parser.exit(error.exit_code, f"instances: {error}\n")
        options.output.parent.mkdir(parents=True, exist_ok=True)
        print("compressing", file=sys.stderr, flush=True)
        write_bytes(options.output, archive(Path(folder)))
    print(f"{options.output}: {options.output.stat().st_size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
