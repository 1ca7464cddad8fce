"""The table of theorems with numbers is about the library, its tables and these proofs."""

import re
from pathlib import Path

import pytest

from satcal.proof.normal import parse_normal_form
from satcal.puzzle.loading import library, load
from satcal.puzzle.shapes import normalise
from tools.theorems import (
    THEOREM,
    axioms_in,
    known_axioms,
    read_table,
    sources_digest,
    statement,
    statement_digest,
)

ROWS = read_table()


def test_fifteen_puzzles_of_the_library_have_a_theorem():
    assert {row["puzzle"] for row in ROWS} < {*library()}
    assert len(ROWS) == len({row["puzzle"] for row in ROWS}) == 15


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["puzzle"])
def test_coq_proved_the_numbers_that_are_shipped(row):
    """``make theorem-long`` writes a row anew if the proofs, the drawing or a number changed."""
    assert row["sources"] == sources_digest()
    assert row["statement"] == statement_digest(row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["puzzle"])
def test_a_statement_has_the_cells_of_the_drawing(row):
    """Those of the board, of each label and of each piece, as the trusted base reads them."""
    puzzle = load(row["puzzle"])
    text = statement(puzzle, row["order"], row["axioms"])
    written = parse_normal_form(puzzle.normal_form())
    drawn = [written.cells]
    drawn += [written.labels[label] for each in written.categories.values() for label in each]
    drawn += [normalise(piece.squares) for piece in written.pieces for _ in range(piece.copies)]
    lists = re.findall(r"\[(\([^\[\]]*)\]", text.partition("Definition rows")[0])
    listed = [re.findall(r"\((\d+), (\d+)\)", cells) for cells in lists]
    stated = [sorted((int(row), int(column)) for row, column in cells) for cells in listed]
    assert stated == [*map(sorted, drawn), sorted(written.cells)]  # the last is their order
    assert text.count("%N)\n") == int(row["numbers"]) == len(list(puzzle.reveals()))


def test_the_theorem_that_make_compiles_is_the_one_about_a_puzzle_a_day():
    text = statement(load("a-puzzle-a-day"), "column", "63-bit integers")
    assert (THEOREM / "Numbers.v").read_text() == text


def test_an_axiom_that_is_not_listed_is_refused():
    assert {"PrimInt63.int", "Uint63.lor_spec"} <= known_axioms()
    assert axioms_in("Closed under the global context\n") == "none"
    assert axioms_in("Axioms:\nPrimInt63.int : Set\n") == "63-bit integers"
    with pytest.raises(ValueError, match="oracle"):
        axioms_in("Axioms:\nPrimInt63.int : Set\noracle : False\n")


def test_documents_say_how_many_numbers_are_theorems():
    statements = {row["statement"]: int(row["numbers"]) for row in ROWS}
    numbers = sum(int(row["numbers"]) for row in ROWS)
    stated = f"{len(ROWS)} of {len(library())}", f"{numbers:,}", f"{sum(statements.values()):,}"
    for document in ("README.md", "results/README.md", "theorem/README.md"):
        text = (Path(__file__).parents[2] / document).read_text()
        assert all(each in text for each in stated[: 2 if document == "README.md" else 3]), document
