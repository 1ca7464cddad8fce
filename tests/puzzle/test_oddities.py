"""What is legal in a puzzle file, but odd."""

from __future__ import annotations

import pytest

from oracle import TWO_EACH, Piece, Small, rectangle
from satcal.puzzle.calendar import DAYS, MONTHS
from satcal.puzzle.loading import library, load
from satcal.puzzle.oddities import oddities


@pytest.mark.parametrize("name", library())
def test_the_library_has_no_oddity_but_its_leap_days(name: str) -> None:
    assert [odd for odd in oddities(load(name)) if "no dates" not in odd] == []


def calendar(month: str, days: tuple[str, ...] = DAYS) -> Small:
    """Return a board with all months under some name."""
    area = 12 + len(days) - 2
    categories = ((month, MONTHS), ("day", days))
    return Small(((*MONTHS, *days),), (Piece("I", ("#" * area,)),), categories)


@pytest.mark.parametrize(
    ("small", "words"),
    [
        (TWO_EACH, []),
        (
            rectangle(2, 4, Piece("L", ("###", "#..")), Piece("J", ("###", "..#"))),
            ["J has the shape of L"],
        ),
        (rectangle(1, 5, Piece("V", ("##", "#.")), Piece("D", ("##",))), ["V fits nowhere"]),
        (calendar("months"), ["'months' may be 'month'"]),
        (
            Small(
                (("Feb", "30", "*"),),
                (Piece("M", ("#",)),),
                (("month", ("Feb",)), ("day", ("30",))),
            ),
            ["'Feb'", "'30'"],
        ),
    ],
)
def test_oddities_are_named(small: Small, words: list[str]) -> None:
    found = list(oddities(small.load()))
    assert len(found) >= len(words)
    assert all(any(word in odd for odd in found) for word in words)
    assert bool(found) == bool(words)


def test_a_cell_that_no_piece_can_reach_is_odd() -> None:
    cut_off = Small(((".", "*", "*"), ("*", ".", "*")), (Piece("D", ("##",), 2),))
    assert any("r1c0" in odd for odd in oddities(cut_off.load()))
    reached = Small(
        ((".", "*", "*"), ("*", ".", "*")), (Piece("V", ("##", ".#")), Piece("M", ("#",)))
    )
    assert list(oddities(reached.load())) == []


def test_a_cell_that_is_always_revealed_needs_no_piece() -> None:
    labelled = Small(((".", "*", "*"), ("x", ".", ".")), (Piece("D", ("##",)),), (("c", ("x",)),))
    assert list(oddities(labelled.load())) == []
