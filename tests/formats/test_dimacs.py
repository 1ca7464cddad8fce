from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from external import ENCODINGS_FOLDER, cadical_says, clasp_models, minisat_says
from small import Small

from satcal.encoding import ENCODINGS, encode
from satcal.encoding.export import export
from satcal.encoding.formats import FORMATS
from satcal.errors import OptionError, UnknownName
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands
from satcal.puzzle.placements import cover

WRITABLE = [each.name for each in ENCODINGS.values() if each.dimacs]


def text(puzzle: Puzzle, reveal=(), **options) -> str:
    return "".join(export(puzzle, reveal, **options))


@pytest.fixture
def odd() -> Puzzle:
    """A puzzle made in Python whose category has a line break in its name: no file may have it."""
    small = Small(
        board=(("ä", "*", "*"), ("#", "*", "*")),
        categories={"plain": ("ä", "#")},
        pieces=(("L4", ("###", "#.."), 1, True), ("I", ("#",), 1, True)),
    )
    puzzle, name = small.load(), 'a\nb"|:'
    labels = {text: replace(label, category=name) for text, label in puzzle.labels.items()}
    return replace(puzzle, labels=labels, categories={name: ("ä", "#")})


def test_the_head_says_what_the_formula_is_of(two_l4):
    puzzle = two_l4.load()
    lines = text(puzzle, encoding="plain").splitlines()
    assert lines[:10] == [
        "c t pmc",
        "c satcal export, specification 1",
        "c puzzle small",
        f"c digest {puzzle.digest}",
        "c reveal nothing",
        "c options 8",
        "c encoding plain",
        "c determined yes",
        "c var 1 place L4:r0c0,r0c1,r0c2,r1c0",
        "c var 2 place L4:r0c1,r0c2,r0c3,r1c1",
    ]
    # 8 cells, 1 piece, and all pairs of 8 options but the 2 tilings
    assert lines[16] == f"p cnf 8 {8 + 1 + 28 - 2}"
    assert lines[17] == "c p show 1 2 3 4 5 6 7 8 0"
    assert lines[18] == "1 5 7 0"
    assert len(lines) == 18 + 35


def test_the_head_says_whether_auxiliaries_are_determined(two_l4):
    assert (
        "c determined no, so count with projection on the options\n"
        in text(two_l4.load(), encoding="card-totalizer")
    )  # fmt: skip


@pytest.mark.parametrize("encoding", WRITABLE)
@pytest.mark.parametrize("reveal", [("A", "1"), None])
def test_the_text_holds_the_formula_and_a_comment_for_each_variable(encoding, reveal):
    puzzle = load(str(ENCODINGS_FOLDER / "puzzles" / "letter-and-digit.toml"))
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


def test_the_open_formula_names_its_label_variables(daily):
    written = text(daily, None)
    assert "c reveal open: one label of each category is revealed\n" in written
    assert len(re.findall(r"^c var \d+ reveal \S+$", written, re.M)) == 43


def test_what_is_placed_stands_in_the_head_and_takes_no_variable(daily):
    reveal = ("Oct", "6")
    demands = parse_demands(daily, ["N@r3c3", "O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2"])
    written = text(daily, reveal, demands=demands)
    assert "c place N@r3c3\nc place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2\n" in written
    places = re.findall(r"^c var \d+ place (\S+)$", written, re.M)
    assert [each for each in places if "r0c0" in each] == ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2"]
    assert f"c options {len(places)}\n" in written


def test_native_constraints_are_refused_with_the_way_out(daily):
    with pytest.raises(OptionError) as refused:
        export(daily, ("Oct", "6"), encoding="native")
    assert str(refused.value) == (
        "the encoding native has constraints that are no clauses, so there is no DIMACS of it; "
        "use --encoding ladder, or --format opb, which has such constraints"
    )


@pytest.mark.parametrize("name", ["opb", "dlx", "asp"])
def test_a_format_without_clauses_takes_no_encoding(daily, name):
    with pytest.raises(OptionError) as refused:
        export(daily, ("Oct", "6"), format=name, encoding="owner")
    assert str(refused.value) == (
        f"format {name} has no clauses, so --encoding owner means nothing; "
        "drop one of the two, or use --format dimacs"
    )


def test_an_unknown_format_or_encoding_gets_the_known_ones_and_the_nearest(daily):
    with pytest.raises(UnknownName) as refused:
        export(daily, ("Oct", "6"), format="dimax")
    assert str(refused.value) == (
        "no format 'dimax'; the formats are dimacs, opb, dlx, asp; did you mean 'dimacs'?"
    )
    with pytest.raises(UnknownName, match="did you mean 'ladder'"):
        export(daily, ("Oct", "6"), encoding="lader")


def test_a_puzzle_that_has_no_name_of_its_own_shows_its_file_but_no_folder(two_l4, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(two_l4.text().replace('name = "small"\n', ""))
    for name in FORMATS:
        written = text(load(str(path)), format=name)
        assert "puzzle mine.toml\n" in written
        assert str(tmp_path) not in written


@pytest.mark.parametrize("name", FORMATS)
def test_a_strange_category_name_stays_inside_its_comment(odd, name):
    written = text(odd, None, format=name)
    assert 'a?b"|:' in written
    assert not [line for line in written.splitlines() if line.startswith("b")]


@pytest.mark.parametrize("encoding", ["plain", "owner", "ladder", "card-seqcounter"])
def test_external_solvers_read_strange_names(odd, encoding, tmp_path):
    path = tmp_path / "x.cnf"
    path.write_text(text(odd, None, encoding=encoding), encoding="utf-8")
    assert clasp_models(path) == 2  # the L stands on the full row, its foot far from the label
    assert cadical_says(path) == "s SATISFIABLE"


def test_a_board_on_which_no_piece_fits_has_a_formula_that_solvers_refute(tmp_path):
    puzzle = Small((("*", "*", "*"),), {}, (("L", ("##", "#."), 1, True),)).load()
    for encoding in WRITABLE:
        path = tmp_path / f"{encoding}.cnf"
        path.write_text(text(puzzle, encoding=encoding))
        assert cadical_says(path) == "s UNSATISFIABLE"
        assert minisat_says(path, tmp_path / "result") == "UNSAT"
        assert clasp_models(path) == 0


PRINT_DIGEST = """
import hashlib
from satcal.encoding.export import export
from satcal.puzzle.loading import load
puzzle = load("a-puzzle-a-day")
for options in ({}, {"encoding": "plain"}, {"encoding": "owner"}, {"encoding": "card-bitwise"},
                {"format": "opb"}, {"format": "dlx"}, {"format": "asp"}):
    written = "".join(export(puzzle, ("Oct", "6"), **options))
    print(hashlib.sha256(written.encode()).hexdigest())
"""


def test_the_bytes_do_not_depend_on_the_hash_seed():
    said = [
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ENCODINGS_FOLDER.parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert len(set(said[0].split())) == 7
