"""Every number that anybody gets is compared with the shipped table, where that has it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import satcal
from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.errors import Disagreement
from satcal.published import own_tables
from satcal.puzzle.ranges import Range
from satcal.service.answers import Page, Slices, TableAsked

OCT_6 = ("Oct", "6")


@pytest.fixture
def other_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table in which 6 October has one tiling more."""
    counts = shutil.copytree(own_tables.results_folder() / "counts", tmp_path / "counts")
    for name, old, new in [
        ("a-puzzle-a-day.csv", "\nOct,6,7,", "\nOct,6,8,"),
        ("manifest.toml", "25061", "25062"),
    ]:
        text = (counts / name).read_text()
        assert old in text
        (counts / name).write_text(text.replace(old, new))
    monkeypatch.setattr(own_tables, "results_folder", lambda: tmp_path)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: satcal.count("a-puzzle-a-day", "Oct 6"),
        lambda: satcal.count_all("a-puzzle-a-day"),
        lambda: satcal.table("a-puzzle-a-day", 2025),
        lambda: answered(Page(OCT_6, (), 0)),
        lambda: answered(TableAsked("a-puzzle-a-day", Range(all_reveals=True), csv=False)),
    ],
)
def test_a_number_that_the_shipped_table_contradicts_is_an_error(other_table, ask) -> None:
    with pytest.raises(Disagreement, match="Oct 6: counted 7, but the shipped table says 8"):
        ask()


def answered(question: Page | TableAsked) -> bytes:
    puzzle = satcal.load("a-puzzle-a-day")
    return question.answer(Slices(diagram_for(Question(puzzle, [*puzzle.reveals()]))))


@pytest.mark.parametrize("line", ["solve Oct 6 --rank 2", "stats --format csv --year 2025"])
def test_a_command_prints_no_such_number(other_table, request, line) -> None:
    said = request.getfixturevalue("satcal")(line)
    assert said.code == 1 and not said.out
    assert "Oct 6: counted 7, but the shipped table says 8" in said.err


def test_with_a_placement_there_is_nothing_to_compare(other_table) -> None:
    assert satcal.count("a-puzzle-a-day", "Oct 6", place="U@Jan") <= 7
