"""The server's own changes to the store: one server for a store, one change at a time.

While another process holds the store's lock, each change waits for it as long as the store's
patience is. Those that waited for their turn meanwhile have waited, too: they fail with it.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from satcal.errors import StoreLocked, StoreUnavailable
from satcal.store import schema
from satcal.store.faults import explained
from satcal.store.location import Location
from satcal.store.results import Store

T = TypeVar("T")


@contextmanager
def only_server(store: Store, location: Location) -> Iterator[Callable[[], None]]:
    """Be the store's only server; raises StoreLocked where there is one already.

    The lock is gone with the process that holds it, however that ends. It is one of SQLite's on a
    file of its own beside the store, or an advisory lock in PostgreSQL, which a database that was
    restarted has forgotten: what is yielded takes it again, or raises as this does.
    """
    taken = StoreLocked(
        f"store {location}: another server uses it; end that one, or choose another store "
        "with --store"
    )
    if location.path is None:
        with closing(_Advisory(store, taken)) as lock:
            yield lock.hold
    elif store.read_only:  # no job can be kept, so that none can be another server's
        yield _nothing
    else:
        path = location.path.with_name(f"{location.path.name}.server")
        with closing(_locked(path, taken)):
            yield _nothing


def _nothing() -> None:
    """What a lock on a file needs in order to be held: it never lets go."""


class _Advisory:
    """An advisory lock in PostgreSQL, of the session of one connection."""

    def __init__(self, store: Store, taken: StoreLocked) -> None:
        self._store, self._taken = store, taken
        self._session: Connection | None = None
        self.hold()

    def hold(self) -> None:
        """Take the lock if no session has it; raises StoreLocked, or StoreUnavailable."""
        if self._session is not None:
            try:
                self._session.exec_driver_sql("SELECT 1")
            except DBAPIError:
                self.close()
        if self._session is None:
            with explained(self._store.where):
                self._session = self._store.engine.connect().execution_options(
                    isolation_level="AUTOCOMMIT"
                )
                table = f"to_regclass('{schema.job.name}')::oid::integer"  # one for each schema
                asked = f"SELECT pg_try_advisory_lock({schema.APPLICATION_ID}, {table})"
                if not self._session.exec_driver_sql(asked).scalar_one():
                    self.close()
                    raise self._taken

    def close(self) -> None:
        """Let go."""
        if self._session is not None:
            self._session.invalidate()
            self._session.close()
            self._session = None


def _locked(path: Path, taken: StoreLocked) -> sqlite3.Connection:
    """A connection that holds the lock of a file."""
    try:
        holder = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(f"{path}: {error}; choose another store with --store") from error
    try:
        holder.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        holder.close()
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise taken from error
        raise StoreUnavailable(f"{path}: {error}; choose another store with --store") from error
    return holder


def without_folder(text: str, location: Location) -> str:
    """A message without the folder or the address of the store: they are the server's own."""
    if location.path is None:
        return text.replace(str(location), "in the database")
    for folder in {location.path.parent, location.path.parent.resolve()}:
        if folder.name:
            text = text.replace(f"{folder}{os.sep}", "")
    return text


class Changes:
    """Makes changes to a store in threads, in the order in which they are asked for."""

    def __init__(self, location: Location, hold: Callable[[], None] = _nothing) -> None:
        """``hold`` sees to it before each change that no other server has the store."""
        self._path, self._hold, self._turn = location.path, hold, asyncio.Lock()
        self._file = self._known()
        self._locked: tuple[float, StoreLocked] | None = None  # when it was last, and its error

    def _known(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    async def make(self, change: Callable[..., T], *args: Any) -> T:
        """What a change returns; raises a StoreError if it cannot be made."""
        clock = asyncio.get_running_loop().time
        asked = clock()
        async with self._turn:
            if self._locked is not None and self._locked[0] >= asked:
                raise self._locked[1]
            if self._known() != self._file:
                # what is written into a deleted file is gone with this process
                raise StoreUnavailable("the store's file was removed; restart the server")
            try:
                await asyncio.to_thread(self._hold)
                return await asyncio.to_thread(change, *args)
            except StoreLocked as error:
                self._locked = clock(), error
                raise
