"""Covers by as many pieces as one likes, whatever their copies."""

from __future__ import annotations

from functools import cache

from hypothesis import given

from oracle import places, small_puzzles
from satcal.published.covers import count_covers


@given(small_puzzles())
def test_covers_are_those_of_brute_force(small):
    cells = small.free(())
    spots = [
        spot for faces in {each.faces for each in small.pieces} for spot in places(faces, cells)
    ]

    @cache
    def ways(free):
        fitting = [spot for spot in spots if spot <= free and min(free) in spot]
        return sum(ways(free - spot) for spot in fitting) if free else 1

    assert count_covers(small.load()) == ways(cells)
