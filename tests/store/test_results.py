"""Results in a store: kept, found again, never overwritten; on SQLite and on PostgreSQL."""

from __future__ import annotations

import multiprocessing

import pytest
from sqlalchemy import update
from stored import DIGEST, NOON, SAT, located

from satcal.errors import FormatError, StoreDamaged
from satcal.store import schema
from satcal.store.checking import check
from satcal.store.keys import Method
from satcal.store.results import Store
from satcal.store.rows import FIELDS, Filter, StoredResult, from_text, to_text

OTHER = "cd" * 32
SEARCH = Method("search", versions="satcal 1")


def record(store: Store, counts: dict[str, int], method: Method = SAT, digest: str = DIGEST):
    return store.record(digest, "daily", "", method, counts)


def result(reveal: str, tilings: int) -> StoredResult:
    return StoredResult(DIGEST, "daily", reveal, "", *SAT, tilings, 1, NOON.isoformat())


def test_what_is_recorded_is_recalled_under_the_same_key_only(store: Store) -> None:
    assert record(store, {"6 Oct": 7, "": 10**40 + 1}) == []
    assert store.recall(DIGEST, "", SAT) == {"6 Oct": [7], "": [10**40 + 1]}
    assert store.recall(OTHER, "", SAT) == store.recall(DIGEST, "up to symmetry", SAT) == {}
    for other in (SEARCH, SAT._replace(versions="satcal 2"), SAT._replace(solver="glucose4")):
        assert store.recall(DIGEST, "", other) == {}


def test_the_same_number_again_is_one_row_that_was_counted_twice(store: Store) -> None:
    record(store, {"6 Oct": 7})
    record(store, {"6 Oct": 7})
    assert store.rows() == [result("6 Oct", 7)._replace(times=2)]
    assert check(store).counted_again == 1


def test_a_different_number_is_kept_and_reported_whoever_counted_it(store: Store) -> None:
    many = {str(number): number for number in range(200)}
    record(store, many)
    assert check(store).sound
    (contradiction,) = record(store, many | {"150": 3})
    assert contradiction == f"daily 150: 150 by {SAT}, 3 by {SAT}"
    assert store.recall(DIGEST, "", SAT)["150"] == [150, 3]
    assert record(store, {"7": 8}, SEARCH) == []  # of another method the check alone can tell
    report = check(store)
    assert report.contradictions == [contradiction, f"daily 7: 7 by {SAT}, 8 by {SEARCH}"]
    assert not report.sound


def test_rows_are_chosen_by_puzzle_reveal_method_and_conditions(store: Store) -> None:
    record(store, {"6 Oct": 7, "1 Dec": 26})
    record(store, {"6 Oct": 7}, SEARCH)
    record(store, {"6 Oct": 9}, SAT, OTHER)
    store.record(DIGEST, "daily", "up to symmetry", SAT, {"6 Oct": 3})
    for chosen, tilings in {
        Filter(): [26, 7, 7, 3, 9],
        Filter(DIGEST[:6]): [26, 7, 7, 3],
        Filter(DIGEST): [26, 7, 7, 3],
        Filter(reveal="1 Dec"): [26],
        Filter(method="search"): [7],
        Filter(method=SAT, reveal="6 Oct"): [7, 3, 9],
        Filter(conditions="up to symmetry"): [3],
    }.items():
        assert [row.tilings for row in store.rows(chosen)] == tilings, chosen
    assert len(store.rows(limit=2)) == 2
    assert store.remove(Filter(OTHER)) == 1
    assert len(store.rows()) == 4


@pytest.mark.parametrize("style", ["csv", "json", "ndjson"])
def test_an_export_comes_back_whole(style: str) -> None:
    rows = [result("6 Oct", 7), result("", 10**30), result('a,"b', 1), result("a\u2028b", 1)]
    text = to_text(rows, style)
    assert from_text(text, "export") == from_text(text.replace("\n", "\r\n"), "export") == rows
    assert from_text("", "x") == from_text(",".join(FIELDS), "x") == []


GOOD = to_text([result("6 Oct", 7)], "csv")
OTHER_FIELDS = ": its fields are not puzzle,board,reveal,conditions,method,"
NO_EXPORT = [
    (GOOD.replace("puzzle,board", "board"), "x: line 2" + OTHER_FIELDS),
    (GOOD.replace(",7,1,", ",7.5,1,"), "x: line 2: tilings '7.5' is not as an export writes it"),
    (GOOD.replace(",7,1,", ",7,0,"), "x: line 2: times '0' is not"),
    (GOOD.replace(",sat,", ",,"), "x: line 2: method '' is not"),
    (GOOD.replace(DIGEST, "xy"), "x: line 2: puzzle 'xy' is not"),
    ("{1", "x: line 1: not JSON: "),
    ("[\n1,\n]", "x: line 3: not JSON: "),
    ("[1]", "x: entry 1" + OTHER_FIELDS),
    ("[" * 5000, "x: from line 1 on: not JSON: nested too deeply; export it anew"),
    ('{"puzzle": "a"}\n' + '{"puzzle":' * 5000, "x: line 1" + OTHER_FIELDS),
    ('[{"puzzle": ' + "1" * 5000 + "}]", "x: entry 1" + OTHER_FIELDS),
    ("puzzle,board\n" + 'a,"' + "b" * 200_000, "x: line 2: not CSV: field larger than field"),
    ("puzzle,board\n\na,b\n", "x: line 3" + OTHER_FIELDS),
    (
        to_text([result("", 1)._replace(board="\ud800")], "json"),
        "x: entry 1: board is no text; export it anew",
    ),
]


@pytest.mark.parametrize(("text", "message"), NO_EXPORT, ids=range(len(NO_EXPORT)))
def test_a_text_that_no_export_wrote_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_text(text, "x")
    assert str(caught.value).startswith(message)


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
        store.write(connection, [result("6 Oct", 7)], again=True)
        raise KeyboardInterrupt
    assert store.rows() == []


def write_many(where: str, start: int, number: int) -> None:
    """Record so many results of its own, and one that others record too, one commit each."""
    with Store(located(where)) as store:
        for reveal in range(start, start + number):
            record(store, {str(reveal): reveal})
            record(store, {"shared": 1})


def test_two_processes_that_write_at_once_lose_nothing(where: str) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(where, s, 15)) for s in (0, 1000)]
    for writer in writers:  # both find no store, and make it
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0, 0]
    with Store(located(where)) as store:
        numbers = store.recall(DIGEST, "", SAT)
        assert numbers == {str(n): [n] for n in [*range(15), *range(1000, 1015)]} | {"shared": [1]}
        assert [row.times for row in store.rows(Filter(reveal="shared"))] == [30]
        assert check(store).sound


def test_a_reader_need_not_wait_for_a_writer(where: str) -> None:
    with Store(located(where)) as one, Store(located(where)) as other:
        record(one, {"a": 1})
        with one.writing() as connection:
            one.write(connection, [result("b", 2)], again=True)
            assert other.recall(DIGEST, "", SAT) == {"a": [1]}
