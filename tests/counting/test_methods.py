"""Every method meets the specification; whoever adds one adds its three lines here."""

from __future__ import annotations

import pytest
from specification import Specification

from satcal.counting.settings import METHODS


class TestDiagram(Specification):
    name = "diagram"


class TestSat(Specification):
    name = "sat"


class TestSearch(Specification):
    name = "search"


@pytest.mark.usefixtures("program")
class TestVerified(Specification):
    name = "verified"
    lists = turns = places = False


def test_every_method_is_specified():
    assert {each.name for each in Specification.__subclasses__()} == set(METHODS)
