"""The results in a store: written in one transaction each, believed only with a valid seal."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from satcal.errors import OptionError, StoreDamaged
from satcal.store import schema
from satcal.store.keys import Method, reveal_key
from satcal.store.location import Location
from satcal.store.opening import open_engine
from satcal.store.trouble import explained, trouble

Clock = Callable[[], datetime.datetime]
FEW = 50  # reveals that are asked for by name; more are sought among all of their puzzle
_KEY = ("puzzle", "conditions", "method", "reveal", "tilings")
PARTS = ("name", "encoding", "solver", "options", "versions")  # as Method.parts
_R, _M, _P = schema.result.c, schema.method.c, schema.puzzle.c


def utc() -> datetime.datetime:
    """Return the time; it is shown to people, and no logic depends on it."""
    return datetime.datetime.now(datetime.UTC).replace(microsecond=0)


class StoredResult(NamedTuple):
    """One row: a number of tilings, for what, by whom, how often and when last it was counted."""

    puzzle: str
    name: str
    reveal: str
    conditions: str
    method: Method
    tilings: int
    times: int
    counted_at: str

    @property
    def question(self) -> tuple[str, str, str]:
        """What was counted, whoever did it."""
        return self.puzzle, self.conditions, self.reveal

    def seal(self) -> str:
        """Return what proves this row undamaged."""
        return schema.seal(*self.question, *self.method.parts, str(self.tilings))


@dataclass(frozen=True)
class Contradiction:
    """Different numbers for one question, with who counted each; both are kept."""

    name: str
    conditions: str
    reveal: str
    said: tuple[tuple[Method, int], ...]

    def __str__(self) -> str:
        given = f" with {self.conditions}" if self.conditions else ""
        said = ", ".join(f"{tilings:,} by {method}" for method, tilings in self.said)
        return f"{self.name} {self.reveal or 'the board'}{given}: {said}"


@dataclass(frozen=True)
class Filter:
    """Which rows: by the start of the digest, a reveal's key, a method's name, conditions."""

    puzzle: str = ""
    reveal: str | None = None
    method: str | None = None
    conditions: str | None = None

    def __bool__(self) -> bool:
        return self != Filter()

    def clauses(self) -> list[Any]:
        """Return the conditions on the tables of results and methods."""
        found: list[Any] = []
        if self.puzzle:
            found.append(_R.puzzle.startswith(self.puzzle, autoescape=True))
        if self.reveal is not None:
            found.append(_R.reveal == self.reveal)
        if self.method is not None:
            found.append(_M.name == self.method)
        if self.conditions is not None:
            found.append(_R.conditions == self.conditions)
        return found


class Store:
    """An open store; see :func:`satcal.store.opening.open_engine` for the errors of opening it.

    Every method raises a StoreError when the database fails; what was stored before is kept.

    Args:
        location: where it is.
        now: the clock of the timestamps.
        rescue: read a copy where the schema is damaged; ``damage`` says what is wrong.
    """

    def __init__(self, location: Location, now: Clock = utc, rescue: bool = False) -> None:
        self.where = str(location)
        self._now = now
        self.engine, self.read_only, self.damage = open_engine(location, now, rescue)
        self._insert: Any = {"sqlite": sqlite, "postgresql": postgresql}[
            self.engine.dialect.name
        ].insert

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; the next use opens another: none must be open across a fork."""
        self.engine.dispose()

    def now(self) -> str:
        """Return the clock's time as text."""
        return self._now().isoformat()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection inside a transaction that only reads."""
        with explained(self.where), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection inside a transaction that writes; one writer at a time.

        Raises:
            StoreReadOnly, StoreFull: the store cannot be written.
        """
        if self.read_only:
            raise self.read_only
        with (
            explained(self.where),
            self.engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":
                # as SQLite does it: who writes sees what was written before
                connection.exec_driver_sql(
                    f"LOCK TABLE {schema.result.name} IN SHARE ROW EXCLUSIVE MODE"
                )
            yield connection

    def recall(self, puzzle: str, conditions: str, method: Method) -> dict[str, list[int]]:
        """Return what is stored under a puzzle's digest: per reveal's key, the numbers of tilings.

        More than one number is a contradiction.

        Raises:
            StoreDamaged: a row's seal does not fit; nothing is believed then.
        """
        found: dict[str, list[int]] = {}
        for row in self.rows(Filter(puzzle, conditions=conditions), method):
            found.setdefault(row.reveal, []).append(row.tilings)
        return found

    def record(
        self, puzzle: str, name: str, conditions: str, method: Method, counts: Mapping[str, int]
    ) -> list[Contradiction]:
        """Store counts by reveal's key in one transaction; return what they contradict.

        A number that is there already is only noted to be counted once more.
        """
        when = self.now()
        rows = [
            StoredResult(puzzle, name, reveal, conditions, method, tilings, 1, when)
            for reveal, tilings in counts.items()
        ]
        with self.writing() as connection:
            self._write(connection, rows, again=True)
            return self._contradicted(connection, rows)

    def insert(self, rows: Sequence[StoredResult]) -> tuple[int, list[Contradiction]]:
        """Store rows from elsewhere in one transaction; return how many are new, and what they
        contradict. Rows that are there already stay as they are."""
        with self.writing() as connection:
            before = connection.scalar(select(func.count()).select_from(schema.result)) or 0
            self._write(connection, rows, again=False)
            after = connection.scalar(select(func.count()).select_from(schema.result)) or 0
            return after - before, self._contradicted(connection, rows)

    def _write(self, connection: Connection, rows: Sequence[StoredResult], again: bool) -> None:
        names = {row.puzzle: row.name for row in rows}
        self.add(connection, schema.puzzle, [{"digest": d, "name": n} for d, n in names.items()])
        numbers = {m: self._number(connection, m) for m in dict.fromkeys(r.method for r in rows)}
        statement = self._insert(schema.result)
        statement = (
            statement.on_conflict_do_update(
                index_elements=_KEY,
                set_={
                    "times": _R.times + statement.excluded.times,
                    "counted_at": statement.excluded.counted_at,
                },
            )
            if again
            else statement.on_conflict_do_nothing()
        )
        values = [
            {
                "puzzle": row.puzzle, "reveal": row.reveal, "conditions": row.conditions,
                "method": numbers[row.method], "tilings": str(row.tilings), "times": row.times,
                "counted_at": row.counted_at, "seal": row.seal(),
            }
            for row in rows
        ]  # fmt: skip
        if values:
            connection.execute(statement, values)

    def add(self, connection: Connection, table: Any, values: list[dict[str, Any]]) -> None:
        """Add rows to a table inside a transaction; those that are there already stay."""
        if values:
            connection.execute(self._insert(table).on_conflict_do_nothing(), values)

    def _number(self, connection: Connection, method: Method) -> int:
        self.add(connection, schema.method, [dict(zip(PARTS, method.parts, strict=True))])
        return int(connection.execute(select(_M.id).where(*_is(method))).scalar_one())

    def _contradicted(
        self, connection: Connection, rows: Sequence[StoredResult]
    ) -> list[Contradiction]:
        """Return the contradictions under the keys of some rows."""
        keys: dict[tuple[str, str, Method], set[str]] = {}
        for row in rows:
            keys.setdefault((row.puzzle, row.conditions, row.method), set()).add(row.reveal)
        found: list[Contradiction] = []
        for (digest, conditions, method), reveals in keys.items():
            number = self._number(connection, method)
            here = (_R.puzzle == digest, _R.conditions == conditions, _R.method == number)
            few = [_R.reveal.in_(sorted(reveals))] if len(reveals) <= FEW else []
            twice = select(_R.reveal).where(*here, *few).group_by(_R.reveal)
            for reveal in connection.scalars(twice.having(func.count() > 1)).all():
                query = _JOINED.where(*here, _R.reveal == reveal).order_by(_R.id)
                if reveal in reveals:
                    said = [_believed(row) for row in connection.execute(query)]
                    good = [each for each in said if each is not None]
                    if len(good) < len(said):
                        raise trouble(StoreDamaged, self.where, "a row with a broken seal")
                    found.append(contradiction(good))
        return found

    def rows(
        self, wanted: Filter = Filter(), method: Method | None = None, limit: int | None = None
    ) -> list[StoredResult]:
        """Return rows in canonical order: puzzle, conditions, reveal, method, tilings.

        Raises:
            StoreDamaged: a row's seal does not fit.
        """
        good, bad = self.examine(wanted, method, limit)
        if bad:
            raise trouble(StoreDamaged, self.where, f"{len(bad)} rows with a broken seal")
        return good

    def examine(
        self, wanted: Filter = Filter(), method: Method | None = None, limit: int | None = None
    ) -> tuple[list[StoredResult], list[int]]:
        """Return the rows that can be believed, and the numbers (``id``) of those that cannot."""
        query = _JOINED.where(*wanted.clauses())
        if method is not None:
            query = query.where(*_is(method))
        query = query.order_by(_R.puzzle, _R.conditions, _R.reveal, _M.name, _R.id).limit(limit)
        good: list[StoredResult] = []
        bad: list[int] = []
        methods: dict[tuple[str, ...], Method] = {}
        with self.reading() as connection:
            for row in connection.execute(query):
                result = _believed(row, methods)
                if result is None:
                    bad.append(row.id)
                else:
                    good.append(result)
        return good, bad

    def check_whole(self) -> None:
        """Look at every page and every row's seal: what is damaged is not written to.

        Raises:
            StoreDamaged: something cannot be believed.
        """
        for complaint in self.complaints(1):
            raise trouble(StoreDamaged, self.where, complaint)
        self.rows()

    def complaints(self, most: int) -> list[str]:
        """Return what SQLite says is wrong with a file; a server checks its own pages."""
        if self.engine.dialect.name != "sqlite":
            return []
        with self.reading() as connection:
            said = [
                str(r[0]) for r in connection.exec_driver_sql(f"PRAGMA integrity_check({most})")
            ]
            keys = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        lost = [f"row {row[1]} of {row[0]} points to no row of {row[2]}" for row in keys[:most]]
        return [line for line in said if line != "ok"] + lost

    def reveal_like(self, labels: Sequence[str], digest: str = "") -> str:
        """Return the key of the stored reveal with these labels, in any order and any case.

        Only puzzles whose digest starts so are looked at; where nothing is like them, it is
        their own key.

        Raises:
            OptionError: several reveals differ from them in case only.
        """
        own = reveal_key(labels)
        wanted = sorted(text.casefold() for text in labels)
        query = select(_R.reveal).where(*Filter(digest).clauses()).distinct()
        with self.reading() as connection:
            known = connection.scalars(query).all()
        like = sorted(key for key in known if sorted(key.casefold().split()) == wanted)
        if len(like) > 1 and own not in like:
            raise OptionError(
                f"--reveal {' '.join(labels)}: it may be {' or '.join(map(repr, like))}; write "
                "capitals as the store does, or name the puzzle by --board"
            )
        return own if own in like or not like else like[0]

    def remove(self, wanted: Filter, numbers: Iterable[int] = ()) -> int:
        """Remove the rows of a filter, or those of these numbers; return how many."""
        listed = list(numbers)
        with self.writing() as connection:
            query = select(_R.id).join(schema.method, _R.method == _M.id).where(*wanted.clauses())
            chosen = listed or list(connection.execute(query).scalars())
            for start in range(0, len(chosen), 500):  # SQLite bounds the variables of a statement
                part = chosen[start : start + 500]
                connection.execute(delete(schema.result).where(_R.id.in_(part)))
        return len(chosen)

    def last_digest(self, origin: str, puzzle: str, name: str) -> str | None:
        """Return the digest under which a board was counted last; note the one of now."""
        known = schema.board.c
        query = select(known.puzzle).where(known.origin == origin)
        with self.reading() as connection:
            before: str | None = connection.execute(query).scalar()
        if before == puzzle or self.read_only:
            return before
        with self.writing() as connection:
            self.add(connection, schema.puzzle, [{"digest": puzzle, "name": name}])
            statement = self._insert(schema.board).values(origin=origin, puzzle=puzzle)
            connection.execute(
                statement.on_conflict_do_update(index_elements=["origin"], set_={"puzzle": puzzle})
            )
        return before


_JOINED: Select[Any] = (
    select(
        _R.id, _R.puzzle, func.coalesce(_P.name, "").label("board"), _R.reveal, _R.conditions,
        *(_M[part] for part in PARTS),
        _R.tilings, _R.times, _R.counted_at, _R.seal,
    )
    .join(schema.method, _R.method == _M.id)
    .outerjoin(schema.puzzle, _R.puzzle == _P.digest)
)  # fmt: skip


def _is(method: Method) -> list[ColumnElement[bool]]:
    """Return the conditions under which a row of the methods is this one."""
    return [_M[part] == text for part, text in zip(PARTS, method.parts, strict=True)]


def _believed(
    row: Row[Any], methods: dict[tuple[str, ...], Method] | None = None
) -> StoredResult | None:
    """Return a row of ``_JOINED`` as a result, None if it is damaged.

    SQLite keeps any type in any column, so that a damaged row may hold anything. ``methods``
    keeps those that were made already: many rows have the same.
    """
    values: list[Any] = list(row)
    _, puzzle, board, reveal, conditions, *parts, tilings, times, when, seal = values
    try:
        if schema.seal(puzzle, conditions, reveal, *parts, tilings) != seal:
            return None
    except TypeError:  # no text
        return None
    if not isinstance(times, int):
        return None
    made = methods if methods is not None else {}
    key = tuple(parts)
    method = made.get(key) or made.setdefault(key, Method(*key))
    return StoredResult(puzzle, board, reveal, conditions, method, int(tilings), times, when)


def contradiction(rows: Sequence[StoredResult]) -> Contradiction:
    """Return the contradiction that rows of one question are."""
    first = rows[0]
    said = tuple((row.method, row.tilings) for row in rows)
    return Contradiction(first.name or first.puzzle[:12], first.conditions, first.reveal, said)
