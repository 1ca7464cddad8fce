"""A store in a PostgreSQL database."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from satcal.errors import Missing, StoreDamaged, StoreFull, StoreLocked
from satcal.parts import command_for
from satcal.store import counts, jobs
from satcal.store.counts import CountTable, StoredCount
from satcal.store.database import APPLICATION_ID, LOCK_SECONDS, SCHEMA
from satcal.store.jobs import JobTable

RESERVE_SECONDS = 3
"""The time that a new server of satcal gives PostgreSQL to notice that an earlier one ended."""
TABLE_COMMENT = f"satcal store, schema {SCHEMA}"
"""The comment on satcal's table in PostgreSQL."""
COMMENT = f"COMMENT ON TABLE satcal_result IS '{TABLE_COMMENT}'"


class Postgres(CountTable, JobTable):
    """A store in a PostgreSQL database; it reconnects after a lost connection."""

    placeholder = "%s"
    kinds: ClassVar = {
        "53": StoreFull,
        "55": StoreLocked,
        "XX": StoreDamaged,
    }

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise Missing(f"PostgreSQL needs psycopg; run {command_for('postgres')}") from error
        super().__init__(re.sub(r"(//[^:@/]*):[^@/]*@", r"\1:***@", url.partition("?")[0]))
        self._url, self.errors = url, (psycopg.Error,)

    def connect(self) -> Any:
        """Connect to the database."""
        import psycopg

        return psycopg.connect(self._url, autocommit=True, connect_timeout=10)

    def prepare(self, connection: Any) -> None:
        """Refuse tables of another program or version; create missing tables."""
        connection.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        connection.execute("SET client_encoding = 'UTF8'")
        with connection.transaction():
            connection.execute(f"SELECT pg_advisory_xact_lock({APPLICATION_ID})")  # one at a time
            table = "to_regclass('satcal_result')"
            query = f"SELECT {table}, obj_description({table})"
            [(table, comment)] = connection.execute(query).fetchall()
            if table is None:
                for statement in (counts.TABLE, jobs.TABLE, COMMENT):
                    connection.execute(statement)
            elif comment != TABLE_COMMENT:
                raise self.foreign_error()

    def insert(self, cursor: Any, rows: Sequence[StoredCount]) -> tuple[int, list[str]]:
        """Insert rows; return the number of new ones, and the contradictions."""
        # one writer at a time, as in SQLite: a writer sees all earlier rows
        cursor.execute("LOCK TABLE satcal_result IN SHARE ROW EXCLUSIVE MODE")
        return super().insert(cursor, rows)

    def is_lost(self) -> bool:
        """Return whether the server has closed the connection."""
        return self._connection is not None and bool(self._connection.closed)

    def reserve(self) -> Callable[[], None] | None:
        """Take an advisory lock on a separate connection; a restart of the database releases it.

        Wait for the lock, because a database takes a moment to notice that a server was killed.
        """
        table = "'satcal_job'::regclass::oid::integer"  # each PostgreSQL schema has its own lock
        connection: Any = None
        try:
            connection = self.open()
            connection.execute(f"SET lock_timeout = '{RESERVE_SECONDS}s'")
            connection.execute(f"SELECT pg_advisory_lock({APPLICATION_ID}, {table})")
        except self.errors as error:
            if connection is not None:
                connection.close()
            if isinstance(reason := self.explain(error), StoreLocked):
                return None
            raise reason from error
        return partial(connection.close)

    def code(self, error: Exception) -> object:
        """Return the class of an error: the first two characters of its state."""
        return (getattr(error, "sqlstate", None) or "")[:2]
