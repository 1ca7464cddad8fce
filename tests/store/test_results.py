"""Results in a store: kept, found again, never overwritten; on SQLite and on PostgreSQL."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable

import pytest
from sqlalchemy import update
from stored import NOON, located

from satcal.errors import StoreDamaged
from satcal.store import schema
from satcal.store.checking import check
from satcal.store.keys import Method
from satcal.store.results import Store
from satcal.store.rows import Filter, StoredResult, from_text, to_text

DIGEST, OTHER = "ab" * 32, "cd" * 32
SAT = Method("sat", "ladder", "cadical195", "lemmas=auto", "satcal 1")
SEARCH = Method("search", versions="satcal 1")


def record(store: Store, counts: dict[str, int], method: Method = SAT, digest: str = DIGEST):
    return store.record(digest, "daily", "", method, counts)


def test_what_is_recorded_is_recalled_under_the_same_key_only(store: Store) -> None:
    assert record(store, {"6 Oct": 7, "1 Dec": 26}) == []
    assert store.recall(DIGEST, "", SAT) == {"6 Oct": [7], "1 Dec": [26]}
    assert store.recall(OTHER, "", SAT) == {}
    assert store.recall(DIGEST, "up to symmetry", SAT) == {}
    for other in (SEARCH, SAT._replace(versions="satcal 2"), SAT._replace(solver="glucose4")):
        assert store.recall(DIGEST, "", other) == {}


def test_numbers_have_no_bound(store: Store) -> None:
    record(store, {"": 10**40 + 1})
    assert store.recall(DIGEST, "", SAT) == {"": [10**40 + 1]}


def test_the_same_number_again_is_one_row_that_was_counted_twice(store: Store) -> None:
    record(store, {"6 Oct": 7})
    record(store, {"6 Oct": 7})
    (row,) = store.rows()
    assert (row.tilings, row.times, row.counted_at) == (7, 2, NOON.isoformat())
    assert check(store).counted_again == 1


def test_a_second_different_number_is_kept_and_reported(store: Store) -> None:
    record(store, {"6 Oct": 7, "1 Dec": 26})
    found = record(store, {"6 Oct": 8, "1 Dec": 26})
    assert [str(each) for each in found] == [
        f"daily 6 Oct: 7 by {SAT}, 8 by {SAT}",
    ]
    assert store.recall(DIGEST, "", SAT)["6 Oct"] == [7, 8]
    assert [str(each) for each in check(store).contradictions] == [str(found[0])]


def test_a_contradiction_among_many_rows_is_found_too(store: Store) -> None:
    many = {str(number): number for number in range(200)}
    record(store, many)
    (found,) = record(store, many | {"150": 3})
    assert found.rows[0].reveal == "150"


def test_two_methods_that_differ_are_a_contradiction_for_the_check(store: Store) -> None:
    record(store, {"6 Oct": 7})
    assert check(store).sound
    assert record(store, {"6 Oct": 8}, SEARCH) == []
    report = check(store)
    assert not report.sound
    assert [row.method for row in report.contradictions[0].rows] == [SAT, SEARCH]


def test_rows_are_chosen_by_puzzle_reveal_method_and_conditions(store: Store) -> None:
    record(store, {"6 Oct": 7, "1 Dec": 26})
    record(store, {"6 Oct": 7}, SEARCH)
    record(store, {"6 Oct": 9}, SAT, OTHER)
    store.record(DIGEST, "daily", "up to symmetry", SAT, {"6 Oct": 3})
    assert len(store.rows()) == 5
    assert len(store.rows(Filter(DIGEST[:6]))) == 4
    assert {row.tilings for row in store.rows(Filter(reveal="1 Dec"))} == {26}
    assert [row.method for row in store.rows(Filter(method="search"))] == [SEARCH]
    assert [row.tilings for row in store.rows(Filter(conditions="up to symmetry"))] == [3]
    assert len(store.rows(limit=2)) == 2
    assert store.remove(Filter(OTHER)) == 1
    assert len(store.rows()) == 4


@pytest.mark.parametrize("style", ["csv", "json", "ndjson"])
def test_an_export_comes_back_whole_and_a_second_time_adds_nothing(
    store: Store, style: str
) -> None:
    record(store, {"6 Oct": 7, "": 10**30, 'a,"b': 1})
    record(store, {"6 Oct": 7}, SEARCH)
    rows = store.rows()
    again = from_text(to_text(rows, style), "export")
    assert again == rows
    assert store.insert(again) == (0, [])
    store.remove(Filter(DIGEST))
    assert store.insert(again) == (4, [])
    assert store.rows() == rows
    new, found = store.insert([rows[0]._replace(tilings=5)])
    assert (new, len(found)) == (1, 1)


def test_a_changed_digit_breaks_the_seal_and_nothing_is_believed(store: Store) -> None:
    record(store, {"6 Oct": 7, "1 Dec": 26})
    with store.writing() as connection:
        connection.execute(
            update(schema.result).where(schema.result.c.tilings == "7").values(tilings="9")
        )
    with pytest.raises(StoreDamaged, match="1 rows with a broken seal"):
        store.recall(DIGEST, "", SAT)
    good, bad = store.examine()
    assert [row.tilings for row in good] == [26]
    assert check(store).broken == bad
    assert store.remove(Filter(), bad) == 1
    assert check(store).sound


def test_an_exception_in_a_transaction_leaves_nothing_half_written(store: Store) -> None:
    with pytest.raises(KeyboardInterrupt), store.writing() as connection:
        store.write(connection, [_row("6 Oct", 7)], again=True)
        raise KeyboardInterrupt
    assert store.rows() == []


def _row(reveal: str, tilings: int, method: Method = SAT) -> StoredResult:
    return StoredResult(DIGEST, "daily", reveal, "", method, tilings, 1, NOON.isoformat())


def write_many(where: str, start: int, number: int) -> None:
    """Record so many results of its own, and one that others record too, one commit each."""
    with Store(located(where)) as store:
        for reveal in range(start, start + number):
            record(store, {str(reveal): reveal})
            record(store, {"shared": 1})


def test_two_processes_that_write_at_once_lose_nothing(where: str) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(where, s, 60)) for s in (0, 1000)]
    for writer in writers:  # both find no store, and make it
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0, 0]
    with Store(located(where)) as store:
        found = store.recall(DIGEST, "", SAT)
        assert found == {str(n): [n] for n in [*range(60), *range(1000, 1060)]} | {"shared": [1]}
        (shared,) = store.rows(Filter(reveal="shared"))
        assert shared.times == 120
        assert check(store).sound


def test_a_writer_waits_for_another_instead_of_failing(where: str) -> None:
    with Store(located(where)) as one, Store(located(where)) as other:
        record(one, {"a": 1})
        with one.writing() as connection:
            one.write(connection, [_row("b", 2)], again=True)
            assert other.recall(DIGEST, "", SAT) == {"a": [1]}  # a reader need not wait
        record(other, {"c": 3})
        assert len(one.rows()) == 3


@pytest.mark.long
def test_100_000_rows_are_listed_filtered_and_exported(
    store: Store, record_property: Callable[[str, object], None]
) -> None:
    methods = [SAT._replace(name=name) for name in ("diagram", "sat")]
    for digest in (DIGEST, OTHER):
        for method in methods:
            record(store, {f"{n} day": n for n in range(25_000)}, method, digest)
    spent = {}
    for what, ask in {
        "list": store.rows,
        "filter": lambda: store.rows(Filter(DIGEST, method="sat")),
        "export": lambda: to_text(store.rows(), "csv").splitlines()[1:],
    }.items():
        begun = time.perf_counter()
        spent[what] = (len(ask()), time.perf_counter() - begun)
        record_property(f"{what} of 100,000 rows, seconds", round(spent[what][1], 2))
    print({what: f"{rows:,} rows in {seconds:.2f} s" for what, (rows, seconds) in spent.items()})
    assert [rows for rows, _ in spent.values()] == [100_000, 25_000, 100_000]
