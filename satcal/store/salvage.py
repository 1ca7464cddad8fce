"""Reading what can be read of a file: table by table and without indexes.

A damaged page costs its own rows. One of an index costs none, though SQLite would refuse every
question that it answers by that index.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from satcal.store import schema

_SMALLEST_ROW = 64  # bytes: no file has more rows than this many of them fit into it
_OF_RESULTS = (schema.puzzle, schema.method, schema.result)
_WITHOUT_METHOD = (
    f"SELECT count(*) FROM {schema.result.name} "
    f"WHERE method NOT IN (SELECT id FROM {schema.method.name})"
)
_Rows = list[tuple[object, ...]]


def readable_text(data: bytes) -> str:
    """A text as far as it is one: a damaged one must cost its own row, not the query."""
    return data.decode("utf-8", "replace")


def salvage(source: sqlite3.Connection, copy: sqlite3.Connection) -> list[str]:
    """Copy what can be read into a new store, and return in words what cannot."""
    source.execute("BEGIN")  # all that is read is of one moment
    damage = _complaints(source)
    if not damage and not source.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return []  # nothing is stored yet
    older = number_in(source) < schema.SCHEMA
    for table in schema.METADATA.sorted_tables:
        if table is schema.schema or (older and table not in _OF_RESULTS):
            continue
        names = ", ".join(column.name for column in table.columns)
        marks = ", ".join("?" for _ in table.columns)
        try:
            rows, lost = _readable(source, f"{names} FROM {table.name} NOT INDEXED", table.name)
        except sqlite3.DatabaseError as error:
            damage.append(f"nothing of {table.name} can be read: {error}")
            continue
        # a row that does not fit, such as one without a key, is left out
        adding = f"INSERT OR IGNORE INTO {table.name} ({names}) VALUES ({marks})"
        lost += len(rows) - copy.executemany(adding, rows).rowcount if rows else 0
        if lost:
            damage.append(f"up to {lost:,} rows of {table.name} cannot be read")
    (orphans,) = copy.execute(_WITHOUT_METHOD).fetchone()
    if orphans:
        damage.append(f"{orphans:,} results whose method cannot be read")
    return damage


def _complaints(source: sqlite3.Connection) -> list[str]:
    try:
        found = [str(line) for (line,) in source.execute("PRAGMA integrity_check(20)")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [line for line in found if line != "ok"]


def number_in(source: sqlite3.Connection) -> int:
    """The number of a file's schema, 0 where it has none."""
    try:
        (number,) = source.execute(f"SELECT number FROM {schema.schema.name}").fetchone()
        return int(number)
    except sqlite3.OperationalError:  # no such table
        return 0
    except (sqlite3.DatabaseError, TypeError, ValueError):  # a damaged one
        return schema.SCHEMA


def _readable(source: sqlite3.Connection, what: str, table: str) -> tuple[_Rows, int]:
    """The rows that can be read, and how many cannot; or DatabaseError for a lost table."""
    source.execute(f"SELECT {what} LIMIT 0")
    rows: _Rows = []
    lost = 0
    parts = [_rowids(source, table)]
    while parts:
        part = parts.pop()
        try:
            ends = (part[0], part[-1]) if part else (1, 0)
            rows += source.execute(f"SELECT {what} WHERE rowid BETWEEN ? AND ?", ends).fetchall()
        except sqlite3.DatabaseError:
            middle = len(part) // 2
            if middle:
                parts += [part[middle:], part[:middle]]
            else:
                lost += 1
    return rows, lost


def _rowids(source: sqlite3.Connection, table: str) -> Sequence[int]:
    """The numbers of a table's rows, or all that they may have where nothing says which."""
    try:  # by an index, which knows also the rows of a damaged page
        return sorted(rowid for (rowid,) in source.execute(f"SELECT rowid FROM {table}"))
    except sqlite3.DatabaseError:
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        (size,) = source.execute("PRAGMA page_size").fetchone()
        return range(1, pages * size // _SMALLEST_ROW)
