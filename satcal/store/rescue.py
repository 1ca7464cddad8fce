"""A file whose schema is damaged, read all the same: a copy of it gets the schema it must have.

The first page of a SQLite file says what tables there are, in words; one wrong letter there and
the database refuses every question, though no row has suffered.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

from sqlalchemy import create_engine

from satcal.store.migrations import MIGRATIONS
from satcal.store.schema import APPLICATION_ID, migration

_ROWS = "SELECT rowid, type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"


def rescued(path: Path) -> bytes:
    """Return the bytes of a store with the schema that our migrations make.

    Raises:
        sqlite3.Error, OSError: it cannot be read at all.
    """
    with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
        copy = Path(folder, "copy.sqlite")
        for end in ("", "-wal"):  # what is on its way into the file belongs to it
            if Path(f"{path}{end}").exists():
                shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        connection = sqlite3.connect(copy, isolation_level=None)
        try:
            connection.text_factory = bytes
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            found = connection.execute(_ROWS).fetchall()
            # each step made its tables in the same order, in every store
            for row, right in zip(found, _schema(), strict=False):
                connection.execute(
                    "UPDATE sqlite_master SET type = ?, name = ?, tbl_name = ?, sql = ? "
                    "WHERE rowid = ?", (*right, row[0]),
                )  # fmt: skip
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            return connection.serialize()
        finally:
            connection.close()


def _schema() -> list[tuple[str | None, ...]]:
    """Return what a new store says of its tables, in the order in which they were made."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        migration.create(connection)
        for step in MIGRATIONS.values():
            step(connection)
        rows = connection.exec_driver_sql(_ROWS).fetchall()
    engine.dispose()
    return [tuple(row[1:]) for row in rows]
