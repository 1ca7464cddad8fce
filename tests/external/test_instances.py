"""The family of instances: each answer is the count, each effort that of a solver that agrees."""

from __future__ import annotations

import csv

import pytest

import satcal
from helpers.programs import need
from satcal.encoding.answer import parse_count
from satcal.encoding.export import track_of
from satcal.errors import Disagreement
from tools import instances


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a board's formulas with lemmas, which are cheap: dates with no, one and 18 tilings."""
    need("clasp")
    choose = instances.choose_reveals
    monkeypatch.setattr(instances, "choose_reveals", lambda puzzle: choose(puzzle)[:3])
    monkeypatch.setattr(instances, "VARIANTS", (("--lemmas", "closed"),))
    instances.write_instances(tmp_path, ["calendarium"])
    return tmp_path / "calendarium"


def test_each_answer_is_read_back_as_the_count(folder):
    rows = list(csv.DictReader((folder / "manifest.csv").read_text().splitlines()))
    answers = {path.stem: path.read_text() for path in folder.glob("*.answer")}
    assert answers.keys() == {row["file"].removesuffix(".cnf") for row in rows}
    for row in rows:
        answer = answers[row["file"].removesuffix(".cnf")]
        count = satcal.count("calendarium", tuple(row["reveal"].split(",")))
        assert parse_count(answer) == int(row["tilings"]) == count
        assert f"c s type {track_of(row['encoding'])}\n" in answer
        assert row["effort"].isdecimal()
    assert [int(row["tilings"]) for row in rows] == [1, 0, 18]
    # a number that clasp does not find is refused
    manifest = folder / "manifest.csv"
    *lines, last = manifest.read_text().splitlines()
    words = last.split(",")
    words[-3] = str(int(words[-3]) + 1)  # its tilings
    manifest.write_text("\n".join([*lines, ",".join(words), ""]))
    with pytest.raises(Disagreement, match="clasp finds"):
        instances.complete_manifest(folder)
