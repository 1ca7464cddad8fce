"""The results in a store, believed only with a valid seal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from satcal.errors import StoreDamaged
from satcal.store import schema
from satcal.store.faults import explained, trouble
from satcal.store.keys import MethodKey
from satcal.store.location import Location
from satcal.store.opening import open_copy, open_engine
from satcal.store.rows import EVERYTHING, JOINED, Filter, StoredResult, believed, contradictions

_R, _M = schema.result.c, schema.method.c
_UTC_NOW = partial(datetime.now, UTC)


class Store(AbstractContextManager["Store"]):
    """An open store; :func:`satcal.store.opening.open_engine` says how opening it fails.

    Every method raises a StoreError when the database fails, or a row's seal does not fit; what
    was stored before is kept. The ``clock`` is only of what people are shown. To ``rescue`` is to
    look at a copy of what can be read, also of a damaged file, or an older one.
    """

    def __init__(
        self,
        location: Location,
        clock: Callable[[], datetime] = _UTC_NOW,
        rescue: bool = False,
    ) -> None:
        self.where, self._clock = str(location), clock
        opened = open_copy(location) if rescue else open_engine(location)
        self.engine, self.read_only, self.damage = opened
        dialect: Any = {"sqlite": sqlite, "postgresql": postgresql}[self.engine.dialect.name]
        self._insert = dialect.insert

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection, as before a fork; the next use opens another."""
        self.engine.dispose()

    def now(self) -> str:
        """The clock's time as text."""
        return self._clock().isoformat(timespec="seconds")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection inside a transaction that only reads."""
        with explained(self.where), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection inside a transaction that writes; one writer at a time."""
        if self.read_only:
            raise self.read_only
        with (
            explained(self.where),
            self.engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":
                # as SQLite does it: who writes sees what was written before
                connection.exec_driver_sql(
                    f"LOCK TABLE {schema.result.name} IN SHARE ROW EXCLUSIVE MODE"
                )
            yield connection

    def recall(self, puzzle: str, conditions: str, method: MethodKey) -> dict[str, list[int]]:
        """The stored numbers by the reveal's key; two of them are a contradiction."""
        numbers: dict[str, list[int]] = {}
        for row in self.rows(Filter(puzzle, None, method, conditions)):
            numbers.setdefault(row.reveal, []).append(row.tilings)
        return numbers

    def record(
        self, puzzle: str, name: str, conditions: str, method: MethodKey, counts: Mapping[str, int]
    ) -> list[str]:
        """Store counts by reveal's key in one transaction; return what they contradict.

        Of a number that is there already it is only noted that it was counted again.
        """
        when = self.now()
        rows = [
            StoredResult(puzzle, name, reveal, conditions, *method, tilings, 1, when)
            for reveal, tilings in counts.items()
        ]
        return self.insert(rows, times=_R.times + 1, counted_at=when)[1]

    def insert(self, rows: Sequence[StoredResult], **changes: Any) -> tuple[int, list[str]]:
        """Store rows in one transaction; return how many are new, and what they contradict.

        Those that are there already stay, but for changes.
        """
        names = {row.puzzle: row.board for row in rows}
        same = ("puzzle", "reveal", "conditions", "times", "counted_at")
        with self.writing() as connection:
            self.add(
                connection, schema.puzzle, [{"digest": d, "name": n} for d, n in names.items()]
            )
            methods = {row.by: 0 for row in rows}
            for method in methods:
                self.add(connection, schema.method, [method._asdict()])
                known = select(_M.id).where(*Filter(method=method).clauses())
                methods[method] = connection.execute(known).scalar_one()
            values = [
                {name: getattr(row, name) for name in same}
                | {"method": methods[row.by], "tilings": str(row.tilings), "seal": row.seal()}
                for row in rows
            ]
            new = self.add(connection, schema.result, values, schema.RESULT_KEY, **changes)
            return new, self._contradicted(connection, rows)

    def add(
        self,
        connection: Connection,
        table: Table,
        values: list[dict[str, Any]],
        key: Sequence[str] = (),
        **changes: Any,
    ) -> int:
        """Add rows inside a transaction; those of a known key stay, but for changes.

        Returns how many were added or changed.
        """
        new = self._insert(table)
        if changes:
            new = new.on_conflict_do_update(index_elements=key, set_=changes)
        else:
            new = new.on_conflict_do_nothing()
        return connection.execute(new, values).rowcount if values else 0

    def _contradicted(self, connection: Connection, written: Sequence[StoredResult]) -> list[str]:
        """The contradictions under the keys of rows that were written."""
        reveals = {row.reveal for row in written}
        contradicted: list[str] = []
        for puzzle, conditions, method in dict.fromkeys(
            (row.puzzle, row.conditions, row.by) for row in written
        ):
            same = Filter(puzzle, None, method, conditions).clauses()
            counted = select(_R.reveal).join(schema.method, _R.method == _M.id).where(*same)
            twice = counted.group_by(_R.reveal).having(func.count() > 1).correlate(None)
            rows = self._sound(connection, JOINED.where(*same, _R.reveal.in_(twice)))
            contradicted += contradictions(row for row in rows if row.reveal in reveals)
        return contradicted

    def _sound(self, connection: Connection, query: Select[Any]) -> list[StoredResult]:
        """The rows of a query; raises StoreDamaged for a broken seal."""
        good, bad = believed(connection.execute(query))
        if bad:
            raise trouble(StoreDamaged, self.where, f"{len(bad)} rows with a broken seal")
        return list(good.values())

    def rows(self, wanted: Filter = EVERYTHING, limit: int | None = None) -> list[StoredResult]:
        """Rows in canonical order; raises StoreDamaged for a broken seal."""
        with self.reading() as connection:
            return self._sound(connection, JOINED.where(*wanted.clauses()).limit(limit))

    def examine(self, wanted: Filter = EVERYTHING) -> tuple[dict[int, StoredResult], list[int]]:
        """The rows that can be believed, by their numbers, and the numbers of the others."""
        with self.reading() as connection:
            return believed(connection.execute(JOINED.where(*wanted.clauses())))

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove the rows of these numbers."""
        removing = delete(schema.result).where(_R.id == bindparam("number"))
        if values := [{"number": number} for number in numbers]:
            with self.writing() as connection:
                connection.execute(removing, values)

    def check_undamaged(self) -> None:
        """Look at every page and seal: what is damaged is not written to."""
        if self.engine.dialect.name == "sqlite":  # a server checks its own pages
            with self.reading() as connection:
                for query in ("PRAGMA integrity_check(1)", "PRAGMA foreign_key_check"):
                    found = connection.exec_driver_sql(query).first()
                    if found and found[0] != "ok":
                        raise trouble(StoreDamaged, self.where, " ".join(map(str, found)))
        self.rows()

    def last_digest(self, origin: str, puzzle: str, name: str) -> str | None:
        """The digest of a board when it was counted last; today's is noted."""
        query = select(schema.board.c.puzzle).where(schema.board.c.origin == origin)
        with self.reading() as connection:
            before: str | None = connection.execute(query).scalar()
        if before == puzzle or self.read_only:
            return before
        with self.writing() as connection:
            self.add(connection, schema.puzzle, [{"digest": puzzle, "name": name}])
            noted = [{"origin": origin, "puzzle": puzzle}]
            self.add(connection, schema.board, noted, ["origin"], puzzle=puzzle)
        return before
