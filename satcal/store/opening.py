"""Opening a store: the engine, what every connection is told, and what is checked first."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, select
from sqlalchemy.pool import QueuePool

from satcal.errors import (
    FileTrouble,
    Missing,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.files import make_folder
from satcal.store.location import Location, is_local, usual_path
from satcal.store.migrations import MIGRATIONS, applied, check_known, migrate
from satcal.store.rescue import rescued
from satcal.store.schema import APPLICATION_ID, METADATA
from satcal.store.trouble import explained, trouble

_MAGIC = b"SQLite format 3\0"


class Opened(NamedTuple):
    """An engine on a store, why it is only read if it is, and what is wrong with its schema."""

    engine: Engine
    read_only: StoreError | None
    damage: str = ""


def open_engine(location: Location, now: Callable[[], datetime], rescue: bool = False) -> Opened:
    """Return an engine on a store that was checked and brought up to date.

    To ``rescue`` is to read a copy of a damaged file with a whole schema.

    Raises:
        StoreForeign, StoreTooNew, StoreDamaged: it is not ours, or not to be believed.
        StoreUnavailable, StoreLocked, StoreFull, StoreReadOnly: it cannot be opened, or made.
        Missing: the driver of the database is not installed.
    """
    try:
        if location.path is None:
            return _brought_up(_server(location), location, now, None)
        read_only = trouble(StoreReadOnly, str(location)) if _check_file(location.path) else None
        opened = _of_file(location, now, read_only)
        if rescue:
            _check_schema(opened.engine, str(location))
        return opened
    except StoreDamaged:
        if not rescue or location.path is None:
            raise
        with explained(str(location)):
            engine = _in_memory(rescued(location.path))
            reason = trouble(StoreReadOnly, str(location))
            return Opened(engine, reason, "the schema; rows were read by the one it must have")


def _of_file(
    location: Location, now: Callable[[], datetime], read_only: StoreError | None
) -> Opened:
    assert location.path is not None
    try:
        engine = _file(location.path, location.patience, read_only is not None)
        return _brought_up(engine, location, now, read_only)
    except StoreFull as full:
        # the log of what is written, whose index needs 32 kB, has no room: it is read without
        if read_only or _log_of(location.path):
            raise
        engine = _file(location.path, location.patience, True)
        return _brought_up(engine, location, now, full)


def _brought_up(
    engine: Engine, location: Location, now: Callable[[], datetime], read_only: StoreError | None
) -> Opened:
    where = str(location)
    try:
        with explained(where):
            with engine.connect() as connection:
                known = applied(connection)
                if location.path is not None:
                    _check_owner(connection, known, where)
            check_known(known, where)
            if len(known) < len(MIGRATIONS):
                if read_only:
                    raise trouble(StoreReadOnly, where, "its schema is older than ours")
                migrate(engine, now, where)
                if location.path is not None:
                    _prefer_wal(engine, location.path)
    except BaseException:
        engine.dispose()
        raise
    return Opened(engine, read_only)


def _check_schema(engine: Engine, where: str) -> None:
    """Raise StoreDamaged if a table, or a column of one, is not called as it was made."""
    with explained(where), engine.connect() as connection:
        for table in METADATA.sorted_tables:
            connection.execute(select(table).limit(0))


def _in_memory(data: bytes) -> Engine:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        connection.deserialize(data)
        return connection

    return _told(create_engine("sqlite://", creator=connect, poolclass=QueuePool))


def _server(location: Location) -> Engine:
    url = make_url(location.url)
    milliseconds = max(1, round(location.patience * 1000))  # 0 would be to wait for ever
    options = f"-c lock_timeout={milliseconds} -c client_encoding=UTF8"
    try:
        return create_engine(
            url,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10, "options": options},
        )
    except ModuleNotFoundError as error:
        raise Missing(
            f"store {location}: no driver for PostgreSQL; pip install 'satcal[postgres]'"
        ) from error


def _check_file(path: Path) -> bool:
    """Return whether a file can only be read; make one that is not there, for its owner alone.

    Raises:
        StoreForeign, StoreDamaged, StoreUnavailable: it cannot be a whole SQLite file.
    """
    try:
        if not path.exists():
            if path == usual_path():
                make_folder(path.parent, 0o700)
            elif not path.parent.is_dir():
                reason = f"there is no folder {path.parent}"
                raise trouble(StoreUnavailable, str(path), reason)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            return False
        if not path.is_file():
            raise StoreForeign(f"store {path}: not a file; give a file or a URL with --store")
        with open(path, "rb") as stream:
            head = stream.read(100)
    except OSError as error:
        raise trouble(StoreUnavailable, str(path), error.strerror or str(error)) from error
    except FileTrouble as error:
        raise trouble(StoreUnavailable, str(path), str(error)) from error
    _check_head(path, head)
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _check_head(path: Path, head: bytes) -> None:
    if not head:
        return  # an empty file becomes a store
    if not head.startswith(_MAGIC[: len(head)]):
        raise StoreForeign(
            f"store {path}: this file is no store of satcal; choose another one with --store"
        )
    if _log_of(path):
        return  # pages may still be on their way from there
    size = int.from_bytes(head[16:18], "big")
    size = 65536 if size == 1 else size
    pages = int.from_bytes(head[28:32], "big")
    if len(head) < 100 or path.stat().st_size < size * pages:
        raise trouble(StoreDamaged, str(path), "the file is cut off")


def _check_owner(connection: Connection, known: list[str], where: str) -> None:
    """Raise StoreForeign if a SQLite file has tables of somebody else's, StoreTooNew by version."""
    number = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one()
    if number not in (0, APPLICATION_ID) or (tables and number == 0):
        raise StoreForeign(
            f"store {where}: a database of another program; choose another file with --store"
        )
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    if version > len(MIGRATIONS):
        check_known([*known, f"schema {version}"], where)
    if version > len(known):
        raise trouble(StoreDamaged, where, "its record of migrations is incomplete")


def _file(path: Path, patience: float, read_only: bool) -> Engine:
    # immutable: a WAL file in a folder that cannot be written has no place for its index
    mode = ("mode=ro" if _log_of(path) else "mode=ro&immutable=1") if read_only else "mode=rwc"
    address = f"file:{quote(str(path.resolve()))}?{mode}"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
        )

    url = URL.create("sqlite", database=str(path))
    return _told(create_engine(url, creator=connect, poolclass=QueuePool))


def _log_of(path: Path) -> bool:
    """Return whether something waits in the log beside a file to be written into it."""
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _told(engine: Engine) -> Engine:
    """Return an engine of SQLite whose connections are told what holds for every one."""
    event.listen(engine, "connect", _settle)
    event.listen(engine, "begin", _begin)
    return engine


def _settle(connection: Any, record: object) -> None:
    # a damaged text must cost its own row, whose seal breaks, and not the whole query
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    for line in ("foreign_keys = ON", "synchronous = FULL", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {line}")


def _begin(connection: Connection) -> None:
    # sqlite3's own BEGIN comes late and leaves out DDL; a writer takes its lock at once, because
    # a reader that wants to become one cannot wait for another
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _prefer_wal(engine: Engine, path: Path) -> None:
    """Let readers and a writer work at a time, where shared memory reaches all of them."""
    if is_local(path):
        # a process that opens the same new store now may be in the way: then the next one does it
        with contextlib.suppress(sqlite3.OperationalError):
            raw = engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL").fetchone()
            finally:
                raw.close()
