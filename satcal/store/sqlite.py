"""A store in a SQLite file.

A damaged file is refused and never repaired, because its counts can be counted again.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from satcal.errors import StoreDamaged, StoreFull, StoreLocked, StoreUnavailable
from satcal.files import DATABASE, open_locked
from satcal.store import counts, jobs
from satcal.store.counts import CountTable
from satcal.store.database import APPLICATION_ID, LOCK_SECONDS, SCHEMA
from satcal.store.jobs import JobTable

HEADER = struct.Struct(">16s 44x I 4x I")
"""The header of a file: SQLite's mark, its ``user_version`` and its ``application_id``."""


class SQLite(CountTable, JobTable):
    """A store in a file; a server also holds a lock on ``FILE.server``."""

    # a transaction that begins by reading fails if it has to wait for the write lock
    begin = "BEGIN IMMEDIATE"
    errors = (sqlite3.Error, UnicodeDecodeError)
    kinds: ClassVar = {
        sqlite3.SQLITE_FULL: StoreFull,
        sqlite3.SQLITE_BUSY: StoreLocked,
        sqlite3.SQLITE_CORRUPT: StoreDamaged,
        sqlite3.SQLITE_NOTADB: StoreDamaged,
    }
    repair = "move it away, and the next run makes a new one"

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path.resolve()
        self._opened: tuple[int, int] | None = None

    def connect(self) -> Any:
        """Open the file."""
        self._check_header()
        connection = sqlite3.connect(
            f"file:{quote(str(self._path))}",
            LOCK_SECONDS,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        # damaged text then fails the seal
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        return connection

    def _check_header(self) -> None:
        """Refuse a file of another program or version."""
        try:
            with open(self._path, "rb") as file:
                header = file.read(HEADER.size)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreUnavailable(f"store {self.location}: {error.strerror}") from error
        magic, schema, application = HEADER.unpack(header.ljust(HEADER.size, b"\0"))
        if header and (magic, schema, application) != (DATABASE, SCHEMA, APPLICATION_ID):
            raise self.foreign_error()

    def prepare(self, connection: Any) -> None:
        """Create the tables in an empty file; refuse a damaged one."""

        def query(statement: str) -> Any:
            return connection.execute(statement).fetchone()[0]

        connection.execute(self.begin)  # another process may be creating the tables
        if not query("SELECT count(*) FROM sqlite_master"):
            for table in (counts.TABLE, jobs.TABLE):
                # without rowids a table has no separate index that, if damaged, could hide a row
                connection.execute(f"{table} WITHOUT ROWID")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
        if (report := query("PRAGMA quick_check(1)")) != "ok":
            raise self.damage_error(report)
        connection.execute("PRAGMA synchronous = FULL")
        with suppress(sqlite3.OperationalError):  # busy: the next process sets it
            query("PRAGMA journal_mode = WAL")
        self._opened = self._identify()

    def _identify(self) -> tuple[int, int] | None:
        """Return the device and inode of the file at the path; None if there is no file."""
        with suppress(OSError):
            status = os.stat(self._path)
            return status.st_dev, status.st_ino
        return None

    def check_place(self) -> None:
        """Compare the open file with the path, because a removed file would still take rows."""
        if self._identify() != self._opened:
            self.close()
            raise StoreDamaged(
                f"store {self.location}: the file was removed or replaced while it was in use, and "
                "what it had is gone; the next run makes a new one"
            )

    def reserve(self) -> Callable[[], None] | None:
        """Lock ``FILE.server``."""
        try:
            descriptor = open_locked(Path(f"{self._path}.server"))
        except OSError as error:
            raise StoreUnavailable(f"store {self.location}: {error.strerror}") from error
        return None if descriptor is None else partial(os.close, descriptor)

    def code(self, error: Exception) -> object:
        """Return the primary code of an error."""
        if isinstance(error, UnicodeDecodeError):  # a message may quote damaged text
            return sqlite3.SQLITE_CORRUPT
        return getattr(error, "sqlite_errorcode", 0) & 0xFF
