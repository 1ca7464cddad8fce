"""What every format has to do: be read by its solvers with the tilings of brute force."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from helpers.commands import run as output_of
from helpers.programs import need
from helpers.solvers import ENCODINGS_FOLDER, found_options, solve_dlx, solve_opb
from oracle import Piece, Reveal, Small, Tiling, as_tiling, rectangle, small_puzzles
from satcal.encoding import ENCODINGS, encode
from satcal.encoding.decode import read_formula
from satcal.encoding.export import FORMATS, export_text
from satcal.errors import OptionError, Unsatisfiable
from satcal.external.answers import decode_answer
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placed import parse_place
from satcal.puzzle.placements import cover_of

CLAUSES = [each.name for each in ENCODINGS.values() if each.dimacs]
READ = ("dimacs", "opb", "asp")
SOLVERS = {"dimacs": "clasp", "opb": "clasp", "asp": "clingo"}
LETTERS = load(str(ENCODINGS_FOLDER / "puzzles" / "letter-and-digit.toml"))
NOTHING_FITS = rectangle(1, 3, Piece("L", ("##", "#.")))
SQUARE = Small((("a", "*"), ("*", "b")), (Piece("V", ("##", "#.")),), (("x", ("a", "b")),))
SIGNS = Small(
    (("ä", "*", "*"), ("#", "*", "*")),
    (Piece("L4", ("###", "#..")), Piece("I", ("#",))),
    (("plain", ("ä", "#")),),
)


COPIES = rectangle(2, 4, Piece("I2", ("##",), 2), Piece("A", ("#",), 4))
OPEN_COPIES = Small(
    (("a", "*", "*", "1"), ("2", "*", "*", "b")),
    (Piece("I2", ("##",), 2), Piece("A", ("#",), 2)),
    (("letter", ("a", "b")), ("digit", ("1", "2"))),
)
ONE_FACE = rectangle(2, 4, Piece("L4", ("###", "#.."), 2, flip=False))
BOTH_FACES = rectangle(
    3,
    4,
    Piece("L", ("##", "#."), 2),
    Piece("J4", ("###", "..#"), 1, flip=False),
    Piece("I2", ("##",)),
)
ASKED = {
    "nothing fits": (NOTHING_FITS, (), ""),
    "labels of a category": (SIGNS, None, ""),
    "copies": (COPIES, (), ""),
    "a placed copy": (COPIES, (), "I2: r0c1 r1c1"),
    "copies, all reveals": (OPEN_COPIES, None, ""),
    "copies, all reveals, a placed copy": (OPEN_COPIES, None, "I2: r0c1 r0c2"),
    "one face": (ONE_FACE, (), ""),
    "one face beside others": (BOTH_FACES, (), ""),
}
"""A puzzle, a reveal or None for all, and the pieces that are placed."""


def solutions(small: Small, reveal: Reveal | None) -> set[tuple[Reveal, Tiling]]:
    """Return the tilings of a reveal, or of all, each with its reveal."""
    if reveal is None:
        return small.solutions()
    return {(reveal, tiling) for tiling in small.tilings(reveal)}


@pytest.mark.parametrize("name", CLAUSES)
@pytest.mark.parametrize("reveal", [("ä",), None])
def test_dimacs_names_and_shows_its_variables(name, reveal):
    puzzle = SIGNS.load()
    formula = encode(cover_of(puzzle, reveal), name)
    text = export_text(puzzle, reveal, encoding=name)
    head = re.search(r"^p cnf (\d+) (\d+)\n(c p show .*\n)", text, re.M)
    assert head
    assert (int(head[1]), int(head[2])) == (formula.variables, len(formula.clauses))
    assert head[3] == f"c p show {' '.join(map(str, range(1, formula.shown + 1)))} 0\n"
    body = text[head.end() :].splitlines()
    assert [[*map(int, line.split())] for line in body] == [[*c, 0] for c in formula.clauses]
    named = re.findall(r"^c var (\d+) \S.*$", text[: head.start()], re.M)
    assert [*map(int, named)] == list(range(1, formula.variables + 1))
    assert ("determined yes" in text) == ENCODINGS[name].determined
    assert text.startswith("c t mc\n" if ENCODINGS[name].determined else "c t pmc\n")


@given(small=small_puzzles())
def test_readers_of_knuths_text_and_of_equations_find_what_brute_force_finds(small):
    puzzle = small.load()
    for reveal in (*small.reveals, None):
        cover = cover_of(puzzle, reveal)
        every = solutions(small, reveal)
        for format, solver in (("opb", solve_opb), ("dlx", solve_dlx)):
            found = [
                found_options(cover, each)
                for each in solver(export_text(puzzle, reveal, format=format))
            ]
            assert len(found) == len(every)
            if reveal is not None:
                assert {tiling for _, tiling in found} == {tiling for _, tiling in every}


@pytest.mark.parametrize("format", READ)
@pytest.mark.parametrize("name", ASKED)
def test_a_solver_lists_what_brute_force_lists(name, format, tmp_path):
    need(SOLVERS[format])
    small, reveal, words = ASKED[name]
    puzzle, path = small.load(), tmp_path / f"tilings{FORMATS[format].suffix}"
    place = parse_place(puzzle, words)
    fixed = as_tiling(place)
    every = {each for each in solutions(small, reveal) if fixed <= each[1]}
    text = export_text(puzzle, reveal, format=format, place=place)
    path.write_text(text)
    wanted = "1" if format == "opb" else "0"  # of equations clasp prints the last model only
    answer = output_of(SOLVERS[format], "-n", wanted, str(path))
    formula = read_formula(text, path.name, format)
    if not every:
        with pytest.raises(Unsatisfiable):
            decode_answer(puzzle, answer, formula)
        return
    listed = [
        (each.reveal, as_tiling(each.tiling)) for each in decode_answer(puzzle, answer, formula)
    ]
    assert every.issuperset(listed)
    assert len(listed) == len(set(listed)) == (1 if format == "opb" else len(every))


@pytest.mark.parametrize("format", FORMATS)
class TestFormat:
    """The specification of every format."""

    def test_its_head_says_what_was_asked(self, format):
        puzzle = SQUARE.load()
        place = parse_place(puzzle, "V: r0c1 r1c0 r1c1")
        text = export_text(puzzle, ("a",), format=format, place=place)
        assert export_text(puzzle, ("a",), format=format, place=place) == text
        for words in (puzzle.digest, "reveal a", "place V:r0c1,r1c0,r1c1", "options 1"):
            assert words in text
        if format in READ:
            head = read_formula(text, "here", format).head
            assert head.reveal == "a"
            assert head.places == ("V:r0c1,r1c0,r1c1",)
            open_text = export_text(puzzle, None, format=format)
            assert read_formula(open_text, "here", format).head.is_open

    def test_a_strange_category_stays_inside_its_comment(self, format):
        puzzle, strange = SIGNS.load(), 'a\nb"|:'
        labels = {text: replace(label, category=strange) for text, label in puzzle.labels.items()}
        odd: Puzzle = replace(puzzle, labels=labels, categories={strange: ("ä", "#")})
        text = export_text(odd, None, format=format)
        assert 'a?b"|:' in text
        assert not [line for line in text.splitlines() if line.startswith("b")]

    def test_only_dimacs_has_encodings_and_lemmas(self, format):
        puzzle = SQUARE.load()
        for more in ({"encoding": "plain"}, {"lemmas": "closed"}):
            if format == "dimacs":
                assert export_text(puzzle, ("a",), format=format, **more)
            else:
                with pytest.raises(OptionError, match="--format dimacs"):
                    export_text(puzzle, ("a",), format=format, **more)


def test_knuths_text_has_multiplicities_for_copies_and_numbers_for_categories():
    two = rectangle(2, 4, Piece("L4", ("###", "#.."), 2)).load()
    assert "\n2:2|L4 r0c0 r0c1 " in export_text(two, (), format="dlx")
    written = export_text(LETTERS, None, format="dlx")
    assert "| #1 is the category letter\n| #2 is the category digit\nP V L4 #1 #2 r0c0" in written
    assert written.endswith("#1 r0c3\n#2 r3c0\n#2 r3c1\n#2 r3c2\n#2 r3c3\n")


def test_equations_name_their_variables_and_constraints_above_them():
    two = rectangle(2, 4, Piece("L4", ("###", "#.."), 2)).load()
    lines = export_text(two, (), format="opb").splitlines()
    assert lines[0] == "* #variable= 8 #constraint= 9"
    assert "* var x1 place L4:r0c0,r0c1,r0c2,r1c0" in lines
    assert "* constraint 9 piece L4" in lines
    assert lines[-1] == " ".join(f"+1 x{n}" for n in range(1, 9)) + " = 2 ;"
