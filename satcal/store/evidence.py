"""Evidence in a store: certificates that were checked, by the digest of their files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select

from satcal.puzzle.model import Puzzle, Reveal
from satcal.store import schema
from satcal.store.keys import reveal_key
from satcal.store.results import Store

_E, _P = schema.evidence.c, schema.puzzle.c


class Evidence(NamedTuple):
    """That a file, known by its SHA-256, was accepted as proof of a number of tilings."""

    sha256: str
    puzzle: str
    name: str
    reveal: str
    tilings: int
    bytes: int
    checked_by: str
    checked_at: str


def record_evidence(
    store: Store,
    puzzle: Puzzle,
    proved: Mapping[Reveal, int],
    data: bytes,
    checked_by: str,
) -> None:
    """Store what a certificate proves, in one transaction; once is enough for each checker."""
    sealed = [
        (hashlib.sha256(data).hexdigest(), puzzle.digest, reveal_key(reveal), str(tilings))
        for reveal, tilings in proved.items()
    ]
    values = [
        {
            "sha256": sha256, "puzzle": digest, "reveal": reveal, "tilings": tilings,
            "bytes": len(data), "checked_by": checked_by, "checked_at": store.now(),
            "seal": schema.seal(sha256, digest, reveal, tilings, checked_by),
        }
        for sha256, digest, reveal, tilings in sealed
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
    with store.reading() as connection:
        rows = connection.execute(query).all()
    good = [
        Evidence(*row[:4], int(row.tilings), *row[5:8])
        for row in rows
        if row.seal == schema.seal(
            *map(str, (row.sha256, row.puzzle, row.reveal, row.tilings, row.checked_by))
        )
    ]  # fmt: skip
    return good, len(rows) - len(good)
