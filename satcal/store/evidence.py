"""Evidence in a store: certificates that were checked, by the digest of their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select

from satcal.puzzle.model import Puzzle, Reveal
from satcal.store import schema
from satcal.store.keys import reveal_key
from satcal.store.results import Store

_E = schema.evidence.c


class Evidence(NamedTuple):
    """That a file was accepted as proof of a number of tilings."""

    sha256: str
    puzzle: str
    name: str
    reveal: str
    tilings: int
    bytes: int
    checked_by: str
    checked_at: str

    def seal(self) -> str:
        """The seal that proves this row undamaged."""
        return schema.seal(self.sha256, self.puzzle, self.reveal, self.tilings, self.checked_by)


def record_evidence(
    store: Store,
    puzzle: Puzzle,
    proved: Mapping[Reveal, int],
    sha256: str,
    size: int,
    checked_by: str,
) -> None:
    """Store what a certificate of this digest and size proves; once for each checker."""
    when = store.now()
    values = []
    for reveal, tilings in proved.items():
        key = reveal_key(reveal)
        row = Evidence(sha256, puzzle.digest, puzzle.name, key, tilings, size, checked_by, when)
        fields = row._asdict() | {"tilings": str(tilings), "seal": row.seal()}
        del fields["name"]
        values.append(fields)
    with store.writing() as connection:
        store.add(connection, schema.puzzle, [{"digest": puzzle.digest, "name": puzzle.name}])
        store.add(connection, schema.evidence, values)


def evidence(store: Store) -> tuple[list[Evidence], int]:
    """The evidence in order, and how many rows cannot be believed."""
    names = schema.puzzle.c.name
    columns = [names if name == "name" else _E[name] for name in Evidence._fields]
    query = (
        select(*columns, _E.seal)
        .join(schema.puzzle, _E.puzzle == schema.puzzle.c.digest)
        .order_by(_E.puzzle, _E.reveal, _E.sha256, _E.checked_by)
    )
    with store.reading() as connection:
        rows = connection.execute(query).all()
    good = []
    for *fields, seal in rows:
        row = Evidence._make(fields)  # whose tilings are digits
        if seal == row.seal():
            good.append(row._replace(tilings=int(row.tilings)))
    return good, len(rows) - len(good)
