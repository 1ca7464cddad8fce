"""The tables that satcal ships, as rows that a store's rows are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from satcal.published.own_tables import Tables, results_folder
from satcal.puzzle.loading import load
from satcal.store.keys import MethodKey
from satcal.store.rows import StoredResult

SHIPPED = MethodKey("the shipped table")


def shipped(rows: Iterable[StoredResult]) -> Iterator[StoredResult]:
    """Yield a row of the shipped tables for each question of the rows that they answer.

    Raises as :meth:`satcal.published.own_tables.Tables.find`.
    """
    tables = Tables(results_folder() / "counts")
    boards = {entry.digest: entry.board for entry in tables.entries}
    asked = {row.question for row in rows if row.puzzle in boards and not row.conditions}
    for digest, reveals in groupby(sorted(asked), key=itemgetter(0)):
        table = tables.find(load(boards[digest]))
        known_rows = table.rows if table else {}
        for _, conditions, reveal in reveals:
            row = known_rows.get(frozenset(reveal.split()))
            if row:
                known = (digest, boards[digest], reveal, conditions, *SHIPPED)
                yield StoredResult(*known, row.tilings, 1, "")
