"""Every method meets the specification; whoever adds one adds its three lines here."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import need
from specification import Specification

from satcal.counting import verified
from satcal.counting.settings import METHODS
from satcal.errors import Missing


class TestDiagram(Specification):
    name = "diagram"


class TestSat(Specification):
    name = "sat"


class TestSearch(Specification):
    name = "search"


class TestVerified(Specification):
    name = "verified"
    lists = turns = False

    @pytest.fixture(autouse=True)
    def program(self, monkeypatch: pytest.MonkeyPatch) -> None:
        built = Path(__file__).parents[2] / "theorem/build" / verified.NAME
        if built.is_file():
            monkeypatch.setenv("SATCAL_VERIFIED", str(built))
        try:
            verified.program()
        except Missing:
            need("coqc", "ocamlopt")
            pytest.skip(f"{verified.NAME} is not built: make theorem")


def test_every_method_is_specified() -> None:
    assert {each.name for each in Specification.__subclasses__()} == set(METHODS)
