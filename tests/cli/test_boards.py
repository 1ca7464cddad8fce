import os

from helpers.puzzles import TWO_EACH
from satcal.puzzle.loading import library
from satcal.puzzle.placements import placements


def test_boards_lists_the_whole_library(satcal):
    said = satcal("boards")
    listed = {line.split()[0] for line in said.out.splitlines()}
    assert set(library()) <= listed
    assert "dragonfjord is a-puzzle-a-day" in said.out


def test_show_takes_the_board_that_is_named_whatever_the_default_is(satcal, monkeypatch):
    monkeypatch.setenv("SATCAL_BOARD", "rhombus")
    assert satcal("show weekday").out.startswith("weekday")
    assert satcal("show").out.startswith("rhombus")


def test_show_draws_board_and_pieces_and_counts_the_placements_of_a_reveal(satcal):
    said = satcal("show rhombus --flip none")
    assert "│ Mon │ Wed │  5  │  1  │" in said.out
    assert "(one face)" in said.out
    assert "2,604 reveals, 2,562 of them dates" in said.out
    said = satcal("show --reveal Dec,25")
    assert "46 orientations, 782 placements" in said.out
    assert "(on Dec 25)" in said.out
    said = satcal("show pentomino-6x10")
    assert "no dates: it lacks the categories month" in said.out
    assert "\n1 reveal\n" in said.out


def test_a_board_may_come_through_a_pipe(satcal):
    reading, writing = os.pipe()
    with open(writing, "w") as stream:
        stream.write(TWO_EACH.text())
    with open(reading):
        assert satcal(f"show --board /dev/fd/{reading}").out.startswith("small\n")


def test_placements_are_bitmaps_of_the_cells_row_by_row(satcal, daily):
    rows = satcal("show --bitmaps --reveal Oct,6 --format csv").rows()
    cells, free = daily.cells, set(daily.cells) - daily.uncovered(("Oct", "6"))
    placed = list(placements(daily, free))
    assert [row["piece"] for row in rows] == [each.piece for each in placed]
    for row, each in zip(rows, placed, strict=True):
        bits = int(row["bitmap"], 16)
        assert {cell for n, cell in enumerate(cells) if bits >> n & 1} == set(each.cells)
    assert {len(row["bitmap"]) for row in rows} == {13}
