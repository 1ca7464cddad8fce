"""`satcal boards`: the library."""

import json

from satcal.puzzle.loading import library, load


def test_the_whole_library_is_listed(run):
    answer = run("boards")
    assert answer.code == 0
    listed = [line.split()[0] for line in answer.out.splitlines()[1:]]
    assert listed == list(library())
    assert "dragonfjord is a-puzzle-a-day" in answer.err


def test_json_says_what_a_board_has(run):
    records = {record["name"]: record for record in json.loads(run("boards --format json").out)}
    assert [records[name]["digest"] for name in library()] == [load(n).digest for n in library()]
    rhombus = records["rhombus"]
    assert (rhombus["cells"], rhombus["reveals"], rhombus["dates"]) == (50, 2604, 2562)
    assert rhombus["pieces"] == [piece.name for piece in load("rhombus").pieces]
    assert records["pentomino-3x20"]["reveals"] == 1
