from __future__ import annotations

import json
import re

import pytest

from satcal.puzzle.loading import library


def test_boards_lists_the_whole_library(satcal):
    said = satcal("boards")
    listed = {line.split()[0] for line in said.out.splitlines()}
    assert set(library()) <= listed
    assert "dragonfjord is a-puzzle-a-day" in said.out


def test_boards_as_json_tell_digests_and_dates(satcal):
    facts = {each["name"]: each for each in json.loads(satcal("boards", "--format", "json").out)}
    assert facts["rhombus"]["reveals"] == 2604
    assert facts["rhombus"]["dates"] == 2562
    assert facts["pentomino-3x20"]["dates"] == 0
    assert len({each["digest"] for each in facts.values()}) == len(facts)


@pytest.mark.parametrize(
    ("board", "placements", "orientations"),
    [
        ("a-puzzle-a-day", "O48 V80 Z82 U96 L151 Y154 N154 P196", 46),
        ("weekday", "I4:55 V100 Z102 T102 U118 S4:122 L191 N194 P240 L4:242", 54),
    ],
)
def test_show_gives_the_published_placements_and_orientations(
    satcal, board, placements, orientations
):
    (facts,) = json.loads(satcal("show", board, "--format", "json").out)
    expected = [re.fullmatch(r"([A-Z](?:\d:)?)(\d+)", each) for each in placements.split()]
    assert facts["placements"] == {each[1].rstrip(":"): int(each[2]) for each in expected}
    assert sum(piece["orientations"] for piece in facts["pieces"].values()) == orientations


def test_show_takes_the_board_that_is_named_whatever_the_default_is(satcal, monkeypatch):
    monkeypatch.setenv("SATCAL_BOARD", "rhombus")
    assert satcal("show", "weekday").out.startswith("weekday")
    assert satcal("show").out.startswith("rhombus")


def test_show_draws_board_and_pieces_and_counts_the_placements_of_a_reveal(satcal):
    said = satcal("show", "rhombus", "--flip", "none")
    assert "│ Mon │ Wed │  5  │  1  │" in said.out
    assert "(one face)" in said.out
    assert "2,604 reveals, 2,562 of them dates" in said.out
    said = satcal("show", "--reveal", "Dec,25")
    assert "46 orientations, 782 placements" in said.out
    assert "(on Dec 25)" in said.out
    said = satcal("show", "pentomino-6x10")
    assert "no dates: it has no category named month" in said.out
    assert "\n1 reveal\n" in said.out
