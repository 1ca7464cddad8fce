"""A run's use of a store that may fail: the run loses nothing, and warns once."""

from __future__ import annotations

from contextlib import closing

import pytest

from databases import running_database
from satcal.errors import StoreForeign
from satcal.store.counts import Key
from satcal.store.opening import open_store
from satcal.store.session import StoreSession

KEY = Key("ab" * 32, "", "sat 0123")
OTHER = KEY._replace(method="search 0123")


def run(where: str) -> tuple[StoreSession, list[str]]:
    """Return a session and the list of its warnings."""
    warnings: list[str] = []
    return StoreSession(where, warnings.append), warnings


def put(session: StoreSession, *numbers: int, key: Key = KEY) -> None:
    """Put made-up counts."""
    for number in numbers:
        session.put(key, ("day", str(number)), number)


def stored(where: str) -> list[int]:
    """Return the numbers in a store."""
    with closing(open_store(where)) as store:
        return sorted(row.tilings for row in store.list_rows())


def test_each_count_is_on_the_disk_at_once_and_a_contradiction_is_collected(url):
    session, warnings = run(url)
    put(session, 1, 2)
    assert stored(url) == [1, 2]
    assert session.recall(KEY, [("day", "1"), ("day", "3")]) == {("day", "1"): 1}
    session.put(OTHER, ("day", "1"), 2)
    assert (session.finish(), len(session.contradictions), warnings) == (0, 1, [])


def test_a_store_that_cannot_be_opened_warns_once_and_counts_what_is_lost(tmp_path):
    session, warnings = run(str(tmp_path / "no" / "folder.sqlite"))
    assert session.recall(KEY, [("day", "1")]) == {}
    put(session, 1, 2)
    put(session, 3, key=OTHER)
    assert (session.finish(), session.was_damaged, len(warnings)) == (3, False, 1)


def test_a_file_that_is_removed_during_a_run_loses_what_it_had(tmp_path):
    path = tmp_path / "store.sqlite"
    session, warnings = run(str(path))
    put(session, 1)
    for each in tmp_path.iterdir():
        each.unlink()
    put(session, 2)
    assert (session.finish(), session.was_damaged, len(warnings)) == (0, True, 1)
    assert stored(str(path)) == [2]


def test_a_foreign_file_stops_the_run_before_it_begins(tmp_path):
    (tmp_path / "table.csv").write_text("date,tilings\n")
    session, _ = run(str(tmp_path / "table.csv"))
    with pytest.raises(StoreForeign):
        session.recall(KEY, [("day", "1")])


@pytest.mark.needs("postgres")
def test_a_database_that_goes_away_costs_no_count_that_can_be_stored_later():
    with running_database() as database:
        for returns in (True, False):
            where = database.new_schema()
            session, warnings = run(where)
            put(session, 1)
            database.stop()
            database.start()
            put(session, 2)  # a lost connection is made again without a warning
            assert warnings == []
            database.stop()
            put(session, 3, 4)
            if returns:
                database.start()
            put(session, 5)
            assert (session.finish(), len(warnings)) == (0 if returns else 3, 1)
            if not returns:
                database.start()
            assert stored(where) == ([1, 2, 3, 4, 5] if returns else [1, 2])
