"""The store of finished counts and of jobs, in a SQLite file or a PostgreSQL database.

The statements are the same for both databases. What differs is in the two subclasses of
:class:`Store`. A row carries a seal, a digest of its other columns: a database notices a damaged
page, but not a changed digit inside one. A damaged file is moved aside, and never repaired: what
it held can be counted again.

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
import fcntl
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
    FormatError,
    Missing,
    OptionError,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreOtherSchema,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name

T = TypeVar("T")
SCHEMA = 7
"""The number of the tables' form: raise it when a table changes."""
APPLICATION_ID = 0x7361746B
"""The text "satk" in the header of a SQLite file of ours."""
PATIENCE = 10
"""Seconds to wait for another process's lock; a transaction takes far less."""
CLAIM_SECONDS = 3
"""How long a server waits for the one before it, whose end a database may not know yet."""
EXPORT = "satcal store export 1"
"""The first line of an export."""
MARK = f"satcal store, schema {SCHEMA}"
"""The comment on our tables in PostgreSQL."""
TABLES = (
    # any method's number can contradict another's: the key begins with what was asked
    "CREATE TABLE satcal_result (puzzle TEXT NOT NULL, question TEXT NOT NULL,"
    " reveal TEXT NOT NULL, method TEXT NOT NULL, tilings TEXT NOT NULL,"  # may pass 2**63
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
    " SET request = excluded.request, state = excluded.state, result = excluded.result"
)
FORMS = tuple(
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
"""What the columns of an export look like."""
URL = re.compile(r"([A-Za-z][A-Za-z0-9+.]*)://")


class Key(NamedTuple):
    """What was counted, but for the reveal: a puzzle's digest, pieces on the table, and the method.

    ``method`` is :meth:`satcal.counting.method.Method.key`, which includes a digest of the code
    that decides the number.
    """

    puzzle: str
    question: str
    method: str


class StoredCount(NamedTuple):
    """One finished count."""

    puzzle: str
    question: str
    reveal: str
    method: str
    tilings: int
    counted_at: str


class JobRecord(NamedTuple):
    """One job of the service; its results are rows like all others."""

    id: str
    request: str
    """JSON: all that is needed to do it again."""
    state: str = "queued"
    result: str = ""
    """JSON: what came of it, but for results."""
    created_at: str = ""


def reveal_key(reveal: Sequence[str]) -> str:
    """Return a reveal as text, in an order of its own; no label contains a space."""
    return " ".join(sorted(reveal))


def question_key(puzzle: Puzzle, place: Iterable[Placement]) -> str:
    """Return placements as text, without the names of pieces, of which a digest knows nothing.

    The cells say the shape. The number of orientations tells a piece that may be turned over from
    one that may not.
    """
    parts = []
    for placement in place:
        cells = ",".join(map(cell_name, sorted(placement.cells)))
        parts.append(f"{cells}x{len(puzzle.piece(placement.piece).orientations)}")
    return " ".join(sorted(parts))


def values_of(row: StoredCount) -> tuple[str, ...]:
    """Return the columns of a row, with its seal."""
    columns = (*row[:4], str(row.tilings), row.counted_at)
    return *columns, seal(columns)


def row_of(columns: Sequence[str]) -> StoredCount:
    """Return the row with these columns."""
    puzzle, question, reveal, method, tilings, counted_at = columns
    return StoredCount(puzzle, question, reveal, method, int(tilings), counted_at)


def seal(columns: Sequence[str]) -> str:
    """Return the seal of a row: a digest of its columns."""
    return hashlib.sha256("\0".join(columns).encode("utf-8", "replace")).hexdigest()[:16]


def usual_path() -> Path:
    """Return the path of a store that is not named."""
    return Path(platformdirs.user_data_dir("satcal"), "store.sqlite")


def open_store(where: str | Path = "", create: bool = True) -> Store:
    """Open the store at a path or ``postgresql://`` URL, or at the usual path.

    It is made if it is not there and ``create``.

    Raises:
        OptionError: the URL is of another database; or the file is not there, and is not made.
        StoreDamaged: the file was damaged, and has been moved aside; opening again makes a new one.
        StoreForeign: it is not a satcal store, and is left as it is.
        StoreOtherSchema: another version of satcal made it.
        StoreError: it cannot be opened for another reason.
    """
    text = str(where)
    scheme = URL.match(text)
    if scheme is None:
        path = Path(text) if text else usual_path()
        if not create and not path.exists():
            raise OptionError(f"store {path}: no such file; name one with --store")
        if not text:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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

    A method that writes returns when its rows are on the disk. Any thread may call it.
    """

    begin = "BEGIN"
    mark = "?"
    faults: tuple[type[Exception], ...] = ()

    def __init__(self, where: str) -> None:
        self.where = where
        self.read_only = False
        self._lock = threading.RLock()
        self._connection: Any = None

    def connect(self) -> Any:
        """Return a connection whose tables are checked, or made where there are none."""
        raise NotImplementedError

    def explain(self, error: Exception) -> StoreError:
        """Return the error of satcal that says what the database's error means."""
        raise NotImplementedError

    def is_lost(self) -> bool:
        """Return whether the connection has gone, so that a transaction is worth another try."""
        return False

    def claim(self) -> Callable[[], None] | None:
        """Become the only server on this store; return what ends that, or None if there is one.

        The claim outlives :meth:`close`, and ends with the process.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Close the connection."""
        with self._lock, suppress(*self.faults):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def transact(self, work: Callable[[Any], T]) -> T:
        """Return what ``work(cursor)`` returns, in one transaction that is wholly kept or not.

        It is done again if the connection was lost, so ``work`` must bear to be done twice.
        """
        with self._lock:
            try:
                return self._attempt(work)
            except self.faults as error:
                if self._connection is None or not self.is_lost():
                    raise self.explain(error) from error
                self.close()
            try:
                return self._attempt(work)
            except self.faults as error:
                raise self.explain(error) from error

    def _attempt(self, work: Callable[[Any], T]) -> T:
        if self._connection is None:
            self._connection = self.connect()
        cursor = self._connection.cursor()
        cursor.execute(self.begin)
        try:
            value = work(cursor)
            cursor.execute("COMMIT")
        except BaseException:
            with suppress(*self.faults):
                cursor.execute("ROLLBACK")
            raise
        return value

    def sql(self, statement: str) -> str:
        """Return a statement with the database's own mark for a parameter."""
        return statement.replace("?", self.mark)

    def select(
        self, cursor: Any, condition: str = "", values: Sequence[str] = ()
    ) -> Iterator[StoredCount]:
        """Yield rows; raise StoreDamaged for one whose seal is broken."""
        for *columns, sealed in cursor.execute(self.sql(SELECT + condition), values).fetchall():
            if not all(isinstance(c, str) for c in columns) or seal(columns) != sealed:
                raise self.damage_error("a row with a broken seal")
            yield row_of(columns)

    def damage_error(self, what: str) -> StoreError:
        """Return the error for damage; a file is moved aside first."""
        way_out = "restore a backup, or remove the table satcal_result"
        return StoreDamaged(f"store {self.where}: damaged ({what}); {way_out}")

    def probe(self) -> None:
        """Read a row; raise StoreError if that fails."""
        self.transact(lambda cursor: cursor.execute("SELECT id FROM satcal_job LIMIT 1") and None)

    # Results

    def recall(self, key: Key, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """Return the stored numbers of tilings of those reveals that have one."""
        condition = " WHERE puzzle = ? AND question = ? AND method = ?"
        rows = self.transact(lambda cursor: [*self.select(cursor, condition, key)])
        found = {row.reveal: row.tilings for row in rows}
        return {r: found[reveal_key(r)] for r in reveals if reveal_key(r) in found}

    def put(self, key: Key, counts: Mapping[Reveal, int]) -> list[str]:
        """Store counts that are not there, and return where others contradict them, in words.

        A number that is there is never replaced. Any method's number can contradict.
        """
        puzzle, question, method = key
        written_at = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [
            StoredCount(puzzle, question, reveal_key(reveal), method, tilings, written_at)
            for reveal, tilings in counts.items()
        ]
        return self.transact(lambda cursor: self._put(cursor, rows)) if rows else []

    def _put(self, cursor: Any, rows: Sequence[StoredCount]) -> list[str]:
        # in one order, so that no two writers wait for each other
        cursor.executemany(self.sql(INSERT), sorted(map(values_of, rows)))
        condition, found = " WHERE puzzle = ? AND question = ? AND reveal = ?", []
        for row in rows:
            for stored in self.select(cursor, condition, row[:3]):
                if stored.tilings != row.tilings:
                    what = " ".join(filter(None, (row.puzzle[:12], row.question, row.reveal)))
                    numbers = f"{row.tilings} by {row.method}, but {stored.tilings}"
                    found.append(
                        f"{what}: {numbers} by {stored.method} is stored since {stored.counted_at}"
                    )
        return found

    def list_rows(self, puzzle: str = "") -> list[StoredCount]:
        """Return the rows of one puzzle, or all, in the order of their columns."""
        condition, values = (" WHERE puzzle = ?", (puzzle,)) if puzzle else ("", ())
        return sorted(self.transact(lambda cursor: [*self.select(cursor, condition, values)]))

    def clear(self, puzzle: str = "") -> int:
        """Remove the rows of one puzzle, or all; return how many they were."""
        condition, values = (" WHERE puzzle = ?", (puzzle,)) if puzzle else ("", ())
        remove = self.sql("DELETE FROM satcal_result" + condition)
        return self.transact(lambda cursor: int(cursor.execute(remove, values).rowcount))

    def import_rows(self, rows: Sequence[StoredCount]) -> int:
        """Store rows of an export, all or none, and return how many are new.

        Raises:
            Disagreement: a row contradicts a stored row.
        """

        def work(cursor: Any) -> int:
            count = "SELECT count(*) FROM satcal_result"
            before = cursor.execute(count).fetchone()[0]
            if found := self._put(cursor, rows):
                text = f"nothing was imported; {found[0]} (contradictions: {len(found):,})"
                raise Disagreement(text)
            return int(cursor.execute(count).fetchone()[0] - before)

        return self.transact(work)

    # Jobs

    def save_job(self, job: JobRecord) -> None:
        """Store a job or its new state."""
        save = self.sql(SAVE_JOB)
        self.transact(lambda cursor: cursor.execute(save, job) and None)

    def jobs(self) -> list[JobRecord]:
        """Return all jobs, the oldest first."""
        select = "SELECT id, request, state, result, created_at FROM satcal_job"
        ordered = f"{select} ORDER BY created_at, id"
        rows = self.transact(lambda cursor: cursor.execute(ordered).fetchall())
        return [JobRecord(*row) for row in rows]

    def remove_job(self, name: str) -> None:
        """Forget a job; what it has counted stays."""
        remove = self.sql("DELETE FROM satcal_job WHERE id = ?")
        self.transact(lambda cursor: cursor.execute(remove, (name,)) and None)


def write_export(rows: Iterable[StoredCount]) -> str:
    """Return rows as CSV between a header and a digest of every byte before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([[EXPORT], StoredCount._fields, *rows])
    return f"{text.getvalue()}sha256,{hashlib.sha256(text.getvalue().encode()).hexdigest()}\n"


def read_export(text: str, where: str = "export") -> list[StoredCount]:
    """Return the rows of an export; raise FormatError for any other text."""
    body, _, last = text.removesuffix("\n").rpartition("\n")
    if not text.startswith(EXPORT + "\n"):
        raise FormatError(
            f"{where}: not an export of a satcal store; `satcal store export` writes one, and "
            "`satcal claims` judges other tables"
        )
    digest = hashlib.sha256(f"{body}\n".encode("utf-8", "surrogatepass")).hexdigest()
    if last != f"sha256,{digest}":
        raise FormatError(
            f"{where}: changed or cut after it was written; export it again, or give it to "
            "`satcal claims` without its first and last line"
        )
    rows = []
    for number, columns in enumerate(list(csv.reader(io.StringIO(body)))[2:], start=3):
        if len(columns) != len(FORMS) or not all(
            form.fullmatch(column) for form, column in zip(FORMS, columns, strict=True)
        ):
            raise FormatError(f"{where}: line {number}: not as an export writes it")
        rows.append(row_of(columns))
    return rows


class SQLite(Store):
    """A store in a file. Every process that has it open holds a shared lock on ``FILE.lock``."""

    begin = "BEGIN IMMEDIATE"  # a reader that wants to become a writer cannot wait for another
    faults = (sqlite3.Error, UnicodeDecodeError)  # the latter of a message that quotes damage

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path, self._held = path.resolve(), -1

    def connect(self) -> Any:
        """Open the file."""
        self._hold()
        name, log = quote(str(self._path)), Path(f"{self._path}-wal")
        mode = ("ro" if log.exists() else "ro&immutable=1") if self.read_only else "rwc"
        connection = sqlite3.connect(
            f"file:{name}?mode={mode}",
            PATIENCE,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.text_factory = lambda data: data.decode("utf-8", "replace")  # breaks a seal
        try:
            self._check(connection)
        except BaseException as error:
            connection.close()
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
                raise self.foreign() from error
            raise
        return connection

    def claim(self) -> Callable[[], None] | None:
        """Lock ``FILE.server``."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        try:
            claimed = os.open(f"{self._path}.server", flags, 0o600)
        except OSError as error:
            raise StoreUnavailable(f"store {self.where}: {error.strerror}") from error
        try:
            fcntl.flock(claimed, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(claimed)
            return None
        return partial(os.close, claimed)

    def _hold(self) -> None:
        """Take the shared lock; where no file can be made, the store is only read."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        try:
            self._held = os.open(f"{self._path}.lock", flags, 0o600)
        except OSError as error:
            if not self._path.exists():
                raise StoreUnavailable(f"store {self.where}: {error.strerror}") from error
            self.read_only, self.begin = True, "BEGIN"
        else:
            fcntl.flock(self._held, fcntl.LOCK_SH)

    def _check(self, connection: sqlite3.Connection) -> None:
        """Refuse another program's or version's file; make the tables in an empty one."""

        def ask(what: str) -> Any:
            return connection.execute(what).fetchone()[0]

        connection.execute(self.begin)  # one look, also while another process makes the tables
        owner, number = ask("PRAGMA application_id"), ask("PRAGMA user_version")
        tables = ask("SELECT count(*) FROM sqlite_master")
        if owner != APPLICATION_ID and (owner or tables):
            raise self.foreign()
        if owner and number != SCHEMA:
            raise other_schema(self.where, f"schema {number}")
        if not tables and not self.read_only:
            for table in TABLES:  # one tree each: a damaged index could hide a row
                connection.execute(f"{table} WITHOUT ROWID")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
        if (found := ask("PRAGMA quick_check(1)")) != "ok":
            connection.close()  # it would remove the log of the file that takes this one's place
            raise self.damage_error(found)
        if not self.read_only:
            connection.execute("PRAGMA synchronous = FULL")
            with suppress(sqlite3.OperationalError):  # busy: whoever opens it next does it
                ask("PRAGMA journal_mode = WAL")

    def close(self) -> None:
        """Close the file and give back its lock."""
        super().close()
        if self._held >= 0:
            os.close(self._held)
        self._held = -1

    def foreign(self) -> StoreError:
        """Return the error for another program's file."""
        return StoreForeign(f"store {self.where}: not a satcal store; name another file")

    def damage_error(self, what: str) -> StoreError:
        """Move the file aside if no other process uses it, and return the error that says so."""
        beginning = f"store {self.where}: damaged ({' '.join(what.split())})"
        super().close()
        try:  # without giving the lock back: another process could make a new file before us
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (OSError, ValueError):  # or there is no lock: the folder is only read
            self.close()
            way_out = "end other satcals that use it, or move it away"
            return StoreDamaged(f"{beginning}; {way_out}")
        aside = f"{self._path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
        for ending in ("-wal", "-shm", ""):  # a log bears its file's name
            with suppress(FileNotFoundError):
                os.rename(f"{self._path}{ending}", f"{aside}{ending}")
        self.close()
        return StoreDamaged(
            f"{beginning}; moved to {Path(aside).name}, the next run makes a new one"
        )

    def explain(self, error: Exception) -> StoreError:
        """Return satcal's error for one of SQLite's."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        damage = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        if damage or isinstance(error, UnicodeDecodeError):
            return self.damage_error(str(error))
        kinds = {
            sqlite3.SQLITE_FULL: StoreFull,
            sqlite3.SQLITE_BUSY: StoreLocked,
            sqlite3.SQLITE_READONLY: StoreReadOnly,
        }
        return kinds.get(code, StoreUnavailable)(f"store {self.where}: {error}")


class Postgres(Store):
    """A store in a PostgreSQL database; a lost connection is made anew."""

    mark = "%s"

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ImportError as error:
            from satcal.parts import command_for

            way_out = f"run {command_for('postgres')}"
            raise Missing(f"PostgreSQL needs psycopg; {way_out}") from error
        super().__init__(re.sub(r"(//[^:@/]*):[^@/]*@", r"\1:***@", url.partition("?")[0]))
        self._url, self.faults = url, (psycopg.Error,)

    def connect(self) -> Any:
        """Connect, and check the tables or make them."""
        import psycopg

        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=10)
        try:
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: Any) -> None:
        """Refuse another program's or version's tables; make them where there are none."""
        connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
        connection.execute("SET client_encoding = 'UTF8'")
        with connection.transaction():
            connection.execute(f"SELECT pg_advisory_xact_lock({APPLICATION_ID})")  # one at a time
            find = "SELECT to_regclass('satcal_result'), to_regclass('satcal_schema'), "
            find += "obj_description(to_regclass('satcal_result'))"
            [(table, older, comment)] = connection.execute(find).fetchall()
            if table is None and older is None:
                for statement in (*TABLES, f"COMMENT ON TABLE satcal_result IS '{MARK}'"):
                    connection.execute(statement)
            elif comment != MARK:
                if older or (comment or "").startswith("satcal store"):
                    raise other_schema(self.where, comment or "an older schema")
                what = "its table satcal_result is not satcal's; use another database"
                raise StoreForeign(f"store {self.where}: {what}")

    def _put(self, cursor: Any, rows: Sequence[StoredCount]) -> list[str]:
        # as in SQLite one writer at a time: who writes sees what others wrote before
        cursor.execute("LOCK TABLE satcal_result IN SHARE ROW EXCLUSIVE MODE")
        return super()._put(cursor, rows)

    def is_lost(self) -> bool:
        """Return whether the server has ended the connection."""
        return bool(self._connection.closed)

    def claim(self) -> Callable[[], None] | None:
        """Take an advisory lock on a connection of its own; a restarted database forgets it.

        It is waited for: a database takes a moment to notice that the last server was killed.
        """
        table = "'satcal_job'::regclass::oid::integer"  # each schema has its own
        claimed = None
        try:
            claimed = self.connect()
            claimed.execute(f"SET lock_timeout = '{CLAIM_SECONDS}s'")
            claimed.execute(f"SELECT pg_advisory_lock({APPLICATION_ID}, {table})")
        except self.faults as error:
            if claimed is not None:
                claimed.close()
            reason = self.explain(error)
            if isinstance(reason, StoreLocked):
                return None
            raise reason from error
        end: Callable[[], None] = claimed.close
        return end

    def explain(self, error: Exception) -> StoreError:
        """Return satcal's error for one of PostgreSQL's."""
        state = getattr(error, "sqlstate", None) or ""
        kinds = {"53": StoreFull, "25": StoreReadOnly, "55": StoreLocked}
        kind = StoreDamaged if state.startswith("XX") else kinds.get(state[:2])
        text = " ".join(str(error).split())
        return (kind or StoreUnavailable)(f"store {self.where}: {text}")


def other_schema(where: str, found: str) -> StoreError:
    """Return the error for a store of another version of satcal."""
    return StoreOtherSchema(
        f"store {where}: made by another satcal ({found}, now {SCHEMA}); export it with that "
        "version and import it here, or name another store"
    )
