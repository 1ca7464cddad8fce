"""Opening a store, and what is checked before anything in it is believed."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url, select
from sqlalchemy.pool import QueuePool, StaticPool

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
from satcal.store.faults import explained, trouble
from satcal.store.location import Location, is_local, usual_path
from satcal.store.schema import APPLICATION_ID, METADATA, STEPS, applied, check_known, migrate

_MAGIC = b"SQLite format 3\0"
_MEMORY = ":memory:"
_SCHEMA = "SELECT rowid, type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"


class Opened(NamedTuple):
    """An engine on a store, why it is only read, and what is wrong with its schema."""

    engine: Engine
    read_only: StoreError | None = None
    damage: str = ""


def open_engine(location: Location, when: str, rescue: bool = False) -> Opened:
    """Return an engine on a store that was checked and brought up to date.

    To ``rescue`` is to read a copy of a damaged file with a whole schema. Raises a StoreError,
    or Missing without the database's driver.
    """
    path, where = location.path, str(location)
    if path is None:
        return _brought_up(_server(location), location, when)
    try:
        opened = _open_file(path, location, when)
        if rescue:  # every table and column must be called as it was made
            with explained(where), opened.engine.connect() as connection:
                for table in METADATA.sorted_tables:
                    connection.execute(select(table).limit(0))
        return opened
    except StoreDamaged:
        if not rescue:
            raise
        with explained(where):
            engine = _rescued(path)
        reason = trouble(StoreReadOnly, where)
        return Opened(engine, reason, "the schema; rows were read by the one it must have")


def _open_file(path: Path, location: Location, when: str) -> Opened:
    read_only = trouble(StoreReadOnly, str(location)) if _check_file(path) else None
    try:
        engine = _sqlite(_address(path, read_only is not None), location.patience)
        return _brought_up(engine, location, when, read_only)
    except StoreFull as full:
        # the index of the log needs 32 kB and has no room: it is read without
        if read_only or _log_of(path):
            raise
        engine = _sqlite(_address(path, read_only=True), location.patience)
        return _brought_up(engine, location, when, full)


def _brought_up(
    engine: Engine, location: Location, when: str, read_only: StoreError | None = None
) -> Opened:
    """Return an engine whose schema is checked and, if older, migrated."""
    where = str(location)
    try:
        with explained(where):
            with engine.connect() as connection:
                known = applied(connection)
                if location.path is not None:
                    _check_owner(connection, known, where)
            check_known(known, where)
            if len(known) < len(STEPS):
                if read_only:
                    raise trouble(StoreReadOnly, where, "its schema is older than ours")
                migrate(engine, when)
                if location.path is not None and is_local(location.path):
                    # so that readers need not wait for a writer; where another process
                    # is in the way, the next one does it
                    with (
                        suppress(sqlite3.OperationalError),
                        closing(engine.raw_connection()) as raw,
                    ):
                        raw.cursor().execute("PRAGMA journal_mode = WAL").fetchone()
    except BaseException:
        engine.dispose()
        raise
    return Opened(engine, read_only)


def _check_owner(connection: Connection, known: list[str], where: str) -> None:
    """Raise a StoreError if a SQLite file is somebody else's, too new, or damaged."""

    def ask(query: str) -> int:
        return int(connection.exec_driver_sql(query).scalar_one())

    number, version = ask("PRAGMA application_id"), ask("PRAGMA user_version")
    if number != APPLICATION_ID and (number or ask("SELECT count(*) FROM sqlite_master")):
        raise StoreForeign(
            f"store {where}: a database of another program; choose another file with --store"
        )
    if version > len(STEPS):
        check_known([*known, f"schema {version}"], where)
    if version > len(known):
        raise trouble(StoreDamaged, where, "its record of migrations is incomplete")


def _server(location: Location) -> Engine:
    milliseconds = max(1, round(location.patience * 1000))  # 0 would be to wait for ever
    options = f"-c lock_timeout={milliseconds} -c client_encoding=UTF8"
    connecting = {"connect_timeout": 10, "options": options}
    try:
        return create_engine(make_url(location.url), pool_pre_ping=True, connect_args=connecting)
    except ModuleNotFoundError as error:
        raise Missing(
            f"store {location}: no driver for PostgreSQL; pip install 'satcal[postgres]'"
        ) from error


def _check_file(path: Path) -> bool:
    """Return whether a file can only be read; make one that is not there, for its owner.

    Raises a StoreError if it cannot be a whole SQLite file.
    """
    try:
        if not path.exists():
            if path == usual_path():
                make_folder(path.parent, 0o700)
            elif not path.parent.is_dir():
                raise FileTrouble(f"there is no folder {path.parent}")
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            return False
        if not path.is_file():
            raise StoreForeign(f"store {path}: not a file; give a file or a URL with --store")
        with open(path, "rb") as stream:
            head = stream.read(len(_MAGIC))
    except (OSError, FileTrouble) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise trouble(StoreUnavailable, str(path), reason) from error
    if head and not head.startswith(_MAGIC[: len(head)]):  # an empty file becomes a store
        raise StoreForeign(
            f"store {path}: this file is no store of satcal; choose another one with --store"
        )
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _log_of(path: Path) -> bool:
    """Return whether the log beside a file has something to be written into it."""
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _address(path: Path, read_only: bool) -> str:
    # immutable: in a folder that cannot be written, a log has no place for its index
    mode = ("mode=ro" if _log_of(path) else "mode=ro&immutable=1") if read_only else "mode=rwc"
    return f"file:{quote(str(path.resolve()))}?{mode}"


def _sqlite(address: str, patience: float = 0) -> Engine:
    """Return an engine on a file."""

    def connect() -> sqlite3.Connection:
        with ExitStack() as opened:
            connection = sqlite3.connect(
                address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
            )
            opened.enter_context(closing(connection))
            connection.text_factory = _text
            for line in ("foreign_keys = ON", "synchronous = FULL", "trusted_schema = OFF"):
                connection.execute(f"PRAGMA {line}")
            opened.pop_all()
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # sqlite3's own BEGIN leaves out DDL; a writer takes its lock at once, because
        # a reader that wants to become one cannot wait for another
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _rescued(path: Path) -> Engine:
    """Return an engine on a copy of a damaged file with the schema that it must have.

    One wrong letter in the schema, and SQLite refuses every question, though no row has
    suffered.
    """
    model = _sqlite(_MEMORY)
    migrate(model, "")
    with model.connect() as new:
        schema = new.exec_driver_sql(_SCHEMA).fetchall()
    model.dispose()
    with ExitStack() as opened:
        copy = sqlite3.connect(_MEMORY, isolation_level=None, check_same_thread=False)
        opened.enter_context(closing(copy))
        with closing(sqlite3.connect(_address(path, read_only=True), uri=True)) as damaged:
            damaged.backup(copy)
        copy.text_factory = bytes
        copy.execute("PRAGMA writable_schema = ON")
        mended = (
            "UPDATE sqlite_master SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE rowid = ?"
        )
        # tables were made in the same order in every store
        for (row, *_), (_, *right) in zip(copy.execute(_SCHEMA).fetchall(), schema, strict=False):
            copy.execute(mended, (*right, row))
        copy.execute("PRAGMA writable_schema = RESET")
        copy.text_factory = _text
        opened.pop_all()
    return create_engine("sqlite://", creator=lambda: copy, poolclass=StaticPool)


def _text(data: bytes) -> str:
    """Return a text as far as it is one: a damaged one must cost its own row, not the query."""
    return data.decode("utf-8", "replace")
