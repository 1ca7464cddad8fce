"""What stands behind the counts of a puzzle: theorems, certificates, and the methods that agreed.

The methods are those of the shipped table, row by row; a puzzle that satcal does not ship was
counted by the diagram when the edition was written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import repeat

from satcal.counting.run import ended_at_once
from satcal.processes import LocalProcesses, cores
from satcal.progress import Progress, ignore
from satcal.published.shipped import has_theorem, shipped_table
from satcal.puzzle.model import Puzzle, Reveal


def certificates(puzzle: Puzzle, progress: Progress = ignore) -> dict[Reveal, bytes]:
    """Return the certificate of each reveal, made on all cores."""
    reveals = list(puzzle.reveals())
    with ended_at_once(LocalProcesses(cores())) as workers:
        made = {}
        made_by = workers.map(certificate, repeat(puzzle), reveals)
        for done, (reveal, content) in enumerate(zip(reveals, made_by, strict=True), start=1):
            made[reveal] = content
            progress(done, len(reveals), "")
        return made


def certificate(puzzle: Puzzle, reveal: Reveal) -> bytes:
    """Return the certificate of one reveal; this runs in a worker."""
    from satcal.certificates.certify import certify

    return certify(puzzle, [reveal])


def tree_name(reveal: Reveal) -> str:
    """Return the name of a reveal's certificate: its labels in hexadecimal digits."""
    return "-".join(label.encode().hex() for label in reveal) + ".satcert"


def evidence_json(puzzle: Puzzle, trees: Sequence[str] = ()) -> bytes:
    """Return ``NAME.evidence.json``: whether the rows are theorems, and the methods of each.

    ``methods`` lists the sets of methods that occur, ``rows`` says which of them each reveal has,
    in canonical order; ``trees`` are the reveals whose certificates are in the edition.
    """
    table = shipped_table(puzzle)
    rows = [
        table[reveal].methods if reveal in table else ("diagram",) for reveal in puzzle.reveals()
    ]
    kinds = sorted(set(rows))
    return json.dumps(
        {
            "theorem": has_theorem(puzzle),
            "methods": kinds,
            "rows": [kinds.index(row) for row in rows] if len(kinds) > 1 else None,
            "trees": trees,
        },
        separators=(",", ":"),
    ).encode()
