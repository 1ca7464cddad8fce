"""False rows: what a shipped table refutes is found, and no program answers for another."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from helpers.stores import NOON, SAT, located
from satcal.counting.settings import ByVerified, Question
from satcal.errors import Missing
from satcal.puzzle.loading import load
from satcal.store.checking import check_store
from satcal.store.keys import MethodKey
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from satcal.store.rows import StoredResult, to_text

DAILY = load("a-puzzle-a-day")
OCT_6 = ("Oct", "6")
ASKED, VERIFIED = Question(DAILY, [OCT_6]), ByVerified()


def row(tilings: int, by: MethodKey, reveal: str = "6 Oct", conditions: str = "") -> StoredResult:
    when = NOON.isoformat()
    return StoredResult(DAILY.digest, DAILY.name, reveal, conditions, *by, tilings, 1, when)


@pytest.mark.parametrize(
    ("tilings", "by"), [(1234, MethodKey("verified", versions="satcal 0.1.0")), (8, SAT)]
)
def test_an_imported_row_that_a_shipped_table_refutes_is_found(satcal, file, tmp_path, tilings, by):
    lie = tmp_path / "lie.csv"
    lie.write_text(to_text([row(tilings, by)], "csv"))
    for command in (["import", str(lie)], ["check"]):
        said = satcal("store", *command, "--store", str(file))
        assert said.code == 1
        assert (
            f"CONTRADICTION a-puzzle-a-day 6 Oct: 7 by the shipped table, {tilings:,} by {by}"
            in said.err
        )


def test_what_a_shipped_table_does_not_answer_contradicts_nothing(file):
    rows = [
        row(7, SAT),
        row(3, SAT, conditions="up to symmetry"),
        row(3, SAT, reveal="6 Oct Mon"),
        row(3, SAT)._replace(puzzle="ab" * 32),
    ]
    with Store(located(file)) as store:
        assert store.insert(rows) == (4, [])
        assert check_store(store).sound


@pytest.fixture
def keeper(file):
    with Store(located(file)) as store:
        store.insert([row(1234, MethodKey("verified", versions="satcal 0.1.0"))])
    with closing(Keeper(located(file))) as opened:
        yield opened


def program(path: Path) -> str:
    """A program that differs from others by its name alone."""
    path.write_text(f"#!/bin/sh\necho {path.name}\n")
    path.chmod(0o755)
    return str(path)


def test_a_row_that_names_no_program_is_not_recalled(keeper, tmp_path, monkeypatch):
    monkeypatch.setenv("SATCAL_VERIFIED", program(tmp_path / "true"))
    assert keeper.recall(ASKED, VERIFIED) == {}


def test_what_another_program_counted_is_not_recalled(keeper, tmp_path, monkeypatch):
    recalled = []
    for name in ("fake", "true", "fake"):
        monkeypatch.setenv("SATCAL_VERIFIED", program(tmp_path / name))
        recalled.append(keeper.recall(ASKED, VERIFIED))
        keeper.record(ASKED, VERIFIED, {OCT_6: 7})
    assert recalled == [{}, {}, {OCT_6: 7}]


def test_without_the_program_nothing_is_recalled(keeper, monkeypatch):
    monkeypatch.setenv("SATCAL_VERIFIED", "/nowhere/satcal-verified")
    with pytest.raises(Missing):
        keeper.recall(ASKED, VERIFIED)
