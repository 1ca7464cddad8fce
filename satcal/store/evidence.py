"""Evidence in a store: certificates that were checked, by the digest of their files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from satcal.puzzle.model import Puzzle, Reveal
from satcal.store import schema
from satcal.store.keys import Method, reveal_key
from satcal.store.results import Contradiction, Store, StoredResult, contradiction

_E, _P = schema.evidence.c, schema.puzzle.c
METHOD = Method("certificate")


@dataclass(frozen=True)
class Evidence:
    """That a file, known by its SHA-256, was accepted as proof of a number of tilings."""

    sha256: str
    puzzle: str
    name: str
    reveal: str
    tilings: int
    bytes: int
    checked_by: str
    checked_at: str

    def seal(self) -> str:
        """Return what proves this row undamaged."""
        return schema.seal(
            self.sha256, self.puzzle, self.reveal, str(self.tilings), self.checked_by
        )


def record_evidence(
    store: Store,
    puzzle: Puzzle,
    proved: Mapping[Reveal, int],
    data: bytes,
    checked_by: str,
) -> None:
    """Store what a certificate proves, in one transaction; once is enough for each checker."""
    sha256, when = hashlib.sha256(data).hexdigest(), store.now()
    rows = [
        Evidence(
            sha256, puzzle.digest, puzzle.name, reveal_key(reveal), tilings,
            len(data), checked_by, when,
        )
        for reveal, tilings in proved.items()
    ]  # fmt: skip
    values = [
        {
            "sha256": row.sha256, "puzzle": row.puzzle, "reveal": row.reveal,
            "tilings": str(row.tilings), "bytes": row.bytes, "checked_by": row.checked_by,
            "checked_at": row.checked_at, "seal": row.seal(),
        }
        for row in rows
    ]  # fmt: skip
    with store.writing() as connection:
        store.add(connection, schema.puzzle, [{"digest": puzzle.digest, "name": puzzle.name}])
        store.add(connection, schema.evidence, values)


def evidence(store: Store) -> tuple[list[Evidence], int]:
    """Return the evidence by puzzle, reveal and file, and how many rows cannot be believed."""
    query = (
        select(
            _E.sha256, _E.puzzle, _P.name, _E.reveal, _E.tilings, _E.bytes,
            _E.checked_by, _E.checked_at, _E.seal,
        )
        .join(schema.puzzle, _E.puzzle == _P.digest)
        .order_by(_E.puzzle, _E.reveal, _E.sha256, _E.checked_by)
    )  # fmt: skip
    good: list[Evidence] = []
    broken = 0
    with store.reading() as connection:
        for sha256, puzzle, name, reveal, tilings, size, by, when, seal in connection.execute(
            query
        ):
            if schema.seal(*map(str, (sha256, puzzle, reveal, tilings, by))) == seal:
                good.append(Evidence(sha256, puzzle, name, reveal, int(tilings), size, by, when))
            else:
                broken += 1
    return good, broken


def against_results(store: Store, rows: Sequence[StoredResult]) -> list[Contradiction]:
    """Return where a counted number is another one than a certificate proves."""
    counted: dict[tuple[str, str, str], list[StoredResult]] = {}
    for row in rows:
        counted.setdefault(row.question, []).append(row)
    found = []
    for each in evidence(store)[0]:
        proved = StoredResult(
            each.puzzle, each.name, each.reveal, "", METHOD, each.tilings, 1, each.checked_at
        )
        others = [r for r in counted.get(proved.question, ()) if r.tilings != each.tilings]
        if others:
            found.append(contradiction([proved, *others]))
    return found
