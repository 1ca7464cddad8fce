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
from satcal.published.own_tables import Tables, results_folder
from satcal.puzzle.model import Puzzle, Reveal

# Coq computed all rows of these puzzles' tables (theorem/results/long_*.v): their digests
THEOREMS = {
    "fa4fb285658d83f55ce49350bb277dc3a8d1cd4e5fa35283b5c4349d3224fedf": "a-puzzle-a-day",
    "c94ed414bb09b0da85d5b44297ca72e1e27ac488452434ef7e1afc39a8c332dc": "jarring-words",
    "c1f86fa489d37c045be945592866b206b70c9aae75943d3ca6aef29dd0b65633": "crea-makerspace",
    "66b7ca92652ec27b7ecddeac6a61f80335722c3b9e8d7551cca5365ffd495f35": "tetromino",
    "ebbdd1a719040fdfc529f36e5cec2a8764eca604f2a05989998cc9a39ba605b0": "rhombus",
    "eae661bccd6ce18ab0e98a18f77af860c7424577a529981cc151746d1f895142": "pentomino-3x20",
    "9313e0315d4c9f11c9947b8e59bcd2a16194a754ec28e9a608c6b96cf23ece5d": "pentomino-4x15",
    "d43ad91439609c49b3b5ef35283c9af83e71fa31b3c42712d1a790e78e0ff8b5": "pentomino-5x12",
    "189322803522c50b7178af87805e857d467a02ea3f4a0b20f1f8d90a67f03bb5": "pentomino-6x10",
    "57b8823421ce41445b9e7efbd79a4080598c15123f8f38512e0112f0e77f3a32": "sh1ura-9",
    "af66bcc3c870b96a15d411995d037a477358c37057da62e55582ae163d17d31d": "weekday",
    "28c27c5349de1c7d2d40eae15c456e6f7db0caec9850e1d8292d4674909c98f5": "weekday-monday",
    "c115fa493a2d01a2e234597624cc370d98a794689bd3d105baeecda04b41fdde": "pentomino-8x8-hole",
    "c31dffb5fa6188c2312c186a9e7a15353bc56b90c3bbd2380a5067d01502b65b": "sh1ura-10",
    "3febf60958683a8d15e82810f33dd0ddd9584e0bd353cdb8e04cbf3cda1a8f3e": "sh1ura-11",
}


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
    table = Tables(results_folder() / "counts").find(puzzle)
    rows = [
        table.rows[frozenset(reveal)].methods if table else ("diagram",)
        for reveal in puzzle.reveals()
    ]
    kinds = sorted(set(rows))
    return json.dumps(
        {
            "theorem": puzzle.digest in THEOREMS,
            "methods": kinds,
            "rows": [kinds.index(row) for row in rows] if len(kinds) > 1 else None,
            "trees": trees,
        },
        separators=(",", ":"),
    ).encode()
