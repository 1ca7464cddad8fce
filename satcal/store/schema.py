"""The tables as they are after all migrations; :mod:`satcal.store.migrations` makes them.

A result says how many tilings one method counted for one reveal of one puzzle under conditions.
Its key is all but the number: a second, different number is a second row, and a contradiction.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
APPLICATION_ID = 0x7361746B  # "satk", in the header of our SQLite files

migration = Table(
    "satcal_migration",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("applied_at", Text, nullable=False),
)

puzzle = Table(
    "satcal_puzzle",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("name", Text, nullable=False),  # informative: two names may share a digest
)

board = Table(
    "satcal_board",
    METADATA,
    Column("origin", Text, primary_key=True),  # what --board, --pieces and --flip said
    Column("puzzle", Text, ForeignKey("satcal_puzzle.digest"), nullable=False),
)

method = Table(
    "satcal_method",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("encoding", Text, nullable=False),
    Column("solver", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("versions", Text, nullable=False),
    UniqueConstraint("name", "encoding", "solver", "options", "versions"),
)

result = Table(
    "satcal_result",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("puzzle", Text, ForeignKey("satcal_puzzle.digest"), nullable=False),
    Column("reveal", Text, nullable=False),
    Column("conditions", Text, nullable=False),
    Column("method", Integer, ForeignKey("satcal_method.id"), nullable=False),
    Column("tilings", Text, nullable=False),  # decimal digits: counts pass 2^63
    Column("times", Integer, nullable=False),  # how often this number was counted
    Column("counted_at", Text, nullable=False),  # informative: no logic depends on it
    Column("seal", Text, nullable=False),
    UniqueConstraint("puzzle", "conditions", "method", "reveal", "tilings"),
)

evidence = Table(
    "satcal_evidence",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("sha256", Text, nullable=False),  # of the certificate's file
    Column("puzzle", Text, ForeignKey("satcal_puzzle.digest"), nullable=False),
    Column("reveal", Text, nullable=False),
    Column("tilings", Text, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("checked_by", Text, nullable=False),  # the checker, with its version
    Column("checked_at", Text, nullable=False),  # informative
    Column("seal", Text, nullable=False),
    UniqueConstraint("sha256", "reveal", "checked_by"),
)

posted = Table(
    "satcal_posted",
    METADATA,
    Column("id", Text, primary_key=True),  # made of the definition
    Column("definition", Text, nullable=False),
    Column("posted_at", Text, nullable=False),
    Column("owner", Text, nullable=False),  # a digest: whose share it is of what is kept
)

job = Table(
    "satcal_job",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("request", Text, nullable=False),  # JSON: all that is needed to do it again
    Column("state", Text, nullable=False),
    Column("starts", Integer, nullable=False),  # how often it was begun
    Column("progress", Text, nullable=False),  # JSON
    Column("result", Text),  # JSON
    Column("file", LargeBinary),  # what can be downloaded
    Column("error", Text),  # JSON
    Column("changed_at", Text, nullable=False),  # informative
)


def seal(*fields: str) -> str:
    """Return what proves that the fields of a result are those that were written.

    A database notices a damaged page, but not a changed digit inside one.
    """
    return hashlib.sha256("\0".join(fields).encode()).hexdigest()[:32]
