"""What the two databases of a store have in common: a connection and its transactions.

The SQL of the tables is the same for both (:mod:`.counts`, :mod:`.jobs`); :mod:`.sqlite` and
:mod:`.postgres` have the differences.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, TypeVar

from satcal.errors import StoreDamaged, StoreError, StoreForeign, StoreUnavailable

T = TypeVar("T")
SCHEMA = 7
"""The version of the tables; increase it when a table changes."""
APPLICATION_ID = 0x7361746B
"""The text "satk" in the header of a SQLite file, which marks a satcal store."""
LOCK_SECONDS = 10
"""The time to wait for the lock of another process; a transaction takes far less."""


class Database:
    """A connection and its transactions; a subclass connects to its database.

    A method that writes returns when its rows are on the disk. Methods are thread-safe.
    """

    begin = "BEGIN"
    placeholder = "?"
    errors: tuple[type[Exception], ...] = ()
    kinds: ClassVar[Mapping[object, type[StoreError]]] = {}
    repair = "restore a backup, or remove the table satcal_result"

    def __init__(self, location: str) -> None:
        self.location = location
        self._lock = threading.RLock()
        self._connection: Any = None

    def connect(self) -> Any:
        """Return a new connection."""
        raise NotImplementedError

    def prepare(self, connection: Any) -> None:
        """Check the tables, or create them."""
        raise NotImplementedError

    def open(self) -> Any:
        """Return a connection whose tables are satcal's."""
        connection = self.connect()
        try:
            self.prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def code(self, error: Exception) -> object:
        """Return the key in ``kinds`` for an error of the database."""
        raise NotImplementedError

    def explain(self, error: Exception) -> StoreError:
        """Return satcal's error for an error of the database."""
        kind, text = self.kinds.get(self.code(error)), " ".join(str(error).split())
        if kind is StoreDamaged:
            return self.damage_error(text)
        return (kind or StoreUnavailable)(f"store {self.location}: {text}")

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
                try:
                    return self._attempt(work)
                except self.errors:
                    if not self.is_lost():
                        raise
                    self.close()
                return self._attempt(work)
            except self.errors as error:
                raise self.explain(error) from error

    def probe(self) -> None:
        """Begin and end a transaction, to test the connection; raise StoreError if that fails."""
        self.transact(lambda cursor: None)

    def _attempt(self, work: Callable[[Any], T]) -> T:
        if self._connection is None:
            self._connection = self.open()
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

    def execute(self, statement: str, values: Sequence[str] = ()) -> Any:
        """Execute one statement in a transaction; return its rows, or how many it changed."""

        def work(cursor: Any) -> Any:
            cursor.execute(self.sql(statement), values)
            return cursor.fetchall() if cursor.description else cursor.rowcount

        return self.transact(work)

    def damage_error(self, reason: str) -> StoreError:
        """Return the error for damage."""
        return StoreDamaged(f"store {self.location}: damaged ({reason}); {self.repair}")

    def foreign_error(self) -> StoreError:
        """Return the error for a file or database that this satcal has not made."""
        return StoreForeign(
            f"store {self.location}: not a store of this satcal; name another, or export it with "
            "the version that made it and import it here"
        )
