"""Opening a store, and what is checked before anything in it is believed."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import QueuePool, StaticPool

from satcal.errors import (
    FileTrouble,
    Missing,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreOtherSchema,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.files import make_folder
from satcal.parts import command_for
from satcal.store.faults import explained, trouble
from satcal.store.location import PATIENCE, Location, is_local, usual_path
from satcal.store.salvage import number_in, readable_text, salvage
from satcal.store.schema import APPLICATION_ID, SCHEMA, create, number_of

PAUSE = 0.1  # seconds between two tries
_MAGIC = b"SQLite format 3\0"
_PUT_ASIDE = (
    "store %s: made by an older satcal, and renamed to %s; to get its results back: "
    "`satcal store export --store %s -o results.csv`, then `satcal store import results.csv`"
)
_log = logging.getLogger(__name__)


class Opened(NamedTuple):
    """An engine on a store, why it is only read, and what is wrong with its file."""

    engine: Engine
    read_only: StoreError | None = None
    damage: Sequence[str] = ()


def open_engine(location: Location) -> Opened:
    """An engine on a store that was checked, and made if it was not there.

    A file that is not named, of an older schema, is put aside. Raises a StoreError, or Missing
    without the database's driver.
    """
    path = location.path
    if path is None:
        return _ready(_server(location), location)
    try:
        return _open_file(path, location)
    except StoreOtherSchema:
        if path != usual_path() or not _put_aside(path):
            raise
        return _open_file(path, location)


def open_copy(location: Location) -> Opened:
    """An engine that reads what can be read of a store, also of an older schema, or damaged."""
    if location.path is None:
        return open_engine(location)
    where = str(location)
    _, writable = _check_file(location.path, make=False)
    with explained(where), ExitStack() as opened:
        address = _address(location.path, read_only=not writable)
        source = sqlite3.connect(address, uri=True, timeout=location.patience)
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        opened.enter_context(closing(copy))
        with closing(source):
            # a broken definition costs its own table, and not all of them
            source.execute("PRAGMA writable_schema = ON")
            _check_owner(source, where)
            number = number_in(source)
            if number > SCHEMA:
                raise _other_schema(where, number)
            source.text_factory = copy.text_factory = readable_text
            engine = create_engine("sqlite://", creator=lambda: copy, poolclass=StaticPool)
            create(engine)
            damage = salvage(source, copy)
        opened.pop_all()
    return Opened(engine, trouble(StoreReadOnly, where), damage)


def _open_file(path: Path, location: Location) -> Opened:
    is_new, writable = _check_file(path)
    read_only = None if writable else trouble(StoreReadOnly, str(location))
    try:
        engine = _sqlite(_address(path, not writable), location.patience)
        return _ready(engine, location, read_only)
    except StoreFull as full:
        if is_new and not path.stat().st_size:
            path.unlink()
        # the index of the log needs 32 kB and has no room: it is read without
        if is_new or read_only or _log_of(path):
            raise
        engine = _sqlite(_address(path, read_only=True), location.patience)
        return _ready(engine, location, full)


def _ready(engine: Engine, location: Location, read_only: StoreError | None = None) -> Opened:
    """An engine whose schema is checked, or made where there is none."""
    where = str(location)
    try:
        with explained(where):
            with engine.connect() as connection:
                if location.path is not None:
                    _check_owner(connection.connection.dbapi_connection, where)
                number = number_of(connection)
            if number is None:
                if read_only:
                    raise read_only
                create(engine)
                if location.path is not None and is_local(location.path):
                    _keep_log(engine)
            elif number != SCHEMA:
                raise _other_schema(where, number)
    except BaseException:
        engine.dispose()
        raise
    return Opened(engine, read_only)


def _keep_log(engine: Engine) -> None:
    """Let readers read while another writes; if somebody is in the way, the next one does it."""
    with suppress(sqlite3.OperationalError), closing(engine.raw_connection()) as raw:
        raw.cursor().execute("PRAGMA journal_mode = WAL").fetchone()


def _other_schema(where: str, number: int) -> StoreError:
    if number > SCHEMA:
        way_out = f"made by a newer satcal (schema {number}); upgrade satcal"
    else:
        way_out = (
            f"made by an older satcal (schema {number}, now {SCHEMA}); `satcal store export` reads "
            "its results, and `satcal store import` takes them into another store"
        )
    return StoreOtherSchema(f"store {where}: {way_out}, or choose another one with --store")


def _put_aside(path: Path) -> bool:
    """Rename the file of an older schema; False if its schema is newer."""
    try:
        import fcntl
    except ImportError:  # of Unix only
        return False
    with explained(str(path)), suppress(FileNotFoundError), open(path, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # one process at a time does this
        if not os.path.samestat(os.fstat(held.fileno()), path.stat()):
            return True  # another one has done it
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            (tables,) = file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not tables:
                return True  # another one has done it, and is about to make the new store
            number = number_in(file)
            if number >= SCHEMA:
                return number == SCHEMA
            _take_in_log(file)
        names = (Path(f"{path}.schema-{number}{again}") for again in chain([""], count(-2, -1)))
        aside = next(name for name in names if not name.exists())
        path.rename(aside)
        _log.warning(_PUT_ASIDE, path, aside.name, aside)
    return True


def _take_in_log(file: sqlite3.Connection) -> None:
    """Write the log, which bears the file's name, into it; nobody else may have it open."""
    for left in reversed(range(round(PATIENCE / PAUSE))):
        try:
            file.execute("PRAGMA journal_mode = DELETE").fetchone()
            return
        except sqlite3.OperationalError:  # for which SQLite does not wait
            if not left:
                raise
            time.sleep(PAUSE)


def _check_owner(file: Any, where: str) -> None:
    """Raise StoreForeign if a SQLite file is somebody else's."""
    (number,) = file.execute("PRAGMA application_id").fetchone()
    (tables,) = file.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if number != APPLICATION_ID and (number or tables):
        raise StoreForeign(
            f"store {where}: a database of another program; choose another file with --store"
        )


def _server(location: Location) -> Engine:
    url = make_url(location.url)
    options = f"-c lock_timeout={PATIENCE * 1000:.0f} -c client_encoding=UTF8"
    connecting = {"connect_timeout": 10, "options": options} | url.query
    try:
        return create_engine(url, pool_pre_ping=True, max_overflow=-1, connect_args=connecting)
    except ModuleNotFoundError as error:
        raise Missing(
            f"store {location}: no driver for PostgreSQL; {command_for('postgres')}"
        ) from error


def _check_file(path: Path, make: bool = True) -> tuple[bool, bool]:
    """Whether a file is new, made for its owner alone, and whether it can be written.

    Raises a StoreError if it cannot be a whole SQLite file.
    """
    try:
        if make and not path.exists():
            if path == usual_path():
                make_folder(path.parent, 0o700)
            elif not path.parent.is_dir():
                raise FileTrouble(f"there is no folder {path.parent}")
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            return True, True
        if not path.is_file():
            raise StoreForeign(f"store {path}: not a file; give a file or a URL with --store")
        with open(path, "rb") as stream:
            head = stream.read(len(_MAGIC))
    except (OSError, FileTrouble) as error:
        reason = getattr(error, "strerror", None) or str(error)
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        raise trouble(StoreFull if full else StoreUnavailable, str(path), reason) from error
    if head and not head.startswith(_MAGIC[: len(head)]):  # an empty file becomes a store
        raise StoreForeign(f"store {path}: not a satcal store; choose another file with --store")
    return False, os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _log_of(path: Path) -> bool:
    """Whether the log beside a file has something to be written into it."""
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _address(path: Path, read_only: bool) -> str:
    # immutable: in a folder that cannot be written, a log has no place for its index
    mode = ("mode=ro" if _log_of(path) else "mode=ro&immutable=1") if read_only else "mode=rwc"
    return f"file:{quote(str(path.resolve()))}?{mode}"


def _sqlite(address: str, patience: float = 0) -> Engine:
    """An engine on a file."""

    def connect() -> sqlite3.Connection:
        with ExitStack() as opened:
            connection = sqlite3.connect(
                address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
            )
            opened.enter_context(closing(connection))
            connection.text_factory = readable_text
            for line in ("foreign_keys = ON", "synchronous = FULL", "trusted_schema = OFF"):
                connection.execute(f"PRAGMA {line}")
            opened.pop_all()
        return connection

    # who waits for a lock must not keep others waiting for a connection
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, max_overflow=-1)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # sqlite3's own BEGIN leaves out DDL; a writer takes its lock at once, because
        # a reader that wants to become one cannot wait for another
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine
