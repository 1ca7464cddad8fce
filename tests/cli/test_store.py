"""``satcal store``, and the store that ``satcal count`` keeps."""

from contextlib import closing

import pytest

from satcal.cli.store import MAX_IMPORT
from satcal.counting.methods import method_named
from satcal.puzzle.loading import load
from satcal.store.counts import Key, read_export, write_export
from satcal.store.opening import open_store

TOLD = "a-puzzle-a-day 2026-10-06"
SMALL = "count small.toml --reveal a --method sat"


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Use a new store in all commands of a test."""
    path = str(tmp_path / "store.sqlite")
    monkeypatch.setenv("SATCAL_STORE", path)
    return path


def key(method="sat", board="a-puzzle-a-day"):
    """Return the key of what a method counts."""
    return Key(load(board).digest, "", method_named(method).key())


def put(where, counts, method="sat"):
    """Store counts of the daily board."""
    with closing(open_store(where)) as opened:
        opened.put(key(method), counts)


def rows(where):
    """Return what is stored."""
    with closing(open_store(where)) as opened:
        return opened.list_rows()


def test_a_stored_count_is_recalled_and_marked(run, url):
    line = f"{SMALL} --store {url}"
    assert [run(line).rows[0]["methods"] for _ in range(2)] == ["sat", "store"]
    assert run(f"{SMALL} --store none").rows[0]["methods"] == "sat"


def test_pieces_on_the_table_are_another_question(run, store):
    place = "--place I:r0c2,r1c2"
    counted = run(f"{SMALL} {place}").rows[0]
    assert (counted["tilings"], run(SMALL).rows[0]["tilings"]) == ("1", "2")
    assert run(f"{SMALL} {place}").rows[0] == counted | {"methods": "store"}
    assert len(rows(store)) == 2


def test_a_comparison_recalls_nothing_from_the_store(run, store):
    for _ in range(2):
        assert run(f"{SMALL},search").rows[0]["methods"] == "sat+search"
    assert len(rows(store)) == 2


def test_a_stored_number_of_other_code_is_not_recalled(run, store):
    with closing(open_store(store)) as opened:
        opened.put(key()._replace(method="sat of another day"), {("Oct", "6"): 7})
    assert run(f"count {TOLD} --method sat").rows[0]["methods"] == "sat"


@pytest.mark.parametrize("method", ["search", "sat"])  # the number of sat is recalled
def test_a_stored_number_that_differs_is_a_disagreement(run, store, method):
    put(store, {("Oct", "6"): 8}, method)
    answer = run(f"count {TOLD} --method sat")
    assert (answer.code, "DISAGREEMENT" in answer.err) == (1, True)
    assert answer.rows[0]["tilings"] == ("7" if method == "search" else "8")


def test_rows_are_listed_by_date(run, store):
    put(store, {("Dec", "25"): 92, ("Oct", "6"): 7, ("Feb", "28"): 1, ("Oct", "17"): 2})
    put(store, {("Oct", "6"): 7}, "search")
    listed = run("store list").rows
    assert [(row["reveal"], row["tilings"]) for row in listed] == [
        ("Feb 28", "1"),
        ("Oct 6", "7"),
        ("Oct 6", "7"),
        ("Oct 17", "2"),
        ("Dec 25", "92"),
    ]
    assert {row["board"] for row in listed} == {"a-puzzle-a-day"}
    assert run("store list rhombus").rows == []
    assert len(run("store list A-Puzzle-A-Day").rows) == 5


def test_an_export_goes_into_another_store(run, store, tmp_path):
    put(store, {("Oct", "6"): 7, ("Dec", "25"): 92})
    file, other = tmp_path / "all.csv", str(tmp_path / "other.sqlite")
    assert run(f"store export -o {file}").code == 0
    assert run("store export").out == file.read_text()
    assert file.stat().st_size * 500_000 < MAX_IMPORT  # a million rows
    for new in ("2 of 2", "0 of 2"):
        assert new in run(f"store import {file} --store {other}").out
    assert rows(other) == rows(store)
    assert run(f"store export rhombus -o {tmp_path}/none.csv").code == 0
    assert read_export((tmp_path / "none.csv").read_text()) == []


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        ({"tilings": 8}, 1, "shipped"),
        ({"reveal": "32 Oct"}, 2, "32 Oct"),
        ({"question": "r0c0x8", "tilings": 8}, 0, ""),
        ({"puzzle": "cd" * 32, "tilings": 8}, 0, ""),
    ],
)
def test_a_sealed_export_is_compared_with_shipped_tables(run, store, tmp_path, change, code, word):
    put(store, {("Oct", "6"): 7})
    row = rows(store)[0]._replace(**change)
    (tmp_path / "sealed.csv").write_text(write_export([row]))
    answer = run(f"store import {tmp_path}/sealed.csv --store {tmp_path}/new.sqlite")
    assert (answer.code, word in answer.err) == (code, True)
    assert (tmp_path / "new.sqlite").exists() == (code == 0)


def test_rows_are_removed_by_board(run, refused, store):
    put(store, {("Oct", "6"): 7})
    refused("store clear", 2, "--all")
    refused("store clear rhombus --all", 2, "--all")
    assert "0 counts removed" in run("store clear rhombus").out
    assert "1 count removed" in run("store clear a-puzzle-a-day").out
    assert rows(store) == []
