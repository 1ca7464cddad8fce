from __future__ import annotations

import pytest
from external import (
    ENCODINGS_FOLDER,
    clasp_models,
    clingo_models,
    read_dlx,
    read_opb,
    solve_dlx,
    solve_exactly,
)
from hypothesis import given, settings
from small import Small, as_found, small_puzzles

from satcal.encoding.export import export
from satcal.encoding.formats import FORMATS
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover

TILINGS = {"two-L4": 2, "dominoes-4x4": 36, "tetrominoes-4x5": 0, "letter-and-digit": 60}


def own(board: str) -> tuple[Puzzle, tuple[str, ...] | None]:
    puzzle = load(str(ENCODINGS_FOLDER / "puzzles" / f"{board}.toml"))
    return puzzle, None if puzzle.categories else ()


def text(board: str, name: str) -> str:
    return "".join(export(*own(board), format=name))


@pytest.mark.parametrize("board", TILINGS)
def test_a_reader_of_equations_finds_every_tiling(board):
    assert len(list(solve_exactly(read_opb(text(board, "opb"))))) == TILINGS[board]


@pytest.mark.parametrize("board", TILINGS)
def test_a_reader_of_knuths_text_finds_every_tiling(board):
    assert len(solve_dlx(text(board, "dlx"))) == TILINGS[board]


@pytest.mark.parametrize("board", TILINGS)
def test_clasp_counts_the_tilings_from_equations(board, tmp_path):
    path = tmp_path / "x.opb"
    path.write_text(text(board, "opb"))
    assert clasp_models(path) == TILINGS[board]


@pytest.mark.parametrize("board", TILINGS)
def test_clingo_counts_the_tilings_from_the_answer_set_program(board, tmp_path):
    path = tmp_path / "x.lp"
    path.write_text(text(board, "asp"))
    assert clingo_models(path) == TILINGS[board]


def test_only_pieces_with_copies_carry_a_multiplicity_in_knuths_text(daily):
    assert "\n2:2|L4 r0c0 r0c1 " in text("two-L4", "dlx")
    wanted, options = read_dlx("".join(export(daily, ("Oct", "6"), format="dlx")))
    assert set(wanted.values()) == {1}
    assert len(wanted) == 8 + 41
    assert len(options) == len(cover(daily, ("Oct", "6")).options)
    body = [x for x in text("letter-and-digit", "dlx").splitlines() if not x.startswith("|")]
    assert ":" not in "".join(body)


def test_categories_are_numbered_items_of_knuths_text_because_names_have_eight_bytes():
    written = text("letter-and-digit", "dlx")
    assert "| #1 is the category letter\n| #2 is the category digit\nP V L4 #1 #2 r0c0" in written
    assert written.endswith(
        "#1 r0c0\n#1 r0c1\n#1 r0c2\n#1 r0c3\n#2 r3c0\n#2 r3c1\n#2 r3c2\n#2 r3c3\n"
    )


def test_equations_name_their_variables_and_constraints_above_them():
    lines = text("two-L4", "opb").splitlines()
    assert lines[0] == "* #variable= 8 #constraint= 9"
    assert "* var x1 place L4:r0c0,r0c1,r0c2,r1c0" in lines
    assert "* constraint 9 piece L4" in lines
    assert lines[-1] == " ".join(f"+1 x{n}" for n in range(1, 9)) + " = 2 ;"


def test_where_nothing_fits_equations_and_programs_have_no_solution(tmp_path):
    puzzle = Small((("*", "*", "*"),), {}, (("L", ("##", "#."), 1, True),)).load()
    for name, count in (("opb", clasp_models), ("asp", clingo_models)):
        path = tmp_path / f"x{FORMATS[name].suffix}"
        path.write_text("".join(export(puzzle, (), format=name)))
        assert count(path) == 0
    assert solve_dlx("".join(export(puzzle, (), format="dlx"))) == []


@given(small_puzzles())
@settings(max_examples=40)
def test_on_any_small_puzzle_the_readers_find_what_brute_force_finds(small):
    puzzle = small.load()
    for reveal in small.reveals():
        whole = cover(puzzle, reveal)
        expected = small.tilings(reveal)
        equations = solve_exactly(read_opb("".join(export(puzzle, reveal, format="opb"))))
        for chosen in (list(equations), solve_dlx("".join(export(puzzle, reveal, format="dlx")))):
            found = as_found(whole.tiling(n - 1 for n in each) for each in chosen)
            assert len(found) == len(set(found))
            assert set(found) == expected


@given(small_puzzles())
@settings(max_examples=25)
def test_the_open_cover_has_the_tilings_of_all_reveals_in_every_reader(small):
    puzzle = small.load()
    expected = sum(len(small.tilings(reveal)) for reveal in small.reveals())
    assert len(solve_dlx("".join(export(puzzle, None, format="dlx")))) == expected
    equations = read_opb("".join(export(puzzle, None, format="opb")))
    assert len(list(solve_exactly(equations))) == expected
