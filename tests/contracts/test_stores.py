"""What every store has to do, in a file and in a PostgreSQL database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from helpers.waiting import PATIENCE, until
from satcal.errors import Disagreement, FormatError, StoreDamaged, StoreForeign
from satcal.store.counts import Key, StoredCount, read_export, write_export
from satcal.store.jobs import JobRecord
from satcal.store.opening import Store, open_store

BOARD, OTHER_BOARD = "ab" * 32, "cd" * 32
SAT, SEARCH = Key(BOARD, "", "sat 0123"), Key(BOARD, "", "search 0123")
OCT_6, OCT_7 = ("Oct", "6"), ("Oct", "7")
ROWS = [
    StoredCount(BOARD, "", reveal, "sat 0123", tilings, "2026-10-06T12:00:00+00:00")
    for reveal, tilings in (("12月 木", 10**25), ("6 Oct", 7))  # a number beyond 64 bits
]
EXPORT = write_export(ROWS)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Open a new store."""
    with closing(open_store(url)) as opened:
        yield opened


class TestResults:
    """Finished counts."""

    @pytest.mark.parametrize("number", [0, 1, 2**63 - 1, 2**63, 2**64, 10**60 - 1])
    def test_a_number_of_any_size_comes_back(self, store, number):
        assert store.put(SAT, {OCT_6: number}) == []
        assert store.recall(SAT, [OCT_6, OCT_7]) == {OCT_6: number}

    @pytest.mark.parametrize("reveal", [(), OCT_6, ("木", "12月"), ('a"b',), ("x" * 200,)])
    def test_a_reveal_of_any_name_comes_back(self, store, reveal):
        store.put(SAT, {reveal: 0})
        assert store.recall(SAT, [reveal]) == {reveal: 0}

    def test_the_order_of_labels_means_nothing(self, store):
        store.put(SAT, {OCT_6: 7})
        assert store.recall(SAT, [("6", "Oct")]) == {("6", "Oct"): 7}

    @pytest.mark.parametrize("field", Key._fields)
    def test_each_field_makes_another_key_and_only_another_method_contradicts(self, store, field):
        other = {"puzzle": OTHER_BOARD, "question": "r0c0x8", "method": "sat 4567"}
        key = SAT._replace(**{field: other[field]})
        store.put(SAT, {OCT_6: 7})
        assert store.recall(key, [OCT_6]) == {}
        assert len(store.put(key, {OCT_6: 8})) == (field == "method")

    def test_another_number_is_reported_and_replaces_nothing(self, store):
        store.put(SAT, {OCT_6: 7, OCT_7: 92})
        assert len(store.put(SAT, {OCT_6: 8, OCT_7: 92})) == 1
        assert store.recall(SAT, [OCT_6, OCT_7]) == {OCT_6: 7, OCT_7: 92}

    def test_rows_are_listed_and_cleared_by_puzzle(self, store):
        store.put(SAT, {OCT_6: 7, OCT_7: 92})
        store.put(SAT._replace(puzzle=OTHER_BOARD), {OCT_6: 1})
        assert [row.tilings for row in store.list_rows(BOARD)] == [7, 92]
        assert (store.clear(BOARD), store.clear(BOARD), store.clear()) == (2, 0, 1)
        assert store.list_rows() == []

    def test_what_interrupts_a_transaction_leaves_nothing(self, store, monkeypatch):
        def interrupt(*_: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(store, "select", interrupt)  # the row is written by then
            store.put(SAT, {OCT_6: 7})
        assert store.put(SEARCH, {OCT_6: 8}) == []

    def test_writers_that_open_a_new_store_at_once_lose_nothing_and_see_each_other(self, url):
        threads = threading.Barrier(4, timeout=PATIENCE)

        def write(number: int) -> int:
            threads.wait()
            with closing(open_store(url)) as store:
                key = SAT._replace(method=f"sat {number}")
                return sum(len(store.put(key, {("day", str(n)): number})) for n in range(20))

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(write, range(4))) == 20 * (1 + 2 + 3)
        with closing(open_store(url)) as store:
            assert len(store.list_rows()) == 4 * 20

    @pytest.mark.needs("postgres")
    def test_a_writer_waits_for_another_that_has_begun_and_sees_its_rows(
        self, database, monkeypatch
    ):
        url, other = database.new_schema(), list[Future[list[str]]]()
        waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
        with (
            closing(open_store(url)) as first,
            closing(open_store(url)) as second,
            closing(open_store(url)) as looker,
            ThreadPoolExecutor(1) as pool,
        ):
            real = first.select

            def select_late(*arguments: Any) -> Any:
                other.append(pool.submit(second.put, SEARCH, {OCT_7: 8, OCT_6: 8}))
                until(lambda: looker.execute(waiting) or other[0].done())
                return real(*arguments)

            monkeypatch.setattr(first, "select", select_late)  # its row is written by then
            assert first.put(SAT, {OCT_6: 7}) == []
            assert len(other[0].result(PATIENCE)) == 1

    def test_a_row_with_any_column_changed_is_not_believed(self, store):
        for column in (*StoredCount._fields, "seal"):
            store.put(SAT, {OCT_6: 7})
            store.execute(f"UPDATE satcal_result SET {column} = '8'")
            with pytest.raises(StoreDamaged):
                store.list_rows()
            store.clear()


class TestExports:
    """Exports go from one store into another, or not at all."""

    def test_an_export_is_imported_once(self, store):
        assert [store.import_rows(read_export(EXPORT)) for _ in range(2)] == [2, 0]
        assert store.list_rows() == ROWS

    def test_a_row_that_contradicts_stops_the_whole_import(self, store):
        store.put(SEARCH, {OCT_6: 8})
        with pytest.raises(Disagreement):
            store.import_rows(ROWS)
        assert [row.tilings for row in store.list_rows()] == [8]


def test_every_changed_character_and_every_cut_of_an_export_is_refused():
    for at, character in enumerate(EXPORT):
        changed = EXPORT[:at] + ("1" if character != "1" else "2") + EXPORT[at + 1 :]
        with pytest.raises(FormatError):
            read_export(changed)
    for end in range(len(EXPORT) - 1):
        with pytest.raises(FormatError):
            read_export(EXPORT[:end])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("puzzle", "ab"),
        ("question", "é"),
        ("reveal", "a\nb"),
        ("method", ""),
        ("tilings", "07"),
        ("counted_at", "now"),
    ],
)
def test_a_sealed_row_that_no_export_writes_is_refused(field, value):
    with pytest.raises(FormatError):
        read_export(write_export([ROWS[0]._replace(**{field: value})]))


class TestJobs:
    """The service's jobs."""

    def test_a_job_is_kept_changed_and_removed(self, store):
        first, second = JobRecord("b", "{}", created_at="1"), JobRecord("a", "{}", created_at="2")
        for job in (second, first, first._replace(state="done", result="{}", request="[]")):
            store.save_job(job)
        assert store.jobs() == [JobRecord("b", "[]", "done", "{}", "1"), second]
        store.remove_job("b")
        assert store.jobs() == [second]

    def test_only_one_server_claims_a_store(self, url):
        with closing(open_store(url)) as one, closing(open_store(url)) as other:
            end = one.reserve()
            assert end and other.reserve() is None
            end()
            until(other.reserve)()  # a database takes a moment to notice


class TestStrangers:
    """What this version of satcal has not made."""

    @pytest.mark.parametrize(
        ("comment", "pragma"),
        [("'satcal store, schema 6'", "user_version = 6"), ("NULL", "application_id = 0")],
    )
    def test_another_version_and_a_foreign_table_are_refused(self, url, run, comment, pragma):
        with closing(open_store(url)) as store:
            if url.startswith("postgresql"):
                store.execute(f"COMMENT ON TABLE satcal_result IS {comment}")
            else:
                store.execute(f"PRAGMA {pragma}")
        with pytest.raises(StoreForeign):
            open_store(url)
        served = run(f"serve --port 0 --store {url}")
        assert (served.code, url.partition("?")[0] in served.err) == (2, True)
