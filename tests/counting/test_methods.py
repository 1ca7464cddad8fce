"""Every method meets the specification; whoever adds one adds its three lines here."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import need
from specification import Specification

from satcal.counting import verified
from satcal.counting.settings import METHODS, Settings
from satcal.errors import Missing, OptionError


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


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(OptionError) as refused:
        Settings(method="serch")
    assert str(refused.value) == (
        "no method 'serch'; the methods are diagram, sat, search, verified; did you mean 'search'?"
    )


@pytest.mark.parametrize(
    "options", [{"cubes": 5, "up_to_symmetry": True}, {"cubes": 5, "demands": (None,)}]
)
def test_cubes_cut_whole_dates(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="--cubes cuts whole dates"):
        Settings("sat", **options)  # type: ignore[arg-type]
