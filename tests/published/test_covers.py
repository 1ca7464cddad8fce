"""Covers by as many pieces as one likes, whatever their copies."""

from __future__ import annotations

from functools import cache

from hypothesis import given

from helpers.puzzles import Small, small_puzzles
from satcal.published.covers import covers


@given(small_puzzles())
def test_covers_are_those_of_brute_force(small):
    pieces, cells = small.spots(())
    spots = [spot for _, some, _ in pieces for spot in some]

    @cache
    def ways(free):
        fitting = [spot for spot in spots if spot <= free and min(free) in spot]
        return sum(ways(free - spot) for spot in fitting) if free else 1

    assert covers(small.load()) == ways(cells)


def test_copies_do_not_matter():
    pieces = [("M", ("#",), 1), ("D", ("##",), 1), ("I", ("###",), 1), ("V", ("##", "#."), 1)]
    drawn = tuple((name, rows, copies, True) for name, rows, copies in pieces)
    assert covers(Small((("*",) * 3,) * 3, {}, drawn).load()) == 583
