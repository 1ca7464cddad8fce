"""What other checkers say of certificates: ``PATH=… python -m benchmarks.opinions``.

Of every certificate in results/certificates, and of forty that are made for the purpose: over all
boards of the library, with and without tilings, some with copies of a piece. The
programs must be on the PATH (docs/reference/certificates.md names them); what they say is written
to results/certificates/opinions.csv.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.certificates import cases
from benchmarks.measure import ROOT
from satcal.certificates.certify import certify
from satcal.certificates.checking import check
from satcal.certificates.opinions import PROGRAMS
from satcal.errors import CertificateRefused, Stopped
from satcal.puzzle.loading import library
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.toml import parse_puzzle

FOLDER = ROOT / "results" / "certificates"
ASKED = tuple(PROGRAMS)
FIELDS = ("certificate", "tilings", "nodes", "bytes", "satcal", *ASKED)
COPIES = (
    ("dominoes on 4 x 4", (4, 4), "##", 8),
    ("dominoes on 5 x 4", (5, 4), "##", 10),
    ("dominoes on 3 x 5", (3, 5), "##", 7),
    ("L4 on 4 x 4", (4, 4), "###\\n#..", 4),
    ("L4 on 4 x 6", (4, 6), "###\\n#..", 6),
    ("T4 on 4 x 4", (4, 4), "###\\n.#.", 4),
    ("S4 on 4 x 5", (4, 5), "##.\\n.##", 5),
    ("I4 on 4 x 4", (4, 4), "####", 4),
)


def made() -> Iterator[tuple[str, bytes]]:
    """Yield names and bytes of forty certificates."""
    small = [board for board in library() if not board.startswith("pentomino")]
    for board in library():
        for pieces, puzzle, reveal in cases(board):
            if pieces or board in small or board == "pentomino-3x20":  # the others take minutes
                yield _title(puzzle, pieces, reveal), certify(puzzle, [reveal])
    for title, (rows, columns), shape, copies in COPIES:
        board = "\n".join([" ".join("*" * columns)] * rows)
        spare = rows * columns - copies * shape.count("#")
        more = f'S = {{ shape = "{"#" * spare}", copies = 1 }}\n' if spare else ""
        text = f'name = "copies"\nboard = """\n{board}\n"""\n[pieces]\n{more}'
        puzzle = parse_puzzle(f'{text}C = {{ shape = "{shape}", copies = {copies} }}\n', title)
        yield title, certify(puzzle, [()])


def _title(puzzle: Puzzle, pieces: str, reveal: Reveal) -> str:
    return " ".join(filter(None, (puzzle.name, *reveal, pieces)))


def opinions(title: str, data: bytes) -> dict[str, str]:
    """Return the row of one certificate."""
    (proved,) = check(data).proved
    row = {"certificate": title, "tilings": str(proved.tilings), "nodes": str(proved.nodes)}
    row |= {"bytes": str(len(data)), "satcal": "accepted"}
    try:
        check(data, ASKED)
        return row | dict.fromkeys(ASKED, "accepted")
    except (CertificateRefused, Stopped):
        return row | {name: _verdict(data, name) for name in ASKED}


def _verdict(data: bytes, name: str) -> str:
    try:
        check(data, [name])
    except (CertificateRefused, Stopped) as error:
        return str(error)
    return "accepted"


def main() -> int:
    """Ask all, and write the table."""
    kept = ((path.name, path.read_bytes()) for path in sorted(FOLDER.glob("*.*-*.satcert")))
    with Path(FOLDER, "opinions.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        for title, data in (*kept, *made()):
            row = opinions(title, data)
            print(row, file=sys.stderr, flush=True)
            writer.writerow(row)
            stream.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
