"""Golden files: exports kept in the repository, so that a change of one byte is noticed.

``python -m tools.golden encodings`` writes them and their manifest,
``--check`` compares them with what satcal writes now. How many tilings each has is stated
here and not computed: the tests ask external solvers whether it is true.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from satcal.encoding import encoding
from satcal.encoding.export import SPECIFICATION, export
from satcal.errors import SatcalError
from satcal.files import compress, read_text, write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import labels_in

MANIFEST = "manifest.json"
PUZZLES = "puzzles"
OPEN = "open"
MAX_GOLDEN = 64 * 1024 * 1024


@dataclass(frozen=True)
class Golden:
    """One golden file: a board, a reveal as on the command line (or open), an encoding."""

    board: str
    reveal: str
    encoding: str
    tilings: int

    @property
    def file(self) -> str:
        """Return the file's name."""
        reveal = self.reveal.replace(",", "-")
        return ".".join(filter(None, [self.board, reveal, self.encoding, "cnf", "xz"]))


def _each(board: str, reveal: str, tilings: int, encodings: str) -> Iterator[Golden]:
    for name in encodings.split():
        yield Golden(board, reveal, name, tilings)


GOLDEN = (
    *_each("a-puzzle-a-day", "Dec,25", 92, "plain ladder owner card-seqcounter"),
    *_each("a-puzzle-a-day", "Oct,6", 7, "plain ladder owner card-seqcounter"),
    *_each("a-puzzle-a-day", OPEN, 25_061, "ladder"),
    *_each("rhombus", "Thu,Oct,23", 201, "ladder card-bitwise card-kmtotalizer card-cardnetwrk"),
    *_each("tetromino", "Oct,30", 454, "ladder"),
    # boards of the folder's own: copies of a piece, no tiling, an open formula to solve by hand
    *_each("two-L4", "", 2, "plain ladder owner"),
    *_each("dominoes-4x4", "", 36, "plain ladder card-seqcounter card-totalizer"),
    *_each("tetrominoes-4x5", "", 0, "plain ladder owner"),
    *_each("letter-and-digit", OPEN, 60, "plain ladder owner card-seqcounter"),
)


def board(folder: Path, golden: Golden) -> str:
    """Return the name or path by which the golden file's puzzle is loaded."""
    own = folder / PUZZLES / f"{golden.board}.toml"
    return str(own) if own.exists() else golden.board


def puzzle_and_reveal(folder: Path, golden: Golden) -> tuple[Puzzle, Reveal | None]:
    """Return what a golden file is an export of; the reveal of an open formula is None."""
    puzzle = load(board(folder, golden))
    if golden.reveal == OPEN:
        return puzzle, None
    return puzzle, puzzle.check_reveal(labels_in(golden.reveal))


def text(folder: Path, golden: Golden) -> str:
    """Return what satcal writes now."""
    puzzle, reveal = puzzle_and_reveal(folder, golden)
    return "".join(export(puzzle, reveal, encoding=golden.encoding))


def entry(golden: Golden, content: str) -> dict[str, Any]:
    """Return the manifest's entry of a golden file with this content."""
    start = content.index("\np cnf ") + len("\np cnf ")
    variables, clauses = map(int, content[start : content.index("\n", start)].split())
    determined = encoding(golden.encoding).determined
    return {
        "file": golden.file,
        "board": golden.board,
        "reveal": golden.reveal,
        "encoding": golden.encoding,
        "variables": variables,
        "clauses": clauses,
        "tilings": golden.tilings,
        "determined": determined,
        "models": golden.tilings if determined else None,
        "sha256": hashlib.sha256(content.encode()).hexdigest(),
    }


def manifest(entries: list[dict[str, Any]]) -> str:
    """Return the text of the manifest: one line for each file, so that a change reads well."""
    lines = ",\n".join(f"    {json.dumps(each)}" for each in entries)
    return f'{{\n  "specification": {SPECIFICATION},\n  "files": [\n{lines}\n  ]\n}}\n'


def faults(folder: Path) -> Iterator[str]:
    """Yield, for each file that is not as satcal writes it, what differs and where."""
    entries = []
    for golden in GOLDEN:
        content = text(folder, golden)
        entries.append(entry(golden, content))
        path = folder / golden.file
        if not path.exists():
            yield f"{path}: it is missing"
            continue
        kept = read_text(path, "golden file", MAX_GOLDEN)
        if kept != content:
            yield f"{path}: {difference(kept, content)}"
    path = folder / MANIFEST
    kept = read_text(path, "manifest") if path.exists() else ""
    if kept != manifest(entries):
        yield f"{path}: {difference(kept, manifest(entries))}"
    for name in strangers(folder):
        yield f"{folder / name}: it is in no line of GOLDEN; remove it or add it there"


def difference(kept: str, written: str) -> str:
    """Return where two different texts first differ, and what stands there."""
    old, new = kept.splitlines(), written.splitlines()
    pairs = zip([*old, "the end"], [*new, "the end"], strict=False)
    for number, (have, want) in enumerate(pairs, start=1):
        if have != want:
            return f"line {number} is '{have[:60]}', but satcal writes '{want[:60]}'"
    return "the line ends differ"


def strangers(folder: Path) -> list[str]:
    """Return the names of formulas in the folder that are no golden files, sorted."""
    return sorted({path.name for path in folder.glob("*.cnf*")} - {g.file for g in GOLDEN})


def write(folder: Path) -> list[str]:
    """Write the golden files that changed, and the manifest; return their names.

    A file whose text is right stays as it is: another xz makes other bytes of the same text.
    """
    entries, changed = [], []
    for golden in GOLDEN:
        content, path = text(folder, golden), folder / golden.file
        entries.append(entry(golden, content))
        if not path.exists() or read_text(path, "golden file", MAX_GOLDEN) != content:
            write_bytes(path, compress(path, content.encode()))
            changed.append(golden.file)
    write_bytes(folder / MANIFEST, manifest(entries).encode())
    return changed


def main(arguments: list[str] | None = None) -> int:
    """Write or check the golden files of a folder; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.golden", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder encodings/ of a checkout")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args(arguments)
    try:
        if not options.check:
            print("\n".join([*(f"wrote {name}" for name in write(options.folder)), "done"]))
            return 0
        found = list(faults(options.folder))
    except SatcalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        print(f"if this is meant: python -m tools.golden {options.folder}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
