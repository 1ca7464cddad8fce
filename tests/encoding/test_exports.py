"""Exports in all formats: what they say, and that solvers and readers find the tilings in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings

from helpers.puzzles import Small, small_puzzles
from helpers.solvers import (
    ENCODINGS_FOLDER,
    clasp_models,
    clingo_models,
    found_options,
    solve_dlx,
    solve_opb,
)
from satcal.encoding import ENCODINGS, encode
from satcal.encoding.export import FORMATS, export
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of

WRITABLE = [each.name for each in ENCODINGS.values() if each.dimacs]
PUZZLES = ENCODINGS_FOLDER / "puzzles"
OWN = {path.stem: load(path) for path in PUZZLES.glob("*.toml")}
TILINGS = {"two-L4": 2, "dominoes-4x4": 36, "tetrominoes-4x5": 0, "letter-and-digit": 60}
NOTHING_FITS = Small((("*", "*", "*"),), {}, (("L", ("##", "#."), 1, True),))
SIGNS = Small(
    board=(("ä", "*", "*"), ("#", "*", "*")),
    categories={"plain": ("ä", "#")},
    pieces=(("L4", ("###", "#.."), 1, True), ("I", ("#",), 1, True)),
)


def test_the_head_of_dimacs_says_what_the_formula_is_of(two_l4: Small) -> None:
    puzzle = two_l4.load()
    demands = parse_demands(puzzle, ["L4@r0c0", "L4@r1c0"])
    lines = export(puzzle, (), encoding="plain", demands=demands).splitlines()
    assert lines[:10] == [
        "c t pmc",
        "c satcal export, specification 1",
        "c puzzle small",
        f"c digest {puzzle.digest}",
        "c reveal nothing",
        "c place L4@r0c0",
        "c place L4@r1c0",
        "c options 8",
        "c encoding plain",
        "c determined yes",
    ]
    projected = "c determined no, so count with projection on the options\n"
    assert projected in export(puzzle, (), encoding="card-totalizer")


@pytest.mark.parametrize("encoding", WRITABLE)
@pytest.mark.parametrize("reveal", [("ä",), None])
def test_dimacs_holds_the_formula_and_a_comment_for_each_variable(
    encoding: str, reveal: tuple[str, ...] | None
) -> None:
    puzzle = SIGNS.load()
    formula = encode(cover_of(puzzle, reveal), encoding)
    written = export(puzzle, reveal, encoding=encoding)
    head = re.search(r"^p cnf (\d+) (\d+)\n(c p show .*\n)", written, re.M)
    assert head
    assert (int(head[1]), int(head[2])) == (formula.variables, len(formula.clauses))
    assert head[3] == f"c p show {' '.join(map(str, range(1, formula.shown + 1)))} 0\n"
    body = written[head.end() :].splitlines()
    assert [[*map(int, line.split())] for line in body] == [[*c, 0] for c in formula.clauses]
    named = re.findall(r"^c var (\d+) \S.*$", written[: head.start()], re.M)
    assert [*map(int, named)] == list(range(1, formula.variables + 1))


def test_knuths_text_has_multiplicities_for_copies_and_numbers_for_categories() -> None:
    assert "\n2:2|L4 r0c0 r0c1 " in export(OWN["two-L4"], (), format="dlx")
    written = export(OWN["letter-and-digit"], None, format="dlx")
    assert "| #1 is the category letter\n| #2 is the category digit\nP V L4 #1 #2 r0c0" in written
    assert written.endswith("#1 r0c3\n#2 r3c0\n#2 r3c1\n#2 r3c2\n#2 r3c3\n")


def test_equations_name_their_variables_and_constraints_above_them() -> None:
    lines = export(OWN["two-L4"], (), format="opb").splitlines()
    assert lines[0] == "* #variable= 8 #constraint= 9"
    assert "* var x1 place L4:r0c0,r0c1,r0c2,r1c0" in lines
    assert "* constraint 9 piece L4" in lines
    assert lines[-1] == " ".join(f"+1 x{n}" for n in range(1, 9)) + " = 2 ;"


@given(small_puzzles())
@example(NOTHING_FITS)
@settings(max_examples=40)
def test_readers_of_knuths_text_and_of_equations_find_what_brute_force_finds(small: Small) -> None:
    puzzle = small.load()
    for reveal in (*small.reveals(), None):
        cover, expected = cover_of(puzzle, reveal), small.solutions(reveal)
        for format, solve in (("opb", solve_opb), ("dlx", solve_dlx)):
            chosen = solve(export(puzzle, reveal, format=format))
            found = [found_options(cover, each) for each in chosen]
            assert len(found) == len(expected)
            assert set(found) == expected


@pytest.mark.parametrize(
    ("format", "models"), [("dimacs", clasp_models), ("opb", clasp_models), ("asp", clingo_models)]
)
def test_solvers_count_the_tilings_of_small_boards_and_none_where_no_piece_fits(
    format: str, models: Callable[[Path], int], tmp_path: Path
) -> None:
    path = tmp_path / "tilings"
    boards = [(OWN[name], tilings) for name, tilings in TILINGS.items()]
    for puzzle, tilings in [*boards, (NOTHING_FITS.load(), 0)]:
        path.write_text(export(puzzle, None if puzzle.categories else (), format=format))
        assert models(path) == tilings


def test_a_strange_category_name_stays_inside_its_comment() -> None:
    puzzle, strange = SIGNS.load(), 'a\nb"|:'
    labels = {text: replace(label, category=strange) for text, label in puzzle.labels.items()}
    odd = replace(puzzle, labels=labels, categories={strange: ("ä", "#")})
    for name in FORMATS:
        written = export(odd, None, format=name)
        assert 'a?b"|:' in written
        assert not [line for line in written.splitlines() if line.startswith("b")]


EVERYTHING = f"""
from satcal.encoding.export import FORMATS, export
from satcal.puzzle.loading import load
puzzle = load({str(PUZZLES / "letter-and-digit.toml")!r})
for name in FORMATS:
    print(export(puzzle, None, format=name))
"""


def test_the_bytes_do_not_depend_on_the_hash_seed(capsys: pytest.CaptureFixture[str]) -> None:
    exec(EVERYTHING, {})
    there = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        cwd=ENCODINGS_FOLDER.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert capsys.readouterr().out == there.stdout
