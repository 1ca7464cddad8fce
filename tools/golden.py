"""Golden files: exports kept in the repository, so that a change of one byte is noticed.

``python -m tools.golden encodings`` writes the files that the folder's manifest lists,
``--check`` compares them with what satcal writes now. A new one is a line in the manifest with
board, reveal, encoding and tilings; the rest of the line is written. How many tilings it has is
stated and not computed: the tests ask external solvers whether it is true.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from satcal.encoding import encoding_named
from satcal.encoding.export import export_text
from satcal.encoding.head import SPECIFICATION
from satcal.files import compress, read_text, write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.model import labels_in

MAX_GOLDEN = 64 * 1024 * 1024  # bytes of a formula
MANIFEST = "manifest.json"
PUZZLES = "puzzles"  # boards of the folder's own: copies of a piece, no tiling, ...
OPEN = "open"


def entries(folder: Path) -> list[dict[str, Any]]:
    """Return the entries of a folder's manifest."""
    listed: list[dict[str, Any]] = json.loads(read_text(folder / MANIFEST, "manifest"))["files"]
    return listed


def export_again(folder: Path, listed: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the entry and the text of a golden file as satcal writes them now."""
    board, labels, name = listed["board"], listed["reveal"], listed["encoding"]
    own = folder / PUZZLES / f"{board}.toml"
    puzzle = load(str(own) if own.exists() else board)
    reveal = None if labels == OPEN else puzzle.check_reveal(labels_in(labels))
    text = export_text(puzzle, reveal, encoding=name)
    [(variables, clauses)] = re.findall(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    determined = encoding_named(name).determined
    entry = {
        "file": ".".join(filter(None, [board, labels.replace(",", "-"), name, "cnf.xz"])),
        "board": board,
        "reveal": labels,
        "encoding": name,
        "variables": int(variables),
        "clauses": int(clauses),
        "tilings": listed["tilings"],
        "determined": determined,
        "models": listed["tilings"] if determined else None,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
    return entry, text


def manifest(entries: list[dict[str, Any]]) -> str:
    """Return the text of the manifest: one line for each file, so that a change reads well."""
    lines = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
    return f'{{\n  "specification": {SPECIFICATION},\n  "files": [\n{lines}\n  ]\n}}\n'


def difference(kept: str, text: str) -> str:
    """Return where two different texts first differ."""
    pairs = zip([*kept.splitlines(), "the end"], [*text.splitlines(), "the end"], strict=False)
    for number, (have, want) in enumerate(pairs, start=1):
        if have != want:
            return f"line {number} is '{have[:60]}', but satcal writes '{want[:60]}'"
    return "the line ends differ"


def update(folder: Path, check: bool = False) -> list[str]:
    """Write the files that changed, unless told only to check; return what was wrong with them.

    A file whose text is right stays as it is: another xz makes other bytes of the same text.
    """
    golden = [export_again(folder, listed) for listed in entries(folder)]
    texts = {folder / entry["file"]: text for entry, text in golden}
    strangers = sorted({*folder.glob("*.cnf*")}.difference(texts))
    texts[folder / MANIFEST] = manifest([entry for entry, _ in golden])
    faults = []
    for path, text in texts.items():
        kept = read_text(path, "golden file", MAX_GOLDEN) if path.exists() else None
        if kept != text:
            reason = "it is missing" if kept is None else difference(kept, text)
            faults.append(f"{path}: {reason}")
            if not check:
                write_bytes(path, compress(path, text.encode()))
    return faults + [f"{path}: the manifest does not list it" for path in strangers]


def main(arguments: list[str] | None = None) -> int:
    """Write or check the golden files of a folder; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.golden", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args(arguments)
    faults = update(options.folder, options.check)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
