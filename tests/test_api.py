"""The Python interface: names exported once, and errors that say what went wrong."""

from __future__ import annotations

import pytest
from small import domino_rectangle

import satcal
from satcal.errors import BudgetExhausted, RevealError, UnknownName


def test_every_exported_name_is_there_and_nothing_else_is():
    assert all(getattr(satcal, name) for name in satcal.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        satcal.nothing


def test_all_methods_count_the_same_and_in_the_order_asked_for(daily):
    reveals = [("Oct", "6"), ("Dec", "1"), ("Oct", "7")]
    by_diagram = satcal.count_all(daily, reveals)
    assert list(by_diagram) == reveals
    assert by_diagram == satcal.count_all(daily, reveals, method="sat", jobs=1)
    assert by_diagram["Oct", "6"] == satcal.count(daily, ("Oct", "6"), method="search") == 7


def test_the_diagram_counts_more_tilings_than_could_be_listed():
    board = domino_rectangle(14, 14).load()
    assert satcal.count(board, ()) == 112_202_208_776_036_178_000_000


def test_without_reveals_all_are_counted(daily):
    counts = satcal.count_all(daily)
    assert (len(counts), sum(counts.values())) == (372, 25_061)


def test_what_is_placed_can_be_said_in_text(daily):
    every = list(satcal.tilings(daily, daily.reveal("2025-10-06"), method="sat"))
    first = str(every[0][0])
    some = satcal.count(daily, daily.reveal("2025-10-06"), place=[first])
    assert some == sum(first in map(str, tiling) for tiling in every)


def test_bad_input_is_an_error_of_its_own_kind(daily):
    with pytest.raises(RevealError, match="has no label 'Okt'"):
        satcal.count_all(daily, [("Okt", "6")])
    with pytest.raises(BudgetExhausted):
        satcal.count_all(daily, method="sat", time_limit=0)
    with pytest.raises(UnknownName, match="did you mean 'rhombus'"):
        satcal.load("rombus")
