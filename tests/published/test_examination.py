"""Examining claims: tables first, a method in limited time, rows counted again."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle import FREE, TINY, truth
from published.conftest import write_table
from satcal.cli.claims import format_verdict
from satcal.errors import Disagreement
from satcal.published import examination
from satcal.published.examination import Examination, choose_rows
from satcal.published.reading import load_claims
from satcal.published.shipped import TableRow, shipped_table
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
]
"""
SAID = [
    ["+ 1", "confirmed", "small", "0, Feb 1"],
    ["- 2", "refuted", "It has three.", "somebody", "3; in fact: 2", "results/counts/free.csv"],
    ["- 3", "refuted", "66; in fact: 42 of 66", "39 more"],
    ["= 4", "settled", "4 (Jan 1)", "who knows"],
    ["? 5", "undecided", "nobody can count that"],
]


@pytest.fixture
def folder(tmp_path: Path, tables: Path) -> Path:
    """A folder with statements, puzzles, and a table of one of them."""
    (tmp_path / "tiny.toml").write_text(TINY.text)
    (tmp_path / "free.toml").write_text(FREE.text)
    (tmp_path / "claims.toml").write_text(CLAIMS)
    return tmp_path


def examine(folder: Path, recounts: int | None = 1) -> tuple[Examination, list[Verdict]]:
    """Examine the statements of a folder with its tables; return the verdicts."""
    examination = Examination(recounts, folder / "counts", jobs=1)
    return examination, list(examination.verdicts([load_claims(folder / "claims.toml")]))


@pytest.mark.parametrize("shipped", [True, False])
def test_verdicts_have_source_claim_truth_and_reason(folder, shipped):
    if not shipped:
        (folder / "counts" / "manifest.toml").unlink()
    examination, verdicts = examine(folder)
    for found, words in zip(verdicts, SAID, strict=True):
        text = format_verdict(found.as_fields())
        assert [word for word in words if word not in text] == []
    assert bool(list(examination.recount())) == shipped  # else there is no row to count again


@pytest.mark.parametrize(
    ("recounts", "again"),
    [
        (0, 0),
        (3, 3),
        (None, 6),
    ],
)
def test_a_diagram_counts_all_rows_again_and_sat_as_many_as_were_asked_for(recounts, again, folder):
    examination, _ = examine(folder, recounts)
    assert {method: rows for _, method, rows in examination.recount()} == {
        "diagram": 6,
        "sat": again,
    }


def test_a_wrong_table_is_believed_until_its_rows_are_counted_again(folder):
    write_table(folder / "counts", {**truth(TINY), ("Jan", "1"): 5})
    examination, verdicts = examine(folder)
    assert verdicts[3].truth_in_words == "5 (Jan 1)"
    with pytest.raises(Disagreement, match="Jan 1"):
        list(examination.recount())


def test_rows_are_chosen_alike_in_every_run_and_none_that_takes_sat_minutes(folder, monkeypatch):
    table = shipped_table(PUZZLE, folder / "counts")
    first = choose_rows(PUZZLE, [("Jan", "29"), ("Jan", "29")], 4, table)
    assert first == choose_rows(PUZZLE, [("Jan", "29")], 4, table)
    assert (first[0], len(set(first))) == (("Jan", "29"), 4)
    monkeypatch.setattr(examination, "MAX_TILINGS", 2)
    assert set(choose_rows(PUZZLE, [], 9, table)) == set(truth(TINY)) - {("Jan", "1")}
    assert choose_rows(FREE.load(), [()], 9, {(): TableRow(2, ("sat",))}) == []
