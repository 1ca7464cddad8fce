"""Results and evidence: kept, found again, never overwritten."""

from __future__ import annotations

import multiprocessing
import re
from multiprocessing.synchronize import Barrier

import pytest
from sqlalchemy import select, update

from helpers.certificates import five
from helpers.stores import BOTH, DIGEST, NOON, SAT, believed, located
from satcal.errors import FormatError
from satcal.store import schema
from satcal.store.checking import check_store
from satcal.store.evidence import evidence, record_evidence
from satcal.store.keys import MethodKey
from satcal.store.results import Store
from satcal.store.rows import FIELDS, Filter, StoredResult, from_text, to_text

OTHER = "cd" * 32
SEARCH = MethodKey("search", versions="satcal 1")


def record(store: Store, counts: dict[str, int], method: MethodKey = SAT, digest: str = DIGEST):
    return store.record(digest, "daily", "", method, counts)


def result(reveal: str, tilings: int) -> StoredResult:
    return StoredResult(DIGEST, "daily", reveal, "", *SAT, tilings, 1, NOON.isoformat())


@BOTH
def test_what_is_recorded_is_recalled_under_the_same_key_only(store):
    assert record(store, {"6 Oct": 7, "": 10**40 + 1}) == []
    assert store.recall(DIGEST, "", SAT) == {"6 Oct": [7], "": [10**40 + 1]}
    assert store.recall(OTHER, "", SAT) == store.recall(DIGEST, "up to symmetry", SAT) == {}
    for other in (SEARCH, SAT._replace(versions="satcal 2"), SAT._replace(solver="glucose4")):
        assert store.recall(DIGEST, "", other) == {}
    record(store, {"6 Oct": 7})  # is one row that was counted twice
    assert store.rows()[1:] == [result("6 Oct", 7)._replace(times=2)]
    assert check_store(store).counted_again == 1


@BOTH
def test_a_different_number_is_kept_and_reported_whoever_counted_it(store):
    many = {str(number): number for number in range(200)}
    record(store, many)
    assert check_store(store).sound
    (contradiction,) = record(store, many | {"150": 3})
    assert contradiction == f"daily 150: 150 by {SAT}, 3 by {SAT}"
    assert store.recall(DIGEST, "", SAT)["150"] == [150, 3]
    assert record(store, {"7": 8}, SEARCH) == []  # of another method the check alone can tell
    report = check_store(store)
    assert report.contradictions == [contradiction, f"daily 7: 7 by {SAT}, 8 by {SEARCH}"]
    assert not report.sound


def test_rows_are_chosen_by_puzzle_reveal_method_and_conditions(store):
    record(store, {"6 Oct": 7, "1 Dec": 26})
    record(store, {"6 Oct": 8}, SEARCH)
    record(store, {"6 Oct": 9}, SAT, OTHER)
    store.record(DIGEST, "daily", "up to symmetry", SAT, {"6 Oct": 3})
    for chosen, tilings in {
        Filter(): [26, 7, 8, 3, 9],
        Filter(DIGEST[:6]): [26, 7, 8, 3],
        Filter(DIGEST, "6 Oct"): [7, 8, 3],
        Filter(method="search"): [8],
        Filter(method=SAT, conditions=""): [26, 7, 9],
    }.items():
        assert [row.tilings for row in store.rows(chosen)] == tilings, chosen
    assert [row.tilings for row in store.rows(limit=2)] == [26, 7]
    others, _ = store.examine(Filter(OTHER))
    store.remove(others)
    assert [row.tilings for row in store.rows()] == [26, 7, 8, 3]


@pytest.mark.parametrize("style", ["csv", "json", "ndjson"])
def test_an_export_comes_back_whole(style):
    rows = [result("6 Oct", 7), result("", 10**30), result('a,"b', 1), result("a\u2028b", 1)]
    text = to_text(rows, style)
    assert from_text(text, "export") == from_text(text.replace("\n", "\r\n"), "export") == rows
    assert from_text("", "x") == from_text(",".join(FIELDS), "x") == []


GOOD = to_text([result("6 Oct", 7)], "csv")
FIELDS_ARE = ": its fields are not puzzle,board,reveal,conditions,method,"
NO_EXPORT = {
    GOOD.replace("puzzle,board", "board"): "x: line 2" + FIELDS_ARE,
    GOOD.replace(",7,1,", ",7.5,1,"): "x: line 2: tilings '7.5' is not as an export writes it",
    GOOD.replace(",7,1,", ",7,0,"): "x: line 2: times '0' is not",
    GOOD.replace(",sat,", ",,"): "x: line 2: method '' is not",
    GOOD.replace(DIGEST, "xy"): "x: line 2: puzzle 'xy' is not",
    "[\n1,\n}": "x: line 3: not JSON: ",
    "[1]": "x: entry 1" + FIELDS_ARE,
    "[" * 200_000: "x: from line 1 on: not JSON: nested too deeply; export it again",
    '{"puzzle": "a"}\n' + '{"puzzle":' * 5000: "x: line 1" + FIELDS_ARE,
    '[{"puzzle": ' + "1" * 5000 + "}]": "x: entry 1" + FIELDS_ARE,
    "puzzle,board\n" + 'a,"' + "b" * 200_000: "x: line 2: not CSV: field larger than field",
    "puzzle,board\n\na,b\n": "x: line 3" + FIELDS_ARE,
    to_text([result("\ud800", 1)], "json"): "x: entry 1: reveal is not a string; export it again",
}


@pytest.mark.parametrize(("text", "message"), NO_EXPORT.items(), ids=range(len(NO_EXPORT)))
def test_a_text_that_no_export_wrote_is_refused_with_its_place(text, message):
    with pytest.raises(FormatError, match="^" + re.escape(message)):
        from_text(text, "x")


@pytest.mark.promise("an exception or signal inside a transaction")
@BOTH
def test_an_exception_in_a_transaction_leaves_nothing_half_written(store):
    with pytest.raises(KeyboardInterrupt), store.writing() as connection:
        store.add(connection, schema.puzzle, [{"digest": OTHER, "name": "other"}])
        raise KeyboardInterrupt
    with store.reading() as connection:
        assert connection.execute(select(schema.puzzle)).all() == []


def write_many(where: str, first: int, together: Barrier) -> None:
    """Record results of its own, and one that others record too."""
    together.wait(120)
    with Store(located(where)) as store:
        for reveal in range(first, first + 15):
            record(store, {str(reveal): reveal})
            record(store, {"shared": 1})


@pytest.mark.promise("another process's lock")
@BOTH
def test_two_processes_that_write_at_once_lose_nothing(where):
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(2)
    other = context.Process(target=write_many, args=(where, 1000, together))
    other.start()
    write_many(where, 0, together)  # both find no store, and make it
    other.join(120)
    assert other.exitcode == 0
    rows = {row.reveal: (row.tilings, row.times) for row in believed(where)}
    own = {str(number): (number, 1) for number in [*range(15), *range(1000, 1015)]}
    assert rows == own | {"shared": (1, 30)}


@BOTH
def test_a_reader_need_not_wait_for_a_writer(where):
    with Store(located(where)) as one, Store(located(where)) as other:
        record(one, {"a": 1})
        with one.writing() as connection:
            one.add(connection, schema.puzzle, [{"digest": OTHER, "name": "other"}])
            assert other.recall(DIGEST, "", SAT) == {"a": [1]}


PROVED = {("a", "1"): 29}


def test_evidence_is_kept_once_for_each_file_and_checker(store):
    for by in ("satcal 1", "satcal 1", "drat-trim"):
        record_evidence(store, five(), PROVED, DIGEST, 5, by)
    rows, broken = evidence(store)
    for row, by in zip(rows, ("drat-trim", "satcal 1"), strict=True):
        assert row[2:7] == ("five", "1 a", 29, 5, by)
    assert (broken, check_store(store).evidence, check_store(store).sound) == (0, 2, True)
    store.record(five().digest, "five", "", SAT, {"1 a": 28})
    assert check_store(store).contradictions == [
        f"five 1 a: 29 by certificate, 29 by certificate, 28 by {SAT}"
    ]


@pytest.mark.parametrize("damage", [{"tilings": "30"}, {"seal": "x"}, {"checked_by": "nobody"}])
def test_damaged_evidence_is_not_believed(store, damage):
    record_evidence(store, five(), PROVED, DIGEST, 5, "drat-trim")
    with store.writing() as connection:
        connection.execute(update(schema.evidence).values(**damage))
    assert evidence(store) == ([], 1)
    assert check_store(store).damage == ["1 rows of evidence with a broken seal"]
