"""The strict reader of a puzzle's text: what satcal writes is read, and read as it was meant."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.forger import ODD, edited
from oracle import small_puzzles
from satcal.certificates.lrat import convert_puzzle
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof import normal as checked
from satcal.proof.normal import digest, parse_normal_form
from satcal.puzzle import normal as written
from satcal.puzzle.calendar import NAMES, Calendar
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle


def plain(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with what a proof needs, and no more."""
    return replace(puzzle, title="", designer="", source="", calendar=Calendar())


def test_both_rooms_have_the_same_characters():
    assert checked.RANGES == written.RANGES


@pytest.mark.parametrize("name", library())
def test_a_library_board_is_read_as_it_was_written(name):
    puzzle = load(name)
    text = puzzle.normal_form()
    assert convert_puzzle(parse_normal_form(text)) == plain(puzzle)
    assert digest(text) == puzzle.digest


def test_names_of_months_in_every_language_are_characters_of_the_format():
    for line in NAMES.read_text("utf-8").splitlines():
        assert not written.OUTSIDE.search(line), line


@given(small_puzzles(), st.data())
def test_an_edited_text_is_refused_or_means_what_it_shows(small, data):
    text = small.load().normal_form()
    for _ in range(10):
        odd = data.draw(ODD)
        changed = data.draw(edited(text, odd) | edited(text.splitlines(keepends=True), [odd]))
        try:
            found = parse_normal_form("".join(changed))
        except (CertificateRefused, TooLarge):
            continue
        # what was read, written again, is read as the same
        again = parse_normal_form(convert_puzzle(found).normal_form())
        assert convert_puzzle(again) == convert_puzzle(found)
