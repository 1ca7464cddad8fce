"""The tables of a store, and the steps by which a store comes to have them.

A result says how many tilings one method counted for one reveal of one puzzle under conditions.
Its key is all but the number: a second, different number is a second row, and a contradiction.
"""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Column, Connection, Engine, ForeignKey, Integer, Table, Text, inspect
from sqlalchemy.schema import CreateColumn, SchemaItem, UniqueConstraint

from satcal.errors import StoreTooNew
from satcal.store.keys import Method

METADATA = sql.MetaData()
APPLICATION_ID = 0x7361746B  # "satk", in the header of our SQLite files
ADVISORY_LOCK = APPLICATION_ID  # PostgreSQL: one process at a time migrates
_number = partial(Column, type_=Integer, nullable=False)
_key = partial(Column, type_=Text, primary_key=True)


def _table(name: str, *items: SchemaItem) -> Table:
    return Table(f"satcal_{name}", METADATA, *items)


def _texts(*names: str) -> list[Column[Any]]:
    return [Column(name, Text, nullable=False) for name in names]


def _counted(name: str) -> Column[Any]:
    """Return the column of a primary key that the database counts."""
    return Column(name, Integer, sql.Identity(), primary_key=True)


def _digest() -> Column[Any]:
    return Column("puzzle", Text, ForeignKey("satcal_puzzle.digest"), nullable=False)


migration = _table("migration", _key("name"), *_texts("applied_at"))

# the name is informative: two may share a digest
puzzle = _table("puzzle", _key("digest"), *_texts("name"))

method = _table(
    "method", _counted("id"), *_texts(*Method._fields), UniqueConstraint(*Method._fields)
)

RESULT_KEY = ("puzzle", "conditions", "method", "reveal", "tilings")
result = _table(
    "result",
    _counted("id"),
    _digest(),
    *_texts("reveal", "conditions"),
    Column("method", Integer, ForeignKey("satcal_method.id"), nullable=False),
    *_texts("tilings"),  # decimal digits: counts pass 2^63
    _number("times"),  # how often this number was counted
    *_texts("counted_at", "seal"),  # no logic depends on the time, here and below
    UniqueConstraint(*RESULT_KEY),
)

# the origin is what --board, --pieces and --flip said
board = _table("board", _key("origin"), _digest())

evidence = _table(
    "evidence",
    _counted("id"),
    *_texts("sha256"),  # of the certificate's file
    _digest(),
    *_texts("reveal", "tilings"),
    _number("bytes"),
    *_texts("checked_by", "checked_at", "seal"),  # the checker, with its version
    UniqueConstraint("sha256", "reveal", "checked_by"),
)

posted = _table(
    "posted",
    _key("id"),  # made of the definition
    *_texts("definition", "posted_at"),
    # a digest: whose share it is of what is kept
    Column("owner", Text, nullable=False, server_default=""),
)

job = _table(
    "job",
    _counted("number"),
    Column("id", Text, nullable=False, unique=True),
    *_texts("request", "state"),  # JSON: all that is needed to do it again
    _number("starts"),  # how often it was begun
    *_texts("progress"),  # JSON
    Column("result", Text),  # JSON
    Column("file", sql.LargeBinary),  # what can be downloaded
    Column("error", Text),  # JSON
    *_texts("changed_at"),
)

STEPS: dict[str, list[Table | Column[Any]]] = {
    "1 results": [puzzle, method, result],
    "2 boards and their puzzles": [board],
    "3 evidence": [evidence],
    "4 jobs": [posted, job],
    "5 whose puzzles were posted": [posted.c.owner],
}
"""What each step adds; the names are stored. Who needs another column adds a step."""


def applied(connection: Connection) -> list[str]:
    """Return the names of the steps that a database has seen, sorted."""
    if not inspect(connection).has_table(migration.name):
        return []
    return sorted(connection.execute(sql.select(migration.c.name)).scalars())


def check_known(names: list[str], where: str) -> None:
    """Raise StoreTooNew if a later version of satcal has changed the schema."""
    for name in names:
        if name not in STEPS:
            raise StoreTooNew(
                f"store {where}: made by a newer satcal (it has '{name}'); upgrade satcal, or "
                "choose another store with --store"
            )


def migrate(engine: Engine, when: str) -> None:
    """Take the steps that are missing, in one transaction: all of them or none."""
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")
        known = applied(connection)  # another process may have been here a moment ago
        if set(STEPS) <= set(known):
            return
        migration.create(connection, checkfirst=True)
        for name, additions in STEPS.items():
            if name not in known:
                for addition in additions:
                    _add(connection, addition)
                connection.execute(migration.insert().values(name=name, applied_at=when))
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version = {len(STEPS)}")


def _add(connection: Connection, addition: Table | Column[Any]) -> None:
    if isinstance(addition, Table):
        addition.create(connection)
        return
    table = addition.table.name
    # a table that was made a moment ago has all its columns
    if addition.name not in {column["name"] for column in inspect(connection).get_columns(table)}:
        column = CreateColumn(addition).compile(connection)
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column}")


def seal(*fields: object) -> str:
    """Return what proves that the fields of a row are those that were written.

    A database notices a damaged page, but not a changed digit inside one.
    """
    return hashlib.sha256("\0".join(map(str, fields)).encode()).hexdigest()[:32]
