"""What is legal in a puzzle file, but odd."""

from __future__ import annotations

import pytest

from oracle import TWO_EACH, Piece, Small, labels_alone, rectangle
from satcal.puzzle.calendar import DAYS, MONTHS
from satcal.puzzle.loading import library, load
from satcal.puzzle.oddities import find_oddities


@pytest.mark.parametrize("name", library())
def test_the_library_has_no_oddity_but_its_leap_days(name):
    assert [odd for odd in find_oddities(load(name)) if "no dates" not in odd] == []


PAIR, CORNER = Piece("D", ("##",)), Piece("V", ("##", "#."))
CUT_OFF = ((".", "*", "*"), ("*", ".", "*"))
ALWAYS_REVEALED = Small(((".", "*", "*"), ("x", ".", ".")), (PAIR,), (("c", ("x",)),))


@pytest.mark.parametrize(
    ("small", "words"),
    [
        (TWO_EACH, []),
        (rectangle(2, 4, Piece("L", ("###", "#..")), Piece("J", ("###", "..#"))), ["shape of L"]),
        (rectangle(1, 5, CORNER, PAIR), ["V fits nowhere"]),
        (labels_alone(months=MONTHS, day=DAYS), ["it lacks month"]),
        (labels_alone(month=["Feb"], day=["30", "1"]), ["'30'"]),
        (Small(CUT_OFF, (Piece("D", ("##",), 2),)), ["r1c0"]),
        (Small(CUT_OFF, (CORNER, Piece("M", ("#",)))), []),
        (ALWAYS_REVEALED, []),
    ],
)
def test_oddities_are_named(small, words):
    found = list(find_oddities(small.load()))
    assert len(found) == len(words)
    assert all(word in odd for word, odd in zip(words, found, strict=True))
