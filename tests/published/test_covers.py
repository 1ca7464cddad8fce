"""Covers by as many pieces as one likes, whatever their copies."""

from __future__ import annotations

from functools import cache

from hypothesis import given

from oracle import Piece, places, rectangle, small_puzzles
from satcal.published.covers import covers


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

    assert covers(small.load()) == ways(cells)


def test_copies_do_not_matter():
    shapes = {"M": ("#",), "D": ("##",), "I": ("###",), "V": ("##", "#.")}
    pieces = [Piece(name, rows) for name, rows in shapes.items()]
    assert covers(rectangle(3, 3, *pieces).load()) == 583
