"""The strict reader of a puzzle's text: what satcal writes is read, and read as it was meant."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.forger import ODD, edited
from oracle import TWO_EACH, small_puzzles
from satcal.certificates.lrat import convert_puzzle
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof import normal as checked
from satcal.proof.normal import digest, parse_normal_form
from satcal.puzzle import normal as written
from satcal.puzzle.calendar import Calendar
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


@given(small_puzzles())
def test_a_random_board_is_read_as_it_was_written(small):
    puzzle = small.load()
    assert convert_puzzle(parse_normal_form(puzzle.normal_form())) == plain(puzzle)


def test_names_of_months_in_every_language_are_characters_of_the_format():
    from babel import Locale, localedata

    for language in localedata.locale_identifiers():
        if "_" in language:
            continue  # its country changes no letters, and Mongolian script has separators
        locale = Locale.parse(language)
        for names in (*locale.months.values(), *locale.days.values()):
            for width in names.values():
                for name in width.values():
                    assert not written.OUTSIDE.search("".join(name.split())), (language, name)


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


@pytest.mark.parametrize("place", [0, 1, 40, 400])
def test_a_text_that_is_cut_off_is_refused(place):
    with pytest.raises(CertificateRefused, match="puzzle"):
        parse_normal_form(load("a-puzzle-a-day").normal_form()[:place])


def test_a_second_category_of_a_name_does_not_hide_the_first():
    text = TWO_EACH.load().normal_form()
    line = '"letter" = ["a", "b"]'
    assert line in text
    with pytest.raises(CertificateRefused):
        parse_normal_form(text.replace(line, f'"letter" = ["c"]\n{line}'))


def test_a_label_is_read_once_however_many_cells_it_has():
    rows = "".join(f"{' '.join('a' * 64)}\n" for _ in range(16))
    text = f'name = "x"\nboard = """\n{rows}"""\n\n[categories]\n"c" = ["a"]\n\n[pieces]\n'
    assert (
        len(parse_normal_form(text + 'I = { shape = "#", copies = 1, flip = true }\n').labels["a"])
        == 1024
    )
