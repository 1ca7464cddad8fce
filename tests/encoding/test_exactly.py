"""One specification of "exactly so many of these literals", run against every encoding."""

from __future__ import annotations

import doctest
import importlib
import itertools
from math import comb

import pytest
from pysat.card import EncType
from pysat.solvers import Solver
from small import models

from satcal.encoding import ENCODINGS, cardinality
from satcal.encoding.formula import Formula
from satcal.errors import OptionError

ONE_ONLY = [f"card-{name}" for name in cardinality.BOUND_ONE_ONLY]
NOT_DETERMINED = [name for name, encoding in ENCODINGS.items() if not encoding.determined]
PAIRS = [
    (name, bound)
    for name, bound in itertools.product(ENCODINGS, (1, 2, 3))
    if bound == 1 or name not in ONE_ONLY
]
for_each = pytest.mark.parametrize(("name", "bound"), PAIRS)


def in_groups(count: int, width: int = 1) -> list[list[int]]:
    """Return the literals 1 to count in groups of that width."""
    literals = list(range(1, count + 1))
    return [literals[first : first + width] for first in range(0, count, width)]


# groups of different sizes, also with negative literals; fewer literals than the bound
GROUPINGS = [
    *map(in_groups, range(7)),
    [[1, 2, 3]],
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


@for_each
def test_an_assignment_satisfies_it_just_when_so_many_are_true(name: str, bound: int) -> None:
    for groups in GROUPINGS:
        literals = [literal for group in groups for literal in group]
        formula = exactly(name, groups, bound)
        assert len(set(map(frozenset, formula.clauses))) == len(formula.clauses)
        with Solver("minicard", bootstrap_with=formula.clauses) as solver:
            for at_most in formula.atmosts:
                solver.add_atmost(*at_most)
            for chosen in itertools.product(*((abs(x), -abs(x)) for x in literals)):
                true = len(set(literals).intersection(chosen))
                assert solver.solve(chosen) == (true == bound), groups


@for_each
def test_its_models_are_the_subsets_of_that_size(name: str, bound: int) -> None:
    found = list(models(exactly(name, in_groups(13), bound), shown_only=True))
    assert len(found) == comb(13, bound)
    assert set(found) == set(map(frozenset, itertools.combinations(range(1, 14), bound)))


@for_each
def test_its_literals_determine_its_auxiliaries_if_it_is_called_determined(
    name: str, bound: int
) -> None:
    # over two literals even those that are not determined seem to be
    excess = set()
    for count, width in itertools.product((3, 4, 5, 7, 8, 9, 12, 16), (1, 3)):
        formula = exactly(name, in_groups(count, width), bound)
        enough = comb(count, bound) + 1
        found = len(list(itertools.islice(models(formula, shown_only=False), enough)))
        excess.add(found - comb(count, bound))
    assert min(excess) >= 0
    assert max(excess) == (1 if name in NOT_DETERMINED else 0)


def test_exactly_the_three_known_encodings_are_not_determined() -> None:
    assert NOT_DETERMINED == ["card-sortnetwrk", "card-cardnetwrk", "card-totalizer"]


@pytest.mark.parametrize("name", ONE_ONLY)
def test_an_encoding_that_knows_only_the_bound_1_says_so_and_names_others(name: str) -> None:
    with pytest.raises(OptionError) as refused:
        exactly(name, in_groups(5), 2)
    assert str(refused.value) == (
        f"encoding {name} cannot express a bound of 2, which a piece with copies needs; "
        "use ladder, plain, owner, or one of card-seqcounter, card-sortnetwrk, card-cardnetwrk, "
        "card-totalizer, card-mtotalizer, card-kmtotalizer"
    )


def test_every_encoding_type_of_pysat_has_a_name_here() -> None:
    known = {name: number for name, number in vars(EncType).items() if isinstance(number, int)}
    assert known.pop(cardinality.NATIVE) == EncType.native
    assert known == cardinality.ENC_TYPES


@pytest.mark.parametrize("count", range(2, 9))
def test_plain_and_ladder_have_as_many_clauses_as_the_formulas_of_their_papers(count: int) -> None:
    for bound in (1, 2, 3):
        clauses = exactly("plain", in_groups(count), bound).clauses
        broken = comb(count, bound + 1) + comb(count, bound - 1)
        assert len(clauses) == (broken if count >= bound else 1)
    ladder = exactly("ladder", in_groups(count), 1)
    assert ladder.variables == 2 * count - 1
    assert len(ladder.clauses) == 4 * count - 4


def test_native_constraints_make_no_variable_and_say_at_most() -> None:
    formula = exactly("native", in_groups(5), 2)
    assert (formula.variables, formula.clauses) == (5, [])
    assert formula.atmosts == [([1, 2, 3, 4, 5], 2), ([-1, -2, -3, -4, -5], 3)]


@pytest.mark.parametrize("module", ["plain", "owner", "ladder"])
def test_the_clauses_in_the_documentation_are_those_that_come_out(module: str) -> None:
    found = doctest.testmod(importlib.import_module(f"satcal.encoding.{module}"))
    assert found.attempted > 0
    assert not found.failed
