"""What every store has to do, in a file and in a PostgreSQL database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import chain
from typing import Any

import pytest

from helpers.waiting import PATIENCE, until
from satcal.errors import Disagreement, FormatError, StoreDamaged, StoreForeign
from satcal.store.counts import Key, read_export, reveal_key, write_export
from satcal.store.jobs import JobRecord
from satcal.store.opening import Store, open_store

BOARD, OTHER_BOARD = "ab" * 32, "cd" * 32
SAT, SEARCH = Key(BOARD, "", "sat 0123"), Key(BOARD, "", "search 0123")
OCT_6, OCT_7 = ("Oct", "6"), ("Oct", "7")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Open a new store."""
    with closing(open_store(url)) as opened:
        yield opened


def execute(store: Store, statement: str) -> None:
    """Change a store as nobody should."""
    store.transact(lambda cursor: cursor.execute(statement) and None)


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
    def test_a_number_is_known_under_its_own_key_only(self, store, field):
        other = {"puzzle": OTHER_BOARD, "question": "r0c0x8", "method": "sat 4567"}
        store.put(SAT, {OCT_6: 7})
        assert store.recall(SAT._replace(**{field: other[field]}), [OCT_6]) == {}

    def test_a_number_that_is_counted_again_is_one_row(self, store):
        for _ in range(3):
            assert store.put(SAT, {OCT_6: 7}) == []
            assert [row.tilings for row in store.list_rows()] == [7]

    def test_another_number_is_reported_and_replaces_nothing(self, store):
        store.put(SAT, {OCT_6: 7, OCT_7: 92})
        assert len(store.put(SAT, {OCT_6: 8, OCT_7: 92})) == 1
        assert store.recall(SAT, [OCT_6, OCT_7]) == {OCT_6: 7, OCT_7: 92}

    def test_another_method_may_contradict(self, store):
        store.put(SAT, {OCT_6: 7})
        (sentence,) = store.put(SEARCH, {OCT_6: 8})
        assert "search 0123" in sentence

    def test_other_pieces_on_the_table_do_not_contradict(self, store):
        store.put(SAT, {OCT_6: 7})
        assert store.put(SAT._replace(question="r0c0x8"), {OCT_6: 3}) == []

    def test_rows_are_listed_and_cleared_by_puzzle(self, store):
        store.put(SAT, {OCT_6: 7, OCT_7: 92})
        store.put(SAT._replace(puzzle=OTHER_BOARD), {OCT_6: 1})
        assert [row.tilings for row in store.list_rows(BOARD)] == [7, 92]
        assert (store.clear(BOARD), store.clear(BOARD), store.clear()) == (2, 0, 1)
        assert store.list_rows() == []

    def test_what_interrupts_a_transaction_leaves_nothing(self, store):
        with pytest.raises(KeyboardInterrupt):
            store.transact(interrupted)
        assert store.jobs() == []
        store.put(SAT, {OCT_6: 7})

    def test_what_was_stored_is_there_after_it_is_opened_again(self, url):
        with closing(open_store(url)) as first:
            first.put(SAT, {OCT_6: 7})
        with closing(open_store(url)) as again:
            assert again.recall(SAT, [OCT_6]) == {OCT_6: 7}

    def test_two_writers_at_once_lose_nothing_and_see_each_other(self, url):
        with closing(open_store(url)) as first, closing(open_store(url)) as second:
            threads = threading.Barrier(2, timeout=PATIENCE)

            def write(store: Store, key: Key, tilings: int) -> list[str]:
                threads.wait()
                texts = [store.put(key, {("day", str(n)): tilings}) for n in range(20)]
                return [*chain(*texts)]

            with ThreadPoolExecutor(2) as pool:
                found = [*pool.map(write, (first, second), (SAT, SEARCH), (1, 2))]
            assert len(first.list_rows()) == 40
        assert len([*chain(*found)]) == 20  # whoever came second

    @pytest.mark.needs("postgres")
    def test_a_writer_waits_for_another_that_has_begun_and_sees_its_rows(
        self, database, monkeypatch
    ):
        url, other = database.new_schema(), list[Future[list[str]]]()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        with (
            closing(open_store(url)) as first,
            closing(open_store(url)) as second,
            closing(open_store(url)) as looker,
            ThreadPoolExecutor(1) as pool,
        ):

            def is_waiting() -> bool:
                return bool(looker.transact(lambda cursor: cursor.execute(waiting).fetchone()[0]))

            real = first.select

            def select_late(*asked: Any) -> Any:
                other.append(pool.submit(second.put, SEARCH, {OCT_7: 8, OCT_6: 8}))
                until(lambda: is_waiting() or other[0].done())
                return real(*asked)

            monkeypatch.setattr(first, "select", select_late)  # its row is written by then
            assert first.put(SAT, {OCT_6: 7}) == []
            assert len(other[0].result(PATIENCE)) == 1

    def test_those_who_open_a_new_store_at_once_all_write(self, url):
        threads = threading.Barrier(4, timeout=PATIENCE)

        def write(number: int) -> None:
            threads.wait()
            with closing(open_store(url)) as store:
                store.put(SAT, {("day", str(number)): 7})

        with ThreadPoolExecutor(4) as pool:
            assert [*pool.map(write, range(4))] == [None] * 4
        with closing(open_store(url)) as store:
            assert len(store.list_rows()) == 4

    @pytest.mark.parametrize(
        "change", ["tilings = '8'", "seal = 'x'", "reveal = '7 Oct'", "method = 'sat 4567'"]
    )
    def test_a_changed_row_is_not_believed(self, url, change):
        store = open_store(url)
        store.put(SAT, {OCT_6: 7})
        execute(store, f"UPDATE satcal_result SET {change}")
        with pytest.raises(StoreDamaged):
            store.list_rows()
        store.close()


def interrupted(cursor: object) -> None:
    """Write a job, and be interrupted."""
    cursor.execute(  # type: ignore[attr-defined]
        "INSERT INTO satcal_job (id, request, state, result, created_at)"
        " VALUES ('a', '{}', 'queued', '', '')"
    )
    raise KeyboardInterrupt


class TestExports:
    """Exports go from one store into another, or not at all."""

    def export(self, store: Store) -> str:
        """Return the export of a store with two rows, one of them beyond 64 bits."""
        store.put(SAT, {OCT_6: 7, ("木", "12月"): 10**25})
        return write_export(store.list_rows())

    def test_an_export_is_imported_once(self, store):
        rows = read_export(self.export(store))
        assert store.import_rows(rows) == 0
        store.clear()
        assert store.import_rows(rows) == 2
        assert store.list_rows() == rows

    def test_the_same_rows_are_the_same_bytes(self, store):
        assert self.export(store) == self.export(store)

    def test_every_changed_character_and_every_cut_is_refused(self, store):
        text = self.export(store)
        for at in range(len(text)):
            changed = text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]
            with pytest.raises(FormatError):
                read_export(changed)
        for end in range(len(text) - 1):
            with pytest.raises(FormatError):
                read_export(text[:end])

    def test_a_row_that_contradicts_stops_the_whole_import(self, store):
        rows = read_export(self.export(store))
        store.clear()
        store.put(SEARCH, {OCT_6: 8})
        with pytest.raises(Disagreement):
            store.import_rows(rows)
        assert [row.tilings for row in store.list_rows()] == [8]

    @pytest.mark.parametrize(
        "change",
        [
            {"puzzle": "ab"},
            {"tilings": -1},
            {"tilings": "07"},
            {"reveal": "a\nb"},
            {"method": ""},
            {"counted_at": "now"},
        ],
    )
    def test_a_sealed_row_that_no_export_writes_is_refused(self, store, change):
        (row, _) = read_export(self.export(store))
        with pytest.raises(FormatError):
            read_export(write_export([row._replace(**change)]))  # type: ignore[arg-type]


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
                execute(store, f"COMMENT ON TABLE satcal_result IS {comment}")
            else:
                execute(store, f"PRAGMA {pragma}")
        with pytest.raises(StoreForeign):
            open_store(url)
        served = run(f"serve --port 0 --store {url}")
        assert (served.code, url.partition("?")[0] in served.err) == (2, True)


@pytest.mark.parametrize(
    ("reveal", "text"), [((), ""), (OCT_6, "6 Oct"), (("Thu", "Oct", "6"), "6 Oct Thu")]
)
def test_a_reveal_has_one_text(reveal, text):
    assert reveal_key(reveal) == reveal_key(reveal[::-1]) == text
