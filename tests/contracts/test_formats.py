"""What every format has to do: be read by its solvers with the tilings of brute force."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from helpers.commands import run as output_of
from helpers.programs import need
from helpers.solvers import ENCODINGS_FOLDER, found_options, solve_dlx, solve_opb
from oracle import Piece, Reveal, Small, Tiling, as_tiling, rectangle, small_puzzles
from satcal.encoding.decode import read_formula
from satcal.encoding.export import FORMATS, export_text
from satcal.errors import Unsatisfiable
from satcal.external.answers import decode_answer
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placed import parse_place
from satcal.puzzle.placements import cover_of

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
QUESTIONS = {
    "nothing fits": (NOTHING_FITS, (), ""),
    "labels of a category": (SIGNS, None, ""),
    "copies": (COPIES, (), ""),
    "copies, all reveals, a placed copy": (OPEN_COPIES, None, "I2: r0c1 r0c2"),
}
"""A puzzle, a reveal or None for all, and the pieces that are placed."""


def solutions(small: Small, reveal: Reveal | None) -> set[tuple[Reveal, Tiling]]:
    """Return the tilings of a reveal, or of all, each with its reveal."""
    if reveal is None:
        return small.solutions()
    return {(reveal, tiling) for tiling in small.tilings(reveal)}


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
            assert {(reveal or labels, tiling) for labels, tiling in found} == every


@pytest.mark.parametrize("format", READ)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_solver_lists_what_brute_force_lists(name, format, tmp_path):
    need(SOLVERS[format])
    small, reveal, words = QUESTIONS[name]
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

    def test_its_head_names_the_question(self, format):
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
            assert read_formula(open_text, "here", format).head.reveal_on(puzzle) is None

    def test_a_strange_category_stays_inside_its_comment(self, format):
        puzzle, strange = SIGNS.load(), 'a\nb"|:'
        labels = {text: replace(label, category=strange) for text, label in puzzle.labels.items()}
        odd: Puzzle = replace(puzzle, labels=labels, categories={strange: ("ä", "#")})
        text = export_text(odd, None, format=format)
        assert 'a?b"|:' in text
        assert not [line for line in text.splitlines() if line.startswith("b")]


def test_knuths_text_and_equations_name_what_they_have_in_the_form_of_their_readers():
    text = export_text(LETTERS, None, format="dlx")
    assert "| #1 is the category letter\n| #2 is the category digit\nP V L4 #1 #2 r0c0" in text
    assert "\n2:2|I2 4:4|A r0c0" in export_text(COPIES.load(), (), format="dlx")
    lines = export_text(COPIES.load(), (), format="opb").splitlines()
    assert lines[0] == "* #variable= 18 #constraint= 10"
    assert "* var x1 place I2:r0c0,r0c1" in lines
    assert "* constraint 10 piece A" in lines
