"""Partly filled boards: what --place may say, and what it leaves of the tilings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from helpers.puzzles import Found, Small, as_found, ask, in_order, small_puzzles
from satcal.counting.settings import BySearch
from satcal.counting.tilings import tilings
from satcal.errors import PlacementError
from satcal.puzzle.demands import Demand, parse_demands, parse_placement, place, written
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, cell_name
from satcal.puzzle.placements import cover_of, placements

CORNER = "O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2"


def found(puzzle: Puzzle, reveal: tuple[str, ...], texts: list[str]) -> list[Found]:
    return as_found(tilings(ask(puzzle, reveal, place=texts), BySearch()))


@given(small=small_puzzles(solvable=True), data=st.data())
@settings(max_examples=40)
def test_a_placed_piece_also_if_asked_twice_leaves_the_tilings_that_have_it(
    small: Small, data: st.DataObject
) -> None:
    puzzle, reveal = small.load(), small.reveals()[0]
    placed = data.draw(st.sampled_from(cover_of(puzzle, reveal).placements or [None]))
    assume(placed)
    copies = [each.name for each in puzzle.drawn if puzzle.piece(each.name).name == placed.piece]
    piece = data.draw(st.sampled_from(copies))
    cells = [f"r{row}c{column}" for row, column in data.draw(st.permutations(placed.cells))]
    asked = [f"{piece}:{','.join(cells)}", f"{piece}@{cells[0]}", str(placed)]
    wanted = (placed.piece, frozenset(placed.cells))
    expected = {tiling for tiling in small.tilings(reveal) if wanted in tiling}
    left = found(puzzle, reveal, data.draw(st.permutations(asked)))
    assert len(left) == len(expected)
    assert set(left) == expected


@given(small=small_puzzles(solvable=True), data=st.data())
@settings(max_examples=40)
def test_a_filled_grid_leaves_just_the_tilings_that_agree_with_it(
    small: Small, data: st.DataObject
) -> None:
    puzzle = small.load()
    reveal = next(reveal for reveal in small.reveals() if small.tilings(reveal))
    every = small.tilings(reveal)
    tiling = data.draw(st.sampled_from(in_order(every)))
    at = {cell: name for name, cells in tiling for cell in cells}
    kept = data.draw(st.sets(st.sampled_from(sorted(at))))
    rows = [list(tokens[: puzzle.columns]) for tokens in small.board[: puzzle.rows]]
    for row, column in at:
        not_filled = data.draw(st.sampled_from(["_", "*", rows[row][column]]))
        rows[row][column] = at[row, column] if (row, column) in kept else not_filled
    expected = {
        other
        for other in every
        if all(any(n == at[c] and c in cells for n, cells in other) for c in kept)
    }
    assert set(found(puzzle, reveal, ["\n".join(map(" ".join, rows))])) == expected


def test_conditions_add_up_and_may_stand_in_one_line_or_file(daily: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(f"# what I have so far\n{CORNER} P@r2c0\n\nU@r6c0\n", encoding="utf-8")
    expected = parse_demands(daily, [CORNER, "P@r2c0", "U@r6c0"])
    assert parse_demands(daily, [f"@{path}"]) == expected
    assert parse_demands(daily, [f" {CORNER}\nP@r2c0 U@r6c0"]) == expected
    assert parse_demands(daily, [f"{CORNER.replace(',', ', ')} P@r2c0", "U@r6c0"]) == expected
    assert [str(each) for each in expected] == [CORNER, "P@r2c0", "U@r6c0"]


def test_a_label_that_is_also_a_piece_is_no_token_of_a_grid() -> None:
    pieces = (("I", ("##",), 1, True), ("V", ("#",), 1, True))
    puzzle = Small((("I", "*", "*"), ("V", ".", ".")), {"letter": ("I", "V")}, pieces).load()
    both = "'V' in r1c0 is both its label and a piece; write '_' for the label, or placements such"
    with pytest.raises(PlacementError, match=f"^partly filled board: {both} as V@r1c0 in place"):
        parse_demands(puzzle, ["_ I I\nV . ."])
    assert parse_demands(puzzle, ["V I I\n_ . ."]) == [
        Demand("V", ((0, 0),), whole=False),
        Demand("I", ((0, 1), (0, 2)), whole=False),
    ]


def test_a_condition_on_an_open_cover_leaves_no_reveal_of_the_cell(daily: Puzzle) -> None:
    cover = cover_of(daily, None)
    assert place(cover, []) is cover
    left = place(cover, parse_demands(daily, ["O@r0c0"]))
    labels = {getattr(option, "text", "") for option in left.options}
    assert {"Jan", "Feb"} & labels == {"Feb"}


def test_a_mirror_image_is_refused_where_the_piece_may_not_be_turned_over(daily: Puzzle) -> None:
    mirrored = "P:r0c0,r0c1,r0c2,r1c1,r1c2"
    assert str(parse_placement(daily, mirrored)) == mirrored
    with pytest.raises(
        PlacementError, match=r"form piece P in any orientation \(it may not be turned over\)"
    ):
        parse_placement(daily.with_flips("none"), mirrored)


def test_cells_are_named_by_what_is_printed_on_them(daily: Puzzle) -> None:
    at = {text: cell_name(label.cells[0]) for text, label in daily.labels.items()}
    for mark, labels in ((":", "Jan Feb Mar Jul Aug Sep"), ("@", "Jan"), ("@", "31")):
        by_label = f"O{mark}{labels.replace(' ', ',')}"
        by_cell = f"O{mark}{','.join(at[text] for text in labels.split())}"
        assert parse_demands(daily, [by_label]) == parse_demands(daily, [by_cell])
    assert parse_demands(daily, ["O@jan"]) == parse_demands(daily, ["O@Jan"])
    rhombus = load("rhombus")
    assert parse_demands(rhombus, ["X@Mon"])[0].cells == rhombus.labels["Mon"].cells


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("U", "place 'U': no cell given; write U@Jan for one of its cells, or U:Jan,Feb,... for "),
        ("U=Jan,Feb", "place 'U=Jan,Feb': no cell given; write U@Jan for one of its cells, or "),
        ("put Y on 3", "place 'put Y on 3': no cell given; write O@Jan for one of its cells, or "),
        (
            "U@Jna",
            "U@Jna: 'Jna' is not a label; write a label, or row and column as r2c3; did you mean "
            "'Jun'?",
        ),
        ("U@", "place U@: '' is not a label; write a label, or row and column as r2c3"),
        ("U@r9c0", "place U@r9c0: r9c0 is not a cell of a-puzzle-a-day (rows 0 to 6, "),
        ("U:Jan,Feb,1,2,3", "these 5 cells do not form piece U in any orientation"),
    ],
)
def test_a_place_that_is_none_is_refused_with_what_is_missing(
    daily: Puzzle, text: str, message: str
) -> None:
    with pytest.raises(PlacementError, match=re.escape(message)):
        parse_demands(daily, [text])


@pytest.mark.parametrize("board", ["a-puzzle-a-day", "rhombus", "pentomino-6x10"])
def test_what_is_written_with_labels_is_read_as_the_same_placement(board: str) -> None:
    puzzle = load(board)
    some = list(placements(puzzle, puzzle.cells))[::7]
    assert [parse_placement(puzzle, written(puzzle, each)) for each in some] == some


def test_a_placement_is_written_with_what_is_printed(daily: Puzzle) -> None:
    assert written(daily, parse_placement(daily, "U:r0c0,r0c1,r1c0,r2c0,r2c1")) == (
        "U:Jan,Feb,Jul,1,2"
    )


def test_a_label_on_several_cells_is_no_single_cell() -> None:
    wide = Small((("a", "a", "*"), ("*", "*", "*")), {"x": ("a",)}, (("I", ("##",), 2, True),))
    with pytest.raises(PlacementError, match="on several cells; write I@r0c0 or I@r0c1"):
        parse_demands(wide.load(), ["I@a"])
    assert parse_demands(wide.load(), ["I:a"])[0].cells == ((0, 0), (0, 1))


def test_two_placements_of_one_piece_that_share_a_cell_exclude_each_other(daily: Puzzle) -> None:
    demands = parse_demands(daily, [CORNER, "O:r0c1,r0c2,r1c1,r1c2,r2c1,r2c2"])
    with pytest.raises(
        PlacementError, match="r0c1 is given to two placements of O; remove one of them"
    ):
        place(cover_of(daily, ("Oct", "6")), demands)
