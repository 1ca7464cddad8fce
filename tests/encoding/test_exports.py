"""Exports in all formats: what they say, and that solvers and readers find the tilings in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from external import (
    ENCODINGS_FOLDER,
    cadical_says,
    clasp_models,
    clingo_models,
    minisat_says,
    read_dlx,
    read_opb,
    solve_dlx,
    solve_exactly,
)
from hypothesis import given, settings
from small import Small, as_found, small_puzzles

from satcal.encoding import ENCODINGS, encode
from satcal.encoding.export import FORMATS, export
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover

WRITABLE = [each.name for each in ENCODINGS.values() if each.dimacs]
TILINGS = {"two-L4": 2, "dominoes-4x4": 36, "tetrominoes-4x5": 0, "letter-and-digit": 60}
NOTHING_FITS = Small((("*", "*", "*"),), {}, (("L", ("##", "#."), 1, True),))


def own(board: str) -> Puzzle:
    return load(str(ENCODINGS_FOLDER / "puzzles" / f"{board}.toml"))


def text(puzzle: Puzzle, reveal: tuple[str, ...] | None = (), **options) -> str:
    return export(puzzle, reveal, **options)


# --- DIMACS -----------------------------------------------------------------------------------


def test_the_head_of_dimacs_says_what_the_formula_is_of(two_l4: Small) -> None:
    puzzle = two_l4.load()
    lines = text(puzzle, encoding="plain").splitlines()
    assert lines[:9] == [
        "c t pmc", "c satcal export, specification 1", "c puzzle small",
        f"c digest {puzzle.digest}", "c reveal nothing", "c options 8", "c encoding plain",
        "c determined yes", "c var 1 place L4:r0c0,r0c1,r0c2,r1c0",
    ]  # fmt: skip
    # 8 cells, 1 piece, and all pairs of 8 options but the 2 tilings
    assert lines[16] == f"p cnf 8 {8 + 1 + 28 - 2}"
    projected = "c determined no, so count with projection on the options\n"
    assert projected in text(puzzle, encoding="card-totalizer")


@pytest.mark.parametrize("encoding", WRITABLE)
@pytest.mark.parametrize("reveal", [("A", "1"), None])
def test_dimacs_holds_the_formula_and_a_comment_for_each_variable(
    encoding: str, reveal: tuple[str, ...] | None
) -> None:
    puzzle = own("letter-and-digit")
    formula = encode(cover(puzzle, reveal), encoding)
    written = text(puzzle, reveal, encoding=encoding)
    head = re.search(r"^p cnf (\d+) (\d+)\n(c p show .*\n)", written, re.M)
    assert head
    assert (int(head[1]), int(head[2])) == (formula.variables, len(formula.clauses))
    assert head[3] == f"c p show {' '.join(map(str, range(1, formula.shown + 1)))} 0\n"
    body = written[head.end() :].splitlines()
    assert [[*map(int, line.split())] for line in body] == [[*c, 0] for c in formula.clauses]
    named = re.findall(r"^c var (\d+) \S.*$", written[: head.start()], re.M)
    assert [*map(int, named)] == list(range(1, formula.variables + 1))


def test_what_is_placed_stands_in_the_head_and_takes_no_variable(daily: Puzzle) -> None:
    demands = parse_demands(daily, ["N@r3c3", "O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2"])
    written = text(daily, ("Oct", "6"), demands=demands)
    assert "c place N@r3c3\nc place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2\n" in written
    places = re.findall(r"^c var \d+ place (\S+)$", written, re.M)
    assert [each for each in places if "r0c0" in each] == ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2"]
    assert f"c options {len(places)}\n" in written


# --- the other formats ------------------------------------------------------------------------


def test_knuths_text_has_multiplicities_for_copies_and_numbers_for_categories(
    daily: Puzzle,
) -> None:
    assert "\n2:2|L4 r0c0 r0c1 " in text(own("two-L4"), format="dlx")
    wanted, options = read_dlx(text(daily, ("Oct", "6"), format="dlx"))
    assert (set(wanted.values()), len(wanted)) == ({1}, 8 + 41)
    assert len(options) == len(cover(daily, ("Oct", "6")).options)
    written = text(own("letter-and-digit"), None, format="dlx")
    assert "| #1 is the category letter\n| #2 is the category digit\nP V L4 #1 #2 r0c0" in written
    assert written.endswith("#1 r0c3\n#2 r3c0\n#2 r3c1\n#2 r3c2\n#2 r3c3\n")


def test_equations_name_their_variables_and_constraints_above_them() -> None:
    lines = text(own("two-L4"), format="opb").splitlines()
    assert lines[0] == "* #variable= 8 #constraint= 9"
    assert "* var x1 place L4:r0c0,r0c1,r0c2,r1c0" in lines
    assert "* constraint 9 piece L4" in lines
    assert lines[-1] == " ".join(f"+1 x{n}" for n in range(1, 9)) + " = 2 ;"


@given(small_puzzles())
@settings(max_examples=40)
def test_readers_of_knuths_text_and_of_equations_find_what_brute_force_finds(small: Small) -> None:
    puzzle = small.load()
    tilings = {reveal: small.tilings(reveal) for reveal in small.reveals()}
    for reveal in (*tilings, None):
        whole = cover(puzzle, reveal)
        equations = solve_exactly(read_opb(text(puzzle, reveal, format="opb")))
        for chosen in (list(equations), solve_dlx(text(puzzle, reveal, format="dlx"))):
            if reveal is None:
                assert len(chosen) == sum(map(len, tilings.values()))
            else:
                found = as_found(whole.tiling(n - 1 for n in each) for each in chosen)
                assert len(found) == len(tilings[reveal])
                assert set(found) == tilings[reveal]


# --- what solvers count -----------------------------------------------------------------------


@pytest.mark.parametrize("board", TILINGS)
def test_clasp_and_clingo_count_the_tilings_of_small_boards(board: str, tmp_path: Path) -> None:
    path, puzzle = tmp_path / "tilings", own(board)
    for name, models in (("dimacs", clasp_models), ("opb", clasp_models), ("asp", clingo_models)):
        path.write_text(text(puzzle, None if puzzle.categories else (), format=name))
        assert models(path) == TILINGS[board]


def test_a_board_on_which_no_piece_fits_has_no_solution_in_any_format(tmp_path: Path) -> None:
    puzzle, path = NOTHING_FITS.load(), tmp_path / "formula.cnf"
    for encoding in WRITABLE:
        path.write_text(text(puzzle, encoding=encoding))
        assert clasp_models(path) == 0
    assert cadical_says(path) == "s UNSATISFIABLE"
    assert minisat_says(path, tmp_path / "result") == "UNSAT"
    for name, models in (("opb", clasp_models), ("asp", clingo_models)):
        path.write_text(text(puzzle, format=name))
        assert models(path) == 0
    assert solve_dlx(text(puzzle, format="dlx")) == []


# --- strange names, wrong names, same bytes ---------------------------------------------------


def test_a_strange_category_name_stays_inside_its_comment(tmp_path: Path) -> None:
    pieces = (("L4", ("###", "#.."), 1, True), ("I", ("#",), 1, True))
    board = (("ä", "*", "*"), ("#", "*", "*"))
    puzzle, strange = Small(board, {"plain": ("ä", "#")}, pieces).load(), 'a\nb"|:'
    labels = {text: replace(label, category=strange) for text, label in puzzle.labels.items()}
    odd = replace(puzzle, labels=labels, categories={strange: ("ä", "#")})
    for name in FORMATS:
        written = text(odd, None, format=name)
        assert 'a?b"|:' in written
        assert not [line for line in written.splitlines() if line.startswith("b")]
    path = tmp_path / "x.cnf"
    for encoding in ("plain", "owner", "ladder", "card-seqcounter"):
        path.write_text(text(odd, None, encoding=encoding), encoding="utf-8")
        assert clasp_models(path) == 2  # the L stands on the full row, its foot far from the label


def test_a_puzzle_that_has_no_name_of_its_own_shows_its_file_but_no_folder(
    two_l4: Small, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(two_l4.text().replace('name = "small"\n', ""))
    for name in FORMATS:
        written = text(load(str(path)), format=name)
        assert "puzzle mine.toml\n" in written
        assert str(tmp_path) not in written


EVERYTHING = """
from satcal.encoding.export import FORMATS, export
from satcal.puzzle.loading import load
for name in FORMATS:
    print(export(load("a-puzzle-a-day"), None, format=name))
"""


def test_the_bytes_do_not_depend_on_the_hash_seed(capsys: pytest.CaptureFixture[str]) -> None:
    exec(EVERYTHING, {})
    there = subprocess.run(
        [sys.executable, "-c", EVERYTHING], env={**os.environ, "PYTHONHASHSEED": "1"},
        cwd=ENCODINGS_FOLDER.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert capsys.readouterr().out == there.stdout
