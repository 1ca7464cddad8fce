"""The evidence for the counts of a puzzle: theorems, certificates, and methods that agree.

The methods are those of the shipped table, row by row. A puzzle without a table is counted by the
diagram when the page is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from satcal.processes import LocalProcesses
from satcal.progress import Progress, ignore
from satcal.published.shipped import has_theorem, shipped_table
from satcal.puzzle.model import Puzzle, Reveal
from satcal.site.page import compact


def certificates(puzzle: Puzzle, progress: Progress = ignore) -> dict[Reveal, bytes]:
    """Return the certificate of each reveal, made on all cores."""
    reveals = list(puzzle.reveals())
    with LocalProcesses() as workers:
        by_reveal = {}
        contents = workers.map(certificate, repeat(puzzle), reveals)
        for number, (reveal, content) in enumerate(zip(reveals, contents, strict=True), start=1):
            by_reveal[reveal] = content
            progress(number, len(reveals), "")
        return by_reveal


def certificate(puzzle: Puzzle, reveal: Reveal) -> bytes:
    """Return the certificate of one reveal; this runs in a worker."""
    from satcal.certificates.certify import make_certificate

    return make_certificate(puzzle, [reveal])[0]


def certificate_name(reveal: Reveal) -> str:
    """Return the name of a reveal's certificate: its labels in hexadecimal digits."""
    return "-".join(label.encode().hex() for label in reveal) + ".satcert"


def evidence_json(puzzle: Puzzle, certified: Sequence[str] = ()) -> bytes:
    """Return ``NAME.evidence.json``: whether the rows are theorems, and the methods of each row.

    ``methods`` lists the distinct sets of methods, ``rows`` has the index of the set of each reveal
    in canonical order, and ``trees`` lists the reveals with certificates.
    """
    table = shipped_table(puzzle)
    rows = [
        table[reveal].methods if reveal in table else ("diagram",) for reveal in puzzle.reveals()
    ]
    method_sets = sorted(set(rows))
    return compact(
        {
            "theorem": has_theorem(puzzle),
            "methods": method_sets,
            "rows": [method_sets.index(row) for row in rows] if len(method_sets) > 1 else None,
            "trees": certified,
        }
    )
