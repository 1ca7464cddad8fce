"""`satcal show`: a board and its pieces, and all that is wrong or odd in its file."""

import re
from pathlib import Path

import pytest

from oracle import TWO_EACH
from satcal.draw.pictures import CELL


def test_a_board_is_drawn_with_its_pieces_and_placements(run):
    answer = run("show rhombus")
    assert answer.code == 0
    assert "│ Mon │ Wed │  5  │  1  │" in answer.out
    numbers = ("50", "47", "10", "1,510", "2,604", "2,562")
    assert [number for number in numbers if number not in answer.out] == []


def test_the_fault_of_a_file_is_named_and_the_code_is_2(refused):
    Path("mine.toml").write_text(TWO_EACH.text.replace("copies = 1", "copies = 0", 1))
    refused("show mine.toml", 2, "copies")


def test_what_is_odd_is_legal(run):
    Path("cut.toml").write_text('board = """\n* . *\n* . .\n"""\n[pieces]\nV = "###"\n')
    answer = run("show cut.toml")
    assert answer.code == 0
    assert "odd" in answer.out
    assert "r0c2" in answer.out


def test_a_picture_is_one_of_the_board(run):
    assert run("show -o new/board.svg").code == 0
    assert "A-Puzzle-A-Day" in Path("new/board.svg").read_text()


def test_a_cell_is_as_large_on_paper_as_was_asked(run):
    assert run("show rhombus --cell 20 -o board.svg").code == 0
    text = Path("board.svg").read_text()
    box, width = re.findall(r'viewBox="0 0 (\d+) \d+" width="([\d.]+)"', text)[0]
    inches = CELL * float(width) / float(box) / 96  # CSS has 96 pixels an inch
    assert inches * 25.4 == pytest.approx(20, abs=0.01)


def test_a_board_without_labels_shows_the_names_of_its_cells(run):
    assert "│ r0c0  │ r0c1  │" in run("show pentomino-5x12").out
