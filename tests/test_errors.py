"""The exception tree: one exit code and one HTTP status a leaf, as the documentation says."""

from __future__ import annotations

import pickle
import re

import pytest

from satcal import errors
from satcal.errors import BudgetExhausted, SatcalError, did_you_mean


def family(parent: type[SatcalError]) -> list[type[SatcalError]]:
    found = [parent]
    for child in parent.__subclasses__():
        found += family(child)
    return found


ALL = [kind for kind in family(SatcalError) if kind.__module__ == "satcal.errors"]
DOCUMENTED = {
    name: (int(code), int(status))
    for name, code, status in re.findall(
        r"^[| ]*\+- (\w+) +(\d) +(\d{3})  ", errors.__doc__ or "", re.MULTILINE
    )
}


def test_the_table_in_the_documentation_lists_every_error() -> None:
    assert set(DOCUMENTED) == {kind.__name__ for kind in ALL} - {"SatcalError"}


@pytest.mark.parametrize("kind", ALL[1:], ids=lambda kind: kind.__name__)
def test_every_error_has_the_exit_code_and_http_status_of_the_table(
    kind: type[SatcalError],
) -> None:
    assert (kind.exit_code, kind.http_status) == DOCUMENTED[kind.__name__]


def test_the_table_shows_who_inherits_from_whom() -> None:
    lines = re.findall(r"^((?:\|  |   )*)\+- (\w+)", errors.__doc__ or "", re.MULTILINE)
    parents = ["SatcalError"]
    for indent, name in lines:
        depth = 1 + len(indent) // 3
        del parents[depth:]
        assert getattr(errors, name).__base__ is getattr(errors, parents[-1])
        parents.append(name)


def test_every_error_is_defined_in_one_module() -> None:
    assert {kind.__module__ for kind in family(SatcalError)} == {"satcal.errors"}


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_error_comes_home_from_a_process_unchanged(kind: type[SatcalError]) -> None:
    error = kind("cell r2c3: what is wrong, and the way out")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)
    assert copy.__dict__ == error.__dict__


def test_an_exhausted_budget_comes_home_with_its_lower_bound() -> None:
    copy = pickle.loads(pickle.dumps(BudgetExhausted("stopped", 42)))
    assert (str(copy), copy.found) == ("stopped", 42)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_error_takes_one_text_so_that_a_caller_can_say_where(
    kind: type[SatcalError],
) -> None:
    error = kind("b")
    assert str(type(error)(f"a: {error}")) == "a: b"


@pytest.mark.parametrize(
    ("typed", "known", "hint"),
    [
        ("Fbe", ["Jan", "Feb"], "; did you mean 'Feb'?"),
        ("RHOMBSU", ["rhombus", "weekday"], "; did you mean 'rhombus'?"),
        ("zzz", ["Jan", "Feb"], ""),
        ("x", [], ""),
    ],
)
def test_the_nearest_known_name_is_offered(typed: str, known: list[str], hint: str) -> None:
    assert did_you_mean(typed, known) == hint
