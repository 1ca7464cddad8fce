"""The exception tree: one exit code and one HTTP status a leaf, as the documentation says."""

import pickle
import re

import pytest

from satcal import errors
from satcal.errors import SatcalError, did_you_mean


def family(parent):
    return [parent, *(kind for child in parent.__subclasses__() for kind in family(child))]


ALL = family(SatcalError)


def test_the_table_of_the_documentation_is_the_tree_with_its_codes():
    parents = [SatcalError]
    line_of_a_class = r"^((?:\|  |   )*)\+- (\w+) +(\d) +(\d{3})  "
    for indent, name, code, status in re.findall(
        line_of_a_class, errors.__doc__ or "", re.MULTILINE
    ):
        kind = getattr(errors, name)
        assert (kind.exit_code, kind.http_status) == (int(code), int(status)), name
        del parents[1 + len(indent) // 3 :]
        assert kind.__base__ is parents[-1]
        parents.append(kind)
    listed = re.findall(r"\+- (\w+)", errors.__doc__ or "")
    assert {"SatcalError", *listed} == {kind.__name__ for kind in ALL}
    assert {kind.__module__ for kind in ALL} == {"satcal.errors"}


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_error_takes_one_text_and_comes_home_from_a_process_unchanged(kind):
    error = kind("cell r2c3: what is wrong, and the way out")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error) == "cell r2c3: what is wrong, and the way out"
    assert copy.__dict__ == error.__dict__


def test_the_nearest_known_name_is_offered():
    assert did_you_mean("Fbe", ["Jan", "Feb"]) == "; did you mean 'Feb'?"
    assert did_you_mean("RHOMBSU", ["rhombus", "weekday"]) == "; did you mean 'rhombus'?"
    assert did_you_mean("zzz", ["Jan", "Feb"]) == did_you_mean("x", []) == ""
