"""A database's complaints, as errors that say what happened and what to do."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from satcal.errors import (
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreUnavailable,
)

# of each kind the way out; codes of SQLite, and states of PostgreSQL
_KINDS: dict[type[StoreError], tuple[str, set[int | str]]] = {
    StoreFull: (
        "the disk is full, or a limit on file sizes is reached; make room and run the "
        "same command again: what was stored is kept",
        {
            *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN),
            *(sqlite3.SQLITE_IOERR_SHMMAP, "53100"),
            sqlite3.SQLITE_IOERR_WRITE,  # as which a limit on file sizes shows
        },
    ),
    StoreReadOnly: (
        "it cannot be written; make it writable, or choose another one with --store",
        {sqlite3.SQLITE_READONLY, "25006", "42501"},  # the last is no privilege to write
    ),
    StoreLocked: (
        "another process holds its lock; run the same command again when that is done",
        {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, "55P03", "57014"},
    ),
    # our statements are right: an error in one is the schema's, as is a lost table
    StoreDamaged: (
        "it is damaged; `satcal store check` says where. To recover, save what can be read with "
        "`satcal store export`, move the store away, and import the saved file into a new one",
        {
            *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR),
            *("XX001", "XX002", "42P01", "42703"),
        },
    ),
    StoreUnavailable: (
        "it cannot be opened or reached; choose another one with --store, or work without a "
        "store: --store none",
        set(),
    ),
}


def trouble(kind: type[StoreError], where: str, reason: str = "") -> StoreError:
    """An error of a kind with the store, the reason and the way out."""
    if kind is StoreFull and Path(where).exists():  # of a server's disk nothing is known
        free = shutil.disk_usage(where).free
        reason = "; ".join(filter(None, [reason, f"its disk has {free // 1024:,} kB free"]))
    way_out, _ = _KINDS[kind]
    return kind(f"store {where}: {way_out}" + (f" ({reason})" if reason else ""))


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn what a database complains of into a StoreError."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, UnicodeError) as error:
        origin = error.orig if isinstance(error, DBAPIError) and error.orig else error
        code = getattr(origin, "sqlite_errorcode", None) or getattr(origin, "sqlstate", None)
        codes = {code, code & 0xFF} if isinstance(code, int) else {code}
        kind = next(
            (kind for kind, (_, known) in _KINDS.items() if known & codes), StoreUnavailable
        )
        reason, *_ = [*str(origin).strip().splitlines(), type(origin).__name__]
        if isinstance(origin, UnicodeError):  # a complaint quotes a schema that is no text
            kind, reason = StoreDamaged, "its schema is unreadable"
        raise trouble(kind, where, reason) from error
