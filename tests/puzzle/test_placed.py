"""Pieces on the table: every form in which people name them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import Piece, Small, dominoes, parts, small_puzzles
from satcal.draw.board import draw_tiling
from satcal.errors import PlacementError
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement
from satcal.puzzle.placed import cover_with, format_placement, parse_place, read_text_or_file
from satcal.puzzle.placements import placements

O_PIECE = "O:r2c0,r2c1,r2c2,r3c0,r3c1,r3c2"
ROWS = """
_ _ _ _ _ _ .
_ _ _ _ _ _ .
O O O _ _ _ _
O O O _ _ _ _
V _ _ _ _ _ _
V _ _ _ _ _ _
V V V . . . .
"""


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "o:1,2,3,8,9,10"),
        (1, O_PIECE),
        (1, "O: r2c0 R2C1 3 8 9 r3c2"),
        (1, "the big O: 1 2 3 8 9 10"),
        (2, "1 2 3 8 9 10 V: 15 22 29 30 31"),
        (1, "# mine\nO: 1 2 3 8 9 10\n"),
        (2, f"{O_PIECE}\nv: 15 22 29 30 31\n"),
        (2, "1 2 3 8 9 10; 15 22 29 30 31"),
        (2, "1 2 3 8 9 10\n15,22,29,30,31"),
        (2, "?: 1 2 3 8 9 10\n? : 15 22 29 30 31"),
        (2, ROWS),
        (2, ROWS.replace(" ", "")),
        (2, ROWS.replace("O", "0").replace("V", "10").replace("_", "X")),
        (2, ROWS.replace("O", "-8-").replace(".", "X").replace(" ", ",")),
        (2, "+---+" + ROWS.replace("O", "3").replace(".", "0").replace(" ", " | ") + "+---+"),
        (2, ROWS.replace("_", "*").lower()),
        (2, ROWS.replace("_ _ _ _ _ _ .", "Jan Feb Mar Apr May Jun .", 1)),
    ],
)
def test_placements_are_named_by_cells_or_labels_or_drawn(daily, number, text):
    notes = []
    expected = [O_PIECE, "V:r4c0,r5c0,r6c0,r6c1,r6c2"][:number]
    assert list(map(str, parse_place(daily, text, notes=notes))) == expected
    assert notes == []


@pytest.mark.parametrize(
    "text", [*(f"{name}: 1 2 3 8 9 10" for name in ("P", "p", "Q", "O4")), ROWS.replace("O", "X")]
)
def test_a_wrong_letter_is_corrected_with_a_note(daily, text):
    notes = []
    assert str(parse_place(daily, text, notes=notes)[0]) == O_PIECE
    assert ["O, not" in note for note in notes] == [True]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("N@Jan", "all cells"),
        ("O:", "its cells"),
        ("put O\nhere: 1 2 3 8 9 10", "put"),
        ("1 2 3: 8 9 10", "1 2 3"),
        ("O: 1 2 3 8 9 10; V: 3 4 5 10 17", "O:1,2,3,8,9,10"),
        ("O: 1 2 3 8 9 Jna", "Jun"),
        ("O: 1 2 3 8 9 10; O: 4 5 6 11 12 13", "O is placed 2 times"),
        (ROWS.replace("_ _ _ _ _ _ .", "_ _ _ _ _ _ U", 1), "off the board"),
        (ROWS.replace("V V V . . . .", "V V V . . ."), "7 entries"),
        (ROWS.replace("V _ _ _ _ _ _\n", "", 1), "7 rows"),
        (ROWS.replace("V", "?"), "?"),
        ("O: 1 2 3 8 9\u200b 10", "ZERO WIDTH SPACE"),
        ("x" * 100_001, "100,000"),
    ],
)
def test_what_cannot_be_placed_is_refused(daily, text, word):
    with pytest.raises(PlacementError) as refused:
        parse_place(daily, text)
    assert word in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_mirror_image_is_refused_where_the_piece_may_not_be_turned_over(daily):
    mirrored = "P:r0c0,r0c1,r0c2,r1c1,r1c2"
    assert str(parse_place(daily, mirrored)[0]) == mirrored
    with pytest.raises(PlacementError, match="turned over"):
        parse_place(daily.with_flips("none"), mirrored)


def test_a_label_that_is_also_a_piece_is_refused_in_a_drawing():
    pieces = (Piece("I", ("##",)), Piece("V", ("#",)))
    small = Small((("I", "*", "*"), ("V", ".", ".")), pieces, (("x", ("I", "V")),))
    puzzle = small.load()
    bordered = draw_tiling(puzzle, (), parse_place(puzzle, "V: r1c0"))
    for drawing in ("_ I I\nV . .", bordered):
        with pytest.raises(PlacementError, match="label"):
            parse_place(puzzle, drawing)
    assert list(map(str, parse_place(puzzle, "V I I\n_ . ."))) == ["V:r0c0", "I:r0c1,r0c2"]


def test_copies_that_touch_need_numbers_of_their_own():
    puzzle = dominoes(2, 3).load()
    with pytest.raises(PlacementError, match="its own number"):
        parse_place(puzzle, "I2 I2 I2\n_ _ I2")
    assert len(parse_place(puzzle, "1 1 2\n_ _ 2")) == 2


@given(small_puzzles(), st.data())
def test_what_solve_draws_is_read_back(small, data):
    puzzle = small.load()
    reveal = small.reveals[0]
    found = sorted(small.tilings(reveal), key=parts)
    if found:
        chosen = data.draw(st.sampled_from(found))
        tiling = [Placement(name, tuple(sorted(cells))) for name, cells in chosen]
        part = sorted(tiling, key=str)[: data.draw(st.integers(0, len(tiling)))]
        drawing = f"a title\n{draw_tiling(puzzle, reveal, part)}\n"
        for text in (drawing, " ".join(map(str, part))):
            assert sorted(parse_place(puzzle, text), key=str) == part


def test_a_drawing_of_another_date_is_refused_with_the_label_that_it_covers(daily):
    drawing = draw_tiling(daily, ("Oct", "6"), parse_place(daily, "O: 1 2 3 8 9 10"))
    assert len(parse_place(daily, drawing, reveals=[("Oct", "6")])) == 1
    with pytest.raises(PlacementError, match="lies on 8, which Oct 8 leaves uncovered"):
        parse_place(daily, drawing, reveals=[("Oct", "6"), ("Oct", "8")])


def test_two_drawings_are_refused(daily):
    drawing = draw_tiling(daily, ("Oct", "6"), ())
    assert parse_place(daily, drawing) == ()
    with pytest.raises(PlacementError, match="one drawing"):
        parse_place(daily, f"{drawing}\n{drawing}")


def test_an_open_cover_keeps_no_reveal_of_a_covered_cell(daily):
    left = cover_with(daily, None, parse_place(daily, "O: 1 2 3 8 9 10"))
    labels = {getattr(option, "text", "") for option in left.options}
    assert {"1", "3", "10", "4"} & labels == {"4"}


@pytest.mark.parametrize("board", ["a-puzzle-a-day", "rhombus", "pentomino-6x10"])
def test_what_is_written_with_labels_is_read_as_the_same_placement(board):
    puzzle = load(board)
    for each in list(placements(puzzle, puzzle.cells))[::7]:
        assert parse_place(puzzle, format_placement(puzzle, each)) == (each,)


def test_a_wide_label_is_covered_whole_or_named_by_its_cells():
    wide = Small((("a", "a", "*"), ("*", "*", "*")), (Piece("I", ("##",), 2),), (("x", ("a",)),))
    puzzle = wide.load()
    assert parse_place(puzzle, "I: a")[0].cells == ((0, 0), (0, 1))
    assert format_placement(puzzle, Placement("I", ((0, 0), (0, 1)))) == "I:a"
    assert format_placement(puzzle, Placement("I", ((0, 1), (0, 2)))) == "I:r0c1,r0c2"


def test_a_file_is_read_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text("I: *")
    assert read_text_or_file("mine.txt") == "I: *"
    for text in ("O: 1 2", "x" * 9999):  # no name of a file is so long
        assert read_text_or_file(text) == text
    with pytest.raises(PlacementError):
        read_text_or_file("gone.txt")
