"""The store of finished counts and of jobs, in a SQLite file or a PostgreSQL database.

The SQL is the same for both databases; the two subclasses of :class:`Store` contain the
differences. A row has a seal, a digest of its other columns, because a database notices a damaged
page but not a changed digit. A damaged file is moved aside and never repaired, because its counts
can be counted again.

>>> import tempfile
>>> store = open_store(Path(tempfile.mkdtemp(), "counts.sqlite"))
>>> key = Key(puzzle="ab" * 32, question="", method="sat 0123")
>>> store.put(key, {("Thu", "Oct", "23"): 201})
[]
>>> store.recall(key, [("Thu", "Oct", "23"), ("Fri", "Oct", "24")])
{('Thu', 'Oct', '23'): 201}
>>> store.put(key, {("Thu", "Oct", "23"): 202})  # doctest: +ELLIPSIS
['abababababab 23 Oct Thu: 202 by sat 0123, but 201 by sat 0123 is stored since ...']
>>> store.close()
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

import platformdirs

from satcal.errors import (
    Disagreement,
    FileTrouble,
    FormatError,
    Missing,
    OptionError,
    Stopped,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreOtherSchema,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.files import lock_file, make_folder
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name

T = TypeVar("T")
SCHEMA = 7
"""The version of the tables; increase it when a table changes."""
APPLICATION_ID = 0x7361746B
"""The text "satk" in the header of a SQLite file, which marks a satcal store."""
LOCK_SECONDS = 10
"""The time to wait for the lock of another process; a transaction takes far less."""
RESERVE_SECONDS = 3
"""The time that a new server of satcal gives PostgreSQL to notice that an earlier one ended."""
EXPORT = "satcal store export 1"
"""The first line of an export."""
TABLE_COMMENT = f"satcal store, schema {SCHEMA}"
"""The comment on satcal's tables in PostgreSQL."""
TABLES = (
    # the method is last in the key, so that the key also finds the counts by all methods
    "CREATE TABLE satcal_result (puzzle TEXT NOT NULL, question TEXT NOT NULL,"
    " reveal TEXT NOT NULL, method TEXT NOT NULL, tilings TEXT NOT NULL,"  # may exceed 2**63
    " counted_at TEXT NOT NULL, seal TEXT NOT NULL,"
    " PRIMARY KEY (puzzle, question, reveal, method))",
    "CREATE TABLE satcal_job (id TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL,"
    " result TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (id))",
)
COLUMNS = "puzzle, question, reveal, method, tilings, counted_at, seal"
INSERT = (
    f"INSERT INTO satcal_result ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
SELECT = f"SELECT {COLUMNS} FROM satcal_result"
SAVE_JOB = (
    "INSERT INTO satcal_job (id, request, state, result, created_at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE"
    " SET request = excluded.request, state = excluded.state, result = excluded.result,"
    " created_at = excluded.created_at"
)
PATTERNS = tuple(
    map(
        re.compile,
        (
            r"[0-9a-f]{64}",
            r"[ -~]{0,4000}",
            r"[^\0\r\n\ud800-\udfff]{0,300}",
            r"[ -~]{1,300}",
            r"0|[1-9][0-9]{0,59}",
            r"[0-9T:+-]{1,40}",
        ),
    )
)
"""The patterns of the columns of an export."""
QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
FINISHED = (DONE, FAILED, CANCELLED)
"""The states of jobs."""
URL = re.compile(r"([A-Za-z][A-Za-z0-9+.]*)://")


class Key(NamedTuple):
    """The key of stored counts, without the reveal.

    ``puzzle`` is a digest, ``question`` the placed pieces (:func:`question_key`), and ``method``
    :meth:`satcal.counting.method.Method.key`, which includes a digest of the code that counts.
    """

    puzzle: str
    question: str
    method: str


class StoredCount(NamedTuple):
    """A finished count."""

    puzzle: str
    question: str
    reveal: str
    method: str
    tilings: int
    counted_at: str


class JobRecord(NamedTuple):
    """A job of the service; its counts are stored as rows of their own."""

    id: str
    request: str
    """JSON: everything needed to repeat the job."""
    state: str = "queued"
    result: str = ""
    """JSON: the result, without counts."""
    created_at: str = ""


def reveal_key(reveal: Sequence[str]) -> str:
    """Return the labels of a reveal in alphabetical order; no label contains a space."""
    return " ".join(sorted(reveal))


def question_key(puzzle: Puzzle, placements: Iterable[Placement]) -> str:
    """Return placements as text without names of pieces, because copies may have several names.

    The cells define the shape. The number of orientations distinguishes a piece that may be flipped
    from one of the same shape that may not.
    """
    parts = []
    for placement in placements:
        cells = ",".join(map(cell_name, sorted(placement.cells)))
        parts.append(f"{cells}x{len(puzzle.piece(placement.piece).orientations)}")
    return " ".join(sorted(parts))


def to_columns(row: StoredCount) -> tuple[str, ...]:
    """Return the columns of a row, including its seal."""
    columns = (*row[:4], str(row.tilings), row.counted_at)
    return *columns, compute_seal(columns)


def from_columns(columns: Sequence[str]) -> StoredCount:
    """Return the row with the columns, which do not include a seal."""
    puzzle, question, reveal, method, tilings, counted_at = columns
    return StoredCount(puzzle, question, reveal, method, int(tilings), counted_at)


def compute_seal(columns: Sequence[str]) -> str:
    """Return the seal of a row: a digest of its columns."""
    return hashlib.sha256("\0".join(columns).encode("utf-8", "replace")).hexdigest()[:16]


def default_path() -> Path:
    """Return the path of the default store.

    Raises:
        StoreUnavailable: the user has no home directory.
    """
    try:
        return Path(platformdirs.user_data_dir("satcal"), "store.sqlite")
    except RuntimeError as error:
        text = "there is no home directory for the default store; set HOME or name a --store"
        raise StoreUnavailable(text) from error


def open_store(location: str | Path = "", create: bool = True) -> Store:
    """Open the store at a path or ``postgresql://`` URL, or the default store.

    With ``create``, a missing file is created.

    Raises:
        OptionError: the URL names another database; or the file is missing and is not created.
        StoreDamaged: the file was damaged and has been moved aside; opening it again creates one.
        StoreForeign: the file or database is not a satcal store; it is not changed.
        StoreOtherSchema: another version of satcal made the store.
        StoreError: the store cannot be opened for another reason.
    """
    text = str(location)
    scheme = URL.match(text)
    if scheme is None:
        path = Path(text) if text else default_path()
        if not create and not path.exists():
            raise OptionError(f"store {path}: no such file; name one with --store")
        if not text:
            try:
                make_folder(path.parent, 0o700)
            except (FileTrouble, Stopped) as error:
                raise StoreUnavailable(f"{error}; name a --store") from error
        store: Store = SQLite(path)
    elif scheme[1] in ("postgresql", "postgres"):
        store = Postgres(text)
    else:
        raise OptionError(
            f"--store {scheme[1]}://...: not a database that satcal knows; name a file, or "
            "postgresql://USER@HOST/DATABASE"
        )
    try:
        store.transact(lambda cursor: None)
    except BaseException:
        store.close()
        raise
    return store


class Store:
    """The operations of a store; a subclass connects to its database.

    A method that writes returns when its rows are on the disk. Methods are thread-safe.
    """

    begin = "BEGIN"
    placeholder = "?"
    errors: tuple[type[Exception], ...] = ()

    def __init__(self, location: str) -> None:
        self.location = location
        self.read_only = False
        self._lock = threading.RLock()
        self._connection: Any = None

    def connect(self) -> Any:
        """Return a connection; check the tables, or create them."""
        raise NotImplementedError

    def explain(self, error: Exception) -> StoreError:
        """Return satcal's error for an error of the database."""
        raise NotImplementedError

    def is_lost(self) -> bool:
        """Return whether the connection was lost, so that a transaction should be retried."""
        return False

    def check_place(self) -> None:
        """Raise StoreDamaged if the connected store is not the one at its location any more."""

    def reserve(self) -> Callable[[], None] | None:
        """Reserve the store for a server; return a function that ends this, or None if taken.

        The reservation outlasts :meth:`close`, and ends with the process at the latest.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Close the connection."""
        with self._lock, suppress(*self.errors):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def transact(self, work: Callable[[Any], T]) -> T:
        """Return the result of ``work(cursor)``, which runs in a transaction.

        It runs again if the connection was lost, so ``work`` must be repeatable.
        """
        with self._lock:
            try:
                return self._attempt(work)
            except self.errors as error:
                if self._connection is None or not self.is_lost():
                    raise self.explain(error) from error
                self.close()
            try:
                return self._attempt(work)
            except self.errors as error:
                raise self.explain(error) from error

    def _attempt(self, work: Callable[[Any], T]) -> T:
        if self._connection is None:
            self._connection = self.connect()
        self.check_place()
        cursor = self._connection.cursor()
        cursor.execute(self.begin)
        try:
            value = work(cursor)
            cursor.execute("COMMIT")
        except BaseException:
            with suppress(*self.errors):
                cursor.execute("ROLLBACK")
            raise
        return value

    def sql(self, statement: str) -> str:
        """Return a statement with the placeholders of the database."""
        return statement.replace("?", self.placeholder)

    def select(
        self, cursor: Any, condition: str = "", values: Sequence[str] = ()
    ) -> Iterator[StoredCount]:
        """Yield rows; raise StoreDamaged for a row with a wrong seal."""
        for *columns, seal in cursor.execute(self.sql(SELECT + condition), values).fetchall():
            if not all(isinstance(c, str) for c in columns) or compute_seal(columns) != seal:
                raise self.damage_error("a row with a broken seal")
            yield from_columns(columns)

    def damage_error(self, reason: str) -> StoreError:
        """Return the error for damage; a file is moved aside first."""
        advice = "restore a backup, or remove the table satcal_result"
        return StoreDamaged(f"store {self.location}: damaged ({reason}); {advice}")

    def probe(self) -> None:
        """Read a row, to test the connection; raise StoreError if that fails."""
        self.transact(lambda cursor: cursor.execute("SELECT id FROM satcal_job LIMIT 1") and None)

    # Counts

    def recall(self, key: Key, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """Return the stored counts of those reveals that have one."""
        condition = " WHERE puzzle = ? AND question = ? AND method = ?"
        rows = self.transact(lambda cursor: [*self.select(cursor, condition, key)])
        counts = {row.reveal: row.tilings for row in rows}
        return {r: counts[reveal_key(r)] for r in reveals if reveal_key(r) in counts}

    def put(self, key: Key, counts: Mapping[Reveal, int]) -> list[str]:
        """Store new counts; return a sentence for each stored count that contradicts one.

        A stored count is never replaced. The counts of all methods are compared.
        """
        puzzle, question, method = key
        written_at = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [
            StoredCount(puzzle, question, reveal_key(reveal), method, tilings, written_at)
            for reveal, tilings in counts.items()
        ]
        return self.transact(lambda cursor: self._put(cursor, rows)) if rows else []

    def _put(self, cursor: Any, rows: Sequence[StoredCount]) -> list[str]:
        cursor.executemany(self.sql(INSERT), map(to_columns, rows))
        condition, contradictions = " WHERE puzzle = ? AND question = ? AND reveal = ?", []
        for row in rows:
            for stored in self.select(cursor, condition, row[:3]):
                if stored.tilings != row.tilings:
                    key = " ".join(filter(None, (row.puzzle[:12], row.question, row.reveal)))
                    numbers = f"{row.tilings} by {row.method}, but {stored.tilings}"
                    contradictions.append(
                        f"{key}: {numbers} by {stored.method} is stored since {stored.counted_at}"
                    )
        return contradictions

    def list_rows(self, puzzle: str = "") -> list[StoredCount]:
        """Return the rows of a puzzle, or all rows, sorted by their columns."""
        condition, values = (" WHERE puzzle = ?", (puzzle,)) if puzzle else ("", ())
        return sorted(self.transact(lambda cursor: [*self.select(cursor, condition, values)]))

    def clear(self, puzzle: str = "") -> int:
        """Remove the rows of a puzzle, or all rows; return their number."""
        condition, values = (" WHERE puzzle = ?", (puzzle,)) if puzzle else ("", ())
        remove = self.sql("DELETE FROM satcal_result" + condition)
        return self.transact(lambda cursor: int(cursor.execute(remove, values).rowcount))

    def import_rows(self, rows: Sequence[StoredCount]) -> int:
        """Store all rows of an export, or none; return the number of new ones.

        Raises:
            Disagreement: a row contradicts a stored row.
        """

        def work(cursor: Any) -> int:
            count = "SELECT count(*) FROM satcal_result"
            before = cursor.execute(count).fetchone()[0]
            if contradictions := self._put(cursor, rows):
                text, number = contradictions[0], len(contradictions)
                raise Disagreement(f"nothing was imported; {text} (contradictions: {number:,})")
            return int(cursor.execute(count).fetchone()[0] - before)

        return self.transact(work)

    # Jobs

    def save_job(self, job: JobRecord) -> None:
        """Store a job, or update its state."""
        save = self.sql(SAVE_JOB)
        self.transact(lambda cursor: cursor.execute(save, job) and None)

    def jobs(self) -> list[JobRecord]:
        """Return all jobs, the oldest first."""
        select = "SELECT id, request, state, result, created_at FROM satcal_job"
        query = f"{select} ORDER BY created_at, id"
        rows = self.transact(lambda cursor: cursor.execute(query).fetchall())
        return [JobRecord(*row) for row in rows]

    def remove_job(self, name: str) -> None:
        """Delete a job; its counts stay."""
        remove = self.sql("DELETE FROM satcal_job WHERE id = ?")
        self.transact(lambda cursor: cursor.execute(remove, (name,)) and None)


def write_export(rows: Iterable[StoredCount]) -> str:
    """Return rows as CSV after a header, with a digest of the text at the end."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([[EXPORT], StoredCount._fields, *rows])
    return f"{text.getvalue()}sha256,{hashlib.sha256(text.getvalue().encode()).hexdigest()}\n"


def read_export(text: str, location: str = "export") -> list[StoredCount]:
    """Return the rows of an export; raise FormatError for any other text."""
    body, _, last = text.removesuffix("\n").rpartition("\n")
    if not text.startswith(EXPORT + "\n"):
        raise FormatError(
            f"{location}: not an export of a satcal store; `satcal store export` writes one, and "
            "`satcal claims` judges other tables"
        )
    digest = hashlib.sha256(f"{body}\n".encode("utf-8", "surrogatepass")).hexdigest()
    if last != f"sha256,{digest}":
        raise FormatError(
            f"{location}: changed or cut after it was written; export it again, or give it to "
            "`satcal claims` without its first and last line"
        )
    rows = []
    for number, columns in enumerate(list(csv.reader(io.StringIO(body)))[2:], start=3):
        if len(columns) != len(PATTERNS) or not all(
            pattern.fullmatch(column) for pattern, column in zip(PATTERNS, columns, strict=True)
        ):
            raise FormatError(f"{location}: line {number}: not as an export writes it")
        rows.append(from_columns(columns))
    return rows


class SQLite(Store):
    """A store in a file; each process that uses it holds a shared lock on ``FILE.lock``."""

    # a transaction that begins by reading fails if it has to wait for the write lock
    begin = "BEGIN IMMEDIATE"
    errors = (sqlite3.Error, UnicodeDecodeError)  # a message may quote damaged text

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
        connection.text_factory = lambda data: data.decode(
            "utf-8", "replace"
        )  # damaged text then fails the seal
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
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

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
        flags = os.O_RDWR | os.O_CREAT
        try:
            file = os.open(f"{self._path}.server", flags, 0o600)
        except OSError as error:
            raise StoreUnavailable(f"store {self.location}: {error.strerror}") from error
        try:
            lock_file(file)
        except OSError:
            os.close(file)
            return None
        return partial(os.close, file)

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
            raise schema_error(self.location, f"schema {schema}")
        if not tables and not self.read_only:
            for table in TABLES:
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


class Postgres(Store):
    """A store in a PostgreSQL database; it reconnects after a lost connection."""

    placeholder = "%s"

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ImportError as error:
            from satcal.parts import command_for

            command = command_for("postgres")
            raise Missing(f"PostgreSQL needs psycopg; run {command}") from error
        super().__init__(re.sub(r"(//[^:@/]*):[^@/]*@", r"\1:***@", url.partition("?")[0]))
        self._url, self.errors = url, (psycopg.Error,)

    def connect(self) -> Any:
        """Connect to the database; check the tables, or create them."""
        import psycopg

        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=10)
        try:
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: Any) -> None:
        """Refuse tables of another program or version; create missing tables."""
        connection.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        connection.execute("SET client_encoding = 'UTF8'")
        with connection.transaction():
            connection.execute(f"SELECT pg_advisory_xact_lock({APPLICATION_ID})")  # one at a time
            query = "SELECT to_regclass('satcal_result'), to_regclass('satcal_schema'), "
            query += "obj_description(to_regclass('satcal_result'))"
            [(table, old_table, comment)] = connection.execute(query).fetchall()
            if table is None and old_table is None:
                for statement in (*TABLES, f"COMMENT ON TABLE satcal_result IS '{TABLE_COMMENT}'"):
                    connection.execute(statement)
            elif comment != TABLE_COMMENT:
                if old_table or (comment or "").startswith("satcal store"):
                    raise schema_error(self.location, comment or "an older schema")
                message = "its table satcal_result is not satcal's; use another database"
                raise StoreForeign(f"store {self.location}: {message}")

    def _put(self, cursor: Any, rows: Sequence[StoredCount]) -> list[str]:
        # one writer at a time, as in SQLite: a writer sees all earlier rows
        cursor.execute("LOCK TABLE satcal_result IN SHARE ROW EXCLUSIVE MODE")
        return super()._put(cursor, rows)

    def is_lost(self) -> bool:
        """Return whether the server has closed the connection."""
        return bool(self._connection.closed)

    def reserve(self) -> Callable[[], None] | None:
        """Take an advisory lock on a separate connection; a restart of the database releases it.

        Wait for the lock, because a database takes a moment to notice that a server was killed.
        """
        table = "'satcal_job'::regclass::oid::integer"  # each PostgreSQL schema has its own lock
        connection = None
        try:
            connection = self.connect()
            connection.execute(f"SET lock_timeout = '{RESERVE_SECONDS}s'")
            connection.execute(f"SELECT pg_advisory_lock({APPLICATION_ID}, {table})")
        except self.errors as error:
            if connection is not None:
                connection.close()
            store_error = self.explain(error)
            if isinstance(store_error, StoreLocked):
                return None
            raise store_error from error
        end_reservation: Callable[[], None] = connection.close
        return end_reservation

    def explain(self, error: Exception) -> StoreError:
        """Return satcal's error for an error of PostgreSQL."""
        state = getattr(error, "sqlstate", None) or ""
        kinds = {"53": StoreFull, "25": StoreReadOnly, "55": StoreLocked}
        kind = StoreDamaged if state.startswith("XX") else kinds.get(state[:2])
        text = " ".join(str(error).split())
        return (kind or StoreUnavailable)(f"store {self.location}: {text}")


def schema_error(location: str, schema: str) -> StoreError:
    """Return the error for a store of another version of satcal."""
    return StoreOtherSchema(
        f"store {location}: made by another satcal ({schema}, now {SCHEMA}); export it with that "
        "version and import it here, or name another store"
    )
