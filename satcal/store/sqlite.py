"""A store in a SQLite file.

A damaged file is moved aside and never repaired, because its counts can be counted again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from satcal.errors import (
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.files import lock_file, open_locked
from satcal.store import counts, jobs
from satcal.store.counts import CountTable
from satcal.store.database import APPLICATION_ID, LOCK_SECONDS, SCHEMA
from satcal.store.jobs import JobTable


class SQLite(CountTable, JobTable):
    """A store in a file; each process that uses it holds a shared lock on ``FILE.lock``."""

    # a transaction that begins by reading fails if it has to wait for the write lock
    begin = "BEGIN IMMEDIATE"
    errors = (sqlite3.Error, UnicodeDecodeError)  # a message may quote damaged text
    read_only = False

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path, self._lock_file, self._made_lock_file = path.resolve(), -1, False
        self._opened: tuple[int, int] | None = None

    def connect(self) -> Any:
        """Open the file."""
        self._lock_shared()
        try:
            connection = self._open()
            self._opened = self._identify()
        except BaseException:
            self._unlock()
            raise
        return connection

    def _open(self) -> Any:
        name, log = quote(str(self._path)), Path(f"{self._path}-wal")
        mode = ("ro" if log.exists() else "ro&immutable=1") if self.read_only else "rwc"
        connection = sqlite3.connect(
            f"file:{name}?mode={mode}",
            LOCK_SECONDS,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        # damaged text then fails the seal
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        try:
            self._check(connection)
        except BaseException as error:
            connection.close()
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
                raise self.foreign_error() from error
            raise
        return connection

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

    def _lock_shared(self) -> None:
        """Take the shared lock; open the store read-only if the lock file cannot be created."""
        flags, name = os.O_RDWR | os.O_CREAT, f"{self._path}.lock"
        self._made_lock_file = not os.path.exists(name)
        try:
            self._lock_file = os.open(name, flags, 0o600)
        except OSError as error:
            if not self._path.exists():
                raise StoreUnavailable(f"store {self.location}: {error.strerror}") from error
            self.read_only, self.begin = True, "BEGIN"
        else:
            lock_file(self._lock_file, shared=True, wait=True)

    def _check(self, connection: sqlite3.Connection) -> None:
        """Refuse a file of another program or version; create the tables in an empty file."""

        def query(statement: str) -> Any:
            return connection.execute(statement).fetchone()[0]

        connection.execute(self.begin)  # another process may be creating the tables
        application, schema = query("PRAGMA application_id"), query("PRAGMA user_version")
        tables = query("SELECT count(*) FROM sqlite_master")
        if application != APPLICATION_ID and (application or tables):
            raise self.foreign_error()
        if application and schema != SCHEMA:
            raise self.schema_error(f"schema {schema}")
        if not tables and not self.read_only:
            for table in (counts.TABLE, jobs.TABLE):
                # without rowids a table has no separate index that, if damaged, could hide a row
                connection.execute(f"{table} WITHOUT ROWID")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
        if (report := query("PRAGMA quick_check(1)")) != "ok":
            # before the file is moved: SQLite deletes a log by its name, later perhaps a new file's
            connection.close()
            raise self.damage_error(report)
        if not self.read_only:
            connection.execute("PRAGMA synchronous = FULL")
            with suppress(sqlite3.OperationalError):  # busy: the next process sets it
                query("PRAGMA journal_mode = WAL")

    def close(self) -> None:
        """Close the file and release its lock."""
        super().close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock_file >= 0:
            os.close(self._lock_file)
        self._lock_file = -1

    def foreign_error(self) -> StoreError:
        """Return the error for a file of another program; remove the lock file made for it."""
        if self._made_lock_file:
            with suppress(OSError):
                os.unlink(f"{self._path}.lock")
        return StoreForeign(f"store {self.location}: not a satcal store; name another file")

    def damage_error(self, reason: str) -> StoreError:
        """Move the file aside if no other process uses it; return the error for damage."""
        message = f"store {self.location}: damaged ({' '.join(reason.split())})"
        super().close()  # not self.close(): without the lock another process could replace the file
        try:
            lock_file(self._lock_file)
        except (OSError, ValueError):  # or there is no lock in a read-only folder
            self.close()
            advice = "end other satcals that use it, or move it away"
            return StoreDamaged(f"{message}; {advice}")
        new_path = f"{self._path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
        for suffix in ("-wal", "-shm", ""):  # a log is named after its file
            with suppress(FileNotFoundError):
                os.rename(f"{self._path}{suffix}", f"{new_path}{suffix}")
        self.close()
        return StoreDamaged(
            f"{message}; moved to {Path(new_path).name}, the next run makes a new one"
        )

    def explain(self, error: Exception) -> StoreError:
        """Return satcal's error for an error of SQLite."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        is_damage = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        if is_damage or isinstance(error, UnicodeDecodeError):
            return self.damage_error(str(error))
        kinds = {
            sqlite3.SQLITE_FULL: StoreFull,
            sqlite3.SQLITE_BUSY: StoreLocked,
            sqlite3.SQLITE_READONLY: StoreReadOnly,
        }
        return kinds.get(code, StoreUnavailable)(f"store {self.location}: {error}")
