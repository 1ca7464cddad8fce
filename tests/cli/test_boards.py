"""`satcal boards`: the library."""

from __future__ import annotations

import json

import pytest

from satcal.puzzle.loading import library, load


def test_the_whole_library_is_listed(run):
    answer = run("boards")
    assert answer.code == 0
    listed = [line.split()[0] for line in answer.out.splitlines()[1:]]
    assert listed == list(library())
    assert "dragonfjord is a-puzzle-a-day" in answer.err


@pytest.mark.parametrize("style", ["json", "csv", "ndjson", "markdown"])
def test_records_have_the_digest_that_decides_the_counts(run, style):
    out = run(f"boards --format {style}").out
    assert all(load(name).digest in out for name in library())


def test_json_says_what_a_board_has(run):
    records = {record["name"]: record for record in json.loads(run("boards --format json").out)}
    rhombus = records["rhombus"]
    assert (rhombus["cells"], rhombus["reveals"], rhombus["dates"]) == (50, 2604, 2562)
    assert rhombus["pieces"]["S4"] == {"area": 4, "copies": 1, "orientations": 4, "flip": True}
    assert records["pentomino-3x20"]["reveals"] == 1


def test_the_list_is_written_to_a_file(run, tmp_path):
    path = tmp_path / "new" / "boards.csv"
    assert run("boards -o", str(path)).code == 0
    assert path.read_text().count("\n") == 1 + len(library())
