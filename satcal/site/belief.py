"""What stands behind the counts of a puzzle: theorems, and the methods that agreed.

The methods are those of the shipped table, row by row; a puzzle that satcal does not ship was
counted by the diagram when the edition was written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from satcal.processes import cores
from satcal.published.shipped import has_theorem, shipped_table
from satcal.puzzle.model import Puzzle, Reveal


def certificates(puzzle: Puzzle) -> dict[Reveal, bytes]:
    """The certificate of each reveal, made on all cores."""
    from satcal.certificates.certify import certify

    reveals = list(puzzle.reveals())
    with ProcessPoolExecutor(cores(), get_context("spawn")) as executor:
        made = executor.map(partial(_certificate, certify, puzzle), reveals, chunksize=16)
        return dict(zip(reveals, made, strict=True))


def _certificate(
    certify: Callable[[Puzzle, list[Reveal]], bytes], puzzle: Puzzle, reveal: Reveal
) -> bytes:
    return certify(puzzle, [reveal])


def tree_name(reveal: Reveal) -> str:
    """The name of a reveal's certificate: its labels as digits, whatever letters they have."""
    return "-".join(label.encode().hex() for label in reveal) + ".satcert"


def belief(puzzle: Puzzle, trees: Sequence[str] = ()) -> bytes:
    """``NAME.belief.json``: whether the rows are theorems, and which methods counted each.

    ``methods`` lists the sets of methods that occur, ``rows`` says which of them each reveal has,
    in canonical order; ``trees`` are the reveals whose certificates are in the edition.
    """
    table = shipped_table(puzzle)
    rows = [table[reveal].methods if table else ("diagram",) for reveal in puzzle.reveals()]
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
