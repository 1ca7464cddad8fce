"""Covers by as many pieces as one likes, whatever their copies."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given

from helpers.puzzles import Small, small_puzzles
from satcal.published.covers import covers
from satcal.puzzle.loading import parse_puzzle


@given(small_puzzles())
def test_covers_are_those_of_brute_force(small):
    pieces, cells = small.spots(())
    spots = [spot for _, some, _ in pieces for spot in some]

    @cache
    def ways(free):
        fitting = [spot for spot in spots if spot <= free and min(free) in spot]
        return sum(ways(free - spot) for spot in fitting) if free else 1

    assert covers(small.load()) == ways(cells)


@pytest.mark.parametrize(("pieces", "number"), [("MDIV", 583), ("D", 0)])
def test_the_area_need_not_add_up(pieces, number):
    shapes = {"M": ("#",), "D": ("##",), "I": ("###",), "V": ("##", "#.")}
    square = Small((("*",) * 3,) * 3, {}, tuple((name, shapes[name], 1, True) for name in pieces))
    assert covers(parse_puzzle(square.text(), "square")) == number
