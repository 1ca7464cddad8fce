"""The tables of a store, and the number of this schema.

A result says how many tilings one method counted for one reveal of one puzzle under conditions.
Its key is all but the number: a second, different number is a second row, and a contradiction.
"""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Column, Connection, Engine, ForeignKey, Integer, Table, Text, inspect
from sqlalchemy.schema import SchemaItem, UniqueConstraint

from satcal.store.keys import MethodKey

SCHEMA = 6  # raise it when a table changes, or what is under a key
METADATA = sql.MetaData()
APPLICATION_ID = 0x7361746B  # "satk", in the header of our SQLite files
ADVISORY_LOCK = APPLICATION_ID  # PostgreSQL: one process at a time makes the tables
_number = partial(Column, type_=Integer, nullable=False)
_key = partial(Column, type_=Text, primary_key=True)


def _table(name: str, *items: SchemaItem) -> Table:
    return Table(f"satcal_{name}", METADATA, *items)


def _texts(*names: str) -> list[Column[Any]]:
    return [Column(name, Text, nullable=False) for name in names]


def _counted(name: str) -> Column[Any]:
    """The column of a primary key that the database counts."""
    return Column(name, Integer, sql.Identity(), primary_key=True)


def _digest() -> Column[Any]:
    return Column("puzzle", Text, ForeignKey("satcal_puzzle.digest"), nullable=False)


schema = _table("schema", _number("number"))  # one row

# the name is informative: two may share a digest
puzzle = _table("puzzle", _key("digest"), *_texts("name"))

method = _table(
    "method", _counted("id"), *_texts(*MethodKey._fields), UniqueConstraint(*MethodKey._fields)
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
    *_texts("owner"),  # a digest: whose share it is of what is kept
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


def number_of(connection: Connection) -> int | None:
    """The number of a database's schema; 0 before it had one, None without tables of satcal's."""
    tables = inspect(connection)
    if tables.has_table(schema.name):
        number: int | None = connection.scalar(sql.select(schema.c.number))
        return number
    return 0 if tables.has_table(result.name) else None


def create(engine: Engine) -> None:
    """Make the tables where there are none, in one transaction: all of them or none."""
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")
        if number_of(connection) is not None:
            return  # another process was here a moment ago
        METADATA.create_all(connection, checkfirst=False)
        connection.execute(schema.insert().values(number=SCHEMA))
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def seal(*fields: object) -> str:
    """A digest that proves that the fields of a row are those that were written.

    A database notices a damaged page, but not a changed digit inside one.
    """
    return hashlib.sha256("\0".join(map(str, fields)).encode()).hexdigest()[:32]
