"""What a database complains of, as errors of ours that say what happened and what to do."""

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

_BY_SQLITE = {
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_READONLY: StoreReadOnly,
    sqlite3.SQLITE_BUSY: StoreLocked,
    sqlite3.SQLITE_LOCKED: StoreLocked,
    sqlite3.SQLITE_PROTOCOL: StoreLocked,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_NOTADB: StoreDamaged,
    sqlite3.SQLITE_ERROR: StoreDamaged,  # our statements are right, so the schema is not
}
_NO_ROOM = (
    sqlite3.SQLITE_IOERR_WRITE,  # a limit on file sizes shows as a failed write
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMMAP,
)
_BY_STATE = {
    "53100": StoreFull,
    "25006": StoreReadOnly,
    "42501": StoreReadOnly,  # no privilege to write
    "55P03": StoreLocked,
    "57014": StoreLocked,
    "XX001": StoreDamaged,
    "XX002": StoreDamaged,
    "42P01": StoreDamaged,  # a table of ours is gone
    "42703": StoreDamaged,
}
ADVICE: dict[type[StoreError], str] = {
    StoreFull: "the disk is full, or a limit on file sizes is reached; make room and run the "
    "same command again: what was stored is kept",
    StoreReadOnly: "it cannot be written; make it writable, or choose another one with --store",
    StoreLocked: "another process holds its lock; run the same command again when that is done",
    StoreDamaged: "it is damaged; `satcal store check` says where, `satcal store export` saves "
    "what can still be read; move it away, then import that into a new one",
    StoreUnavailable: "it cannot be opened or reached; choose another one with --store, or go on "
    "without by --store none",
}


def trouble(kind: type[StoreError], where: str, reason: str = "") -> StoreError:
    """Return an error of a kind with the store, the reason and the way out."""
    if kind is StoreFull and Path(where).exists():  # of a server's disk nothing is known
        free = shutil.disk_usage(where).free
        reason = "; ".join(filter(None, [reason, f"its disk has {free // 1024:,} kB free"]))
    return kind(f"store {where}: {ADVICE[kind]}" + (f" ({reason})" if reason else ""))


def explain(error: BaseException, where: str) -> StoreError:
    """Return the error of ours that a database's error amounts to."""
    origin = error.orig if isinstance(error, DBAPIError) and error.orig else error
    kind: type[StoreError] = StoreUnavailable
    if isinstance(origin, sqlite3.Error):
        code = getattr(origin, "sqlite_errorcode", None)
        if code is not None:
            kind = _BY_SQLITE.get(code & 0xFF, StoreUnavailable)
            if code in _NO_ROOM:
                kind = StoreFull
    elif isinstance(origin, UnicodeError):
        # a complaint that quotes a schema with bytes that are no text
        return trouble(StoreDamaged, where, "its schema is no text")
    else:
        kind = _BY_STATE.get(getattr(origin, "sqlstate", None) or "", StoreUnavailable)
    text = str(origin).strip().splitlines()
    return trouble(kind, where, text[0] if text else type(origin).__name__)


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn what a database complains of into a StoreError."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, UnicodeError) as error:
        raise explain(error, where) from error
