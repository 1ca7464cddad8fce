"""One specification of "exactly so many of these literals", run against every encoding."""

from __future__ import annotations

import doctest
import importlib
import itertools

import pytest

from helpers.solvers import models
from satcal.encoding import ENCODINGS, cardinality
from satcal.encoding.formula import Formula
from satcal.errors import OptionError

ONE_ONLY = [f"card-{name}" for name in cardinality.BOUND_ONE_ONLY]
PAIRS = [
    (name, bound)
    for name, bound in itertools.product(ENCODINGS, (1, 2, 3))
    if bound == 1 or name not in ONE_ONLY
]


def in_groups(count: int, width: int) -> list[list[int]]:
    """Return the literals 1 to count in groups of that width."""
    literals = list(range(1, count + 1))
    return [literals[first : first + width] for first in range(0, count, width)]


# also fewer literals than the bound, groups of different sizes, and negative literals
GROUPINGS = [
    *(in_groups(count, width) for count in (0, 1, 2, 3, 4, 5, 8, 13, 16) for width in (1, 3)),
    [[1], [2, 3], [4, 5, 6]],
    [[1, 2, 3, 4], [5]],
    [[1, 2], [3, 4], [5, 6], [7]],
    [[-1, 2], [3, -4], [-5]],
]


def exactly(name: str, groups: list[list[int]], bound: int) -> Formula:
    """Return the formula of one constraint over the literals of the groups."""
    count = max((abs(x) for group in groups for x in group), default=0)
    formula = Formula([f"option {number}" for number in range(1, count + 1)])
    ENCODINGS[name].exactly(formula, groups, bound)
    return formula


@pytest.mark.parametrize(("name", "bound"), PAIRS)
def test_so_many_literals_are_true_in_each_model_and_only_one_has_them_if_it_is_determined(
    name: str, bound: int
) -> None:
    determined = ENCODINGS[name].determined
    over_counts = False
    for groups in GROUPINGS:
        literals = {literal for group in groups for literal in group}
        expected = set()
        for true in map(set, itertools.combinations(literals, bound)):
            values = true | {-literal for literal in literals - true}
            expected.add(frozenset(value for value in values if value > 0))
        formula = exactly(name, groups, bound)
        assert len(set(map(frozenset, formula.clauses))) == len(formula.clauses)
        found = list(models(formula, shown_only=not determined))
        assert len(found) == len(expected)
        assert set(found) == expected
        if not determined:
            every = models(formula, shown_only=False)
            over_counts |= len(list(itertools.islice(every, len(expected) + 1))) > len(expected)
    assert over_counts == (not determined)


@pytest.mark.parametrize("name", ONE_ONLY)
def test_an_encoding_that_knows_only_the_bound_1_says_so_and_names_others(name: str) -> None:
    others = "use ladder, plain, owner, or one of card-seqcounter, card-sortnetwrk, "
    with pytest.raises(
        OptionError, match=f"^encoding {name} cannot express a bound of 2.*{others}"
    ):
        exactly(name, in_groups(5, 1), 2)


@pytest.mark.parametrize("module", ["plain", "owner", "ladder"])
def test_the_clauses_in_the_documentation_are_those_that_come_out(module: str) -> None:
    found = doctest.testmod(importlib.import_module(f"satcal.encoding.{module}"))
    assert found.attempted > 0
    assert not found.failed
