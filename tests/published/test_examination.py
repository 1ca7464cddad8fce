"""Examining claims: tables first, a method in limited time, rows counted again."""

from pathlib import Path

import pytest

from oracle import FREE, TINY, truth
from published.conftest import write_table
from satcal.cli.claims import format_verdict
from satcal.errors import Disagreement
from satcal.published import examination
from satcal.published.evaluating import Lookup
from satcal.published.examination import choose_row, judge_all, recount
from satcal.published.reading import load_claims
from satcal.published.verdicts import Verdict

PUZZLE = TINY.load()
CLAIMS = """
source = "somebody"
statement = [
  { id = "1", says = "Feb 1 has none", board = "tiny.toml", over = "all-dates", fold = "fewest", \
    value = 0, at = "Feb 1" },
  { id = "2", quotation = "It has three.", board = "free.toml", value = 3, \
    see = ["counts/free.csv"] },
  { id = "3", says = "all pairs have a tiling", board = "tiny.toml", over = "cells", \
    fold = "how-many >= 1", value = 66 },
  { id = "4", says = "few may have most", hedge = "who knows", board = "tiny.toml", \
    over = "all-reveals", fold = "most" },
  { id = "5", says = "it is beautiful", board = "tiny.toml", needs = "nobody can count that" },
  { id = "6", says = "it is somewhere else", needs = "its board is not known" },
]
"""
WORDS = [
    ["+ 1", "confirmed", "small", "0, Feb 1"],
    ["- 2", "refuted", "It has three.", "somebody", "3; in fact: 2", "results/counts/free.csv"],
    ["- 3", "refuted", "66; in fact: 42 of 66", "39 more"],
    ["= 4", "settled", "4 (Jan 1)", "who knows"],
    ["? 5", "undecided", "nobody can count that"],
    ["? 6", "undecided", "its board is not known"],
]


@pytest.fixture
def folder(tmp_path: Path, tables: Path) -> Path:
    """A folder with statements, puzzles, and a table of one of them."""
    (tmp_path / "tiny.toml").write_text(TINY.text)
    (tmp_path / "free.toml").write_text(FREE.text)
    (tmp_path / "claims.toml").write_text(CLAIMS)
    return tmp_path


def examine(folder: Path) -> tuple[list[Verdict], Lookup]:
    """Judge the statements of a folder with its tables."""
    lookup = Lookup(jobs=1)
    return judge_all(load_claims([folder / "claims.toml"]), lookup), lookup


@pytest.mark.parametrize("shipped", [True, False])
def test_verdicts_have_source_claim_truth_and_reason(folder, shipped):
    if not shipped:
        (folder / "counts" / "manifest.toml").write_text("")
    verdicts, lookup = examine(folder)
    for found, words in zip(verdicts, WORDS, strict=True):
        text = format_verdict(found.as_fields())
        assert [word for word in words if word not in text] == []
    again = {method: rows for _, method, rows in recount(verdicts, lookup)}
    assert again == ({"diagram": 6, "sat": 1} if shipped else {})


def test_a_wrong_table_is_believed_until_its_rows_are_counted_again(folder):
    write_table(folder / "counts", truth(TINY) | {("Feb", "1"): 5})
    verdicts, lookup = examine(folder)
    assert verdicts[3].truth_in_words == "5 (Feb 1)"
    with pytest.raises(Disagreement, match="Feb 1"):
        list(recount(verdicts, lookup))


def test_sat_recounts_an_example_or_the_first_row_but_none_that_takes_minutes(monkeypatch):
    table, examples = truth(TINY), [("Jan", "29"), ("Feb", "1")]
    assert choose_row(PUZZLE, examples, table) == [("Jan", "29")]
    assert choose_row(PUZZLE, [], table) == [("Jan", "1")]
    monkeypatch.setattr(examination, "MAX_TILINGS", 1)
    assert choose_row(PUZZLE, examples, table) == [("Feb", "1")]
    assert choose_row(FREE.load(), [], {(): 0}) == []
