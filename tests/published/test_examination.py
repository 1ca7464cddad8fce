"""Examining claims: tables first, a method in limited time, rows counted again."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from helpers.puzzles import FREE, TINY, domino_rectangle, truth
from satcal.errors import BudgetExhausted
from satcal.published import examination
from satcal.published.examination import chosen_rows
from satcal.published.facts import Sources
from satcal.published.own_tables import CountTable, TableRow, Tables
from tools.tables import write_table

PUZZLE = TINY.load()
CLAIMS = """
source = "somebody"
statement = [
  { id = "1", says = "Feb 1 has none", kind = "minimum", board = "tiny.toml", range = "all-dates", \
    tilings = 0, reveal = "Feb 1" },
  { id = "2", says = "the free board has three", kind = "count", board = "free.toml", tilings = 3, \
    certificate = "free", see = ["counts/free.csv"] },
  { id = "3", says = "all pairs have a tiling", kind = "survey-how-many", board = "tiny.toml", \
    at_least = 1, sets = 66 },
  { id = "4", says = "few may have most", hedge = "who knows", kind = "maximum", \
    board = "tiny.toml", range = "all-reveals" },
  { id = "5", says = "it is beautiful", kind = "open", board = "tiny.toml", \
    needs = "nobody can count that" },
]
"""
TEXT = """\
+ 1    confirmed: Feb 1 has none
       somebody (small)
- 2    refuted: the free board has three
       somebody (small)
       claimed: 3; in fact: 2
       shown by results/counts/free.csv
- 3    refuted: all pairs have a tiling
       somebody (small)
       claimed: 66 sets; in fact: 42 sets (Jan and Feb, Jan and r0c2, Jan and r0c3, …)
= 4    settled: few may have most
       somebody (small)
       in fact: the most is 4 (Jan 1)
       who knows
? 5    undecided: it is beautiful
       somebody (small)
       nobody can count that
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with statements, puzzles, and a table of one of them."""
    (tmp_path / "tiny.toml").write_text(TINY.text())
    (tmp_path / "free.toml").write_text(FREE.text())
    (tmp_path / "claims.toml").write_text(CLAIMS)
    write_table(tmp_path / "counts", "tiny", PUZZLE, truth(TINY), "diagram")
    return tmp_path


@pytest.fixture
def examine(folder: Path, satcal: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable:
    """Examine the statements in this process, with the tables of the folder."""
    monkeypatch.setattr("satcal.counting.count.LocalProcesses", lambda jobs: ThreadPoolExecutor(1))
    monkeypatch.setattr(examination, "results_folder", lambda: folder)
    return partial(satcal, "claims", str(folder / "claims.toml"))


def test_verdicts_as_text_name_source_claim_truth_and_reason(examine: Callable) -> None:
    said = examine()
    assert (said.code, said.out) == (0, TEXT)
    assert said.err.endswith("5 statements: 1 confirmed, 2 refuted, 1 settled, 1 undecided\n")
    said = examine("--quiet", "--strict")
    assert (said.code, said.out, said.err) == (1, TEXT, "")


def test_without_a_table_a_method_answers_and_no_row_is_counted_again(
    examine: Callable, folder: Path
) -> None:
    (folder / "counts" / "manifest.toml").unlink()
    said = examine("--method", "search")
    assert (said.code, said.out) == (0, TEXT)
    assert "recounted" not in said.err


@pytest.mark.parametrize(
    ("method", "recount", "again"),
    [
        ("diagram", "0", {"diagram": 6}),
        ("diagram", "3", {"diagram": 6, "sat": 3}),
        ("sat", "0", {}),
        ("sat", "3", {"sat": 3}),
        ("sat", "all", {"sat": 6}),
    ],
)
def test_a_diagram_counts_all_rows_again_and_sat_as_many_as_were_asked_for(
    method: str, recount: str, again: dict[str, int], examine: Callable
) -> None:
    said = examine("--method", method, "--recount", recount)
    assert (said.code, said.out) == (0, TEXT)
    assert re.findall(r"recounted by (.*)", said.err) == [
        f"{name}, all as in satcal's tables: {rows} of tiny" for name, rows in again.items()
    ]


@pytest.mark.parametrize("method", ["diagram", "sat"])
def test_a_wrong_table_is_believed_until_the_rows_that_decide_are_counted_again(
    method: str, examine: Callable, folder: Path
) -> None:
    (folder / "counts" / "manifest.toml").unlink()
    write_table(folder / "counts", "tiny", PUZZLE, {**truth(TINY), ("Jan", "1"): 5}, "diagram")
    said = examine("--recount", "2", "--method", method)
    assert (said.code, said.out) == (1, TEXT.replace("the most is 4", "the most is 5"))
    assert said.err.endswith(f"error: tiny Jan 1: the table says 5, {method} counts 4\n")


def test_what_there_is_no_time_to_count_is_undecided_and_exit_3_unless_all_is_asked_for(
    examine: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "SECONDS", 0.0)
    late = "small: not counted by sat within 0 seconds; use --recount all\n"
    said = examine("--method", "sat")
    assert said.code == 3
    assert "? 2    undecided: the free board has three\n" in said.out
    assert late in said.out
    assert f"not all rows were counted again: {late}" in said.err
    said = examine("--method", "sat", "--recount", "all")
    assert (said.code, said.out) == (0, TEXT)


def test_rows_are_chosen_alike_in_every_run_and_none_that_takes_sat_minutes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "MOST_TILINGS", 2)
    first = chosen_rows(PUZZLE, [("Jan", "29"), ("Jan", "29")], 4)
    assert first == chosen_rows(PUZZLE, [("Jan", "29")], 4)
    assert (first[0], len(set(first))) == (("Jan", "29"), 4)
    table = Tables(folder / "counts").find(PUZZLE)
    assert set(chosen_rows(PUZZLE, [], 9, table)) == set(truth(TINY)) - {("Jan", "1")}
    free = CountTable("free", "", {frozenset(): TableRow(2, ("sat",))})
    assert chosen_rows(FREE.load(), [], 9, free) == []


def test_a_method_that_runs_out_of_time_says_how_to_go_on(tmp_path: Path) -> None:
    stuck = domino_rectangle(12, 12, corners=False).load()
    source = Sources(Tables(tmp_path), "sat", 0.05, jobs=1)
    for answers in (source.count(stuck, [()]), source.tilings(stuck, ())):
        with pytest.raises(BudgetExhausted, match="use --recount all"):
            list(answers)
