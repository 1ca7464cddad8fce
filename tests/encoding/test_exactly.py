"""One specification of "exactly so many of these literals", run against every encoding."""

from __future__ import annotations

import doctest
import importlib
import itertools
from math import comb

import pytest
from pysat.solvers import Solver
from small import models

from satcal.encoding import ENCODINGS, cardinality
from satcal.encoding.formula import Formula
from satcal.errors import OptionError, TooLarge

ONE_ONLY = [f"card-{name}" for name in cardinality.BOUND_ONE_ONLY]
PAIRS = [
    (name, bound)
    for name, bound in itertools.product(ENCODINGS, (1, 2, 3))
    if bound == 1 or name not in ONE_ONLY
]
NOT_DETERMINED = [name for name, encoding in ENCODINGS.items() if not encoding.determined]

# groups of different sizes, also with negative literals
GROUPINGS = [
    [[1, 2, 3]],
    [[1], [2, 3], [4, 5, 6]],
    [[1, 2, 3, 4], [5]],
    [[1, 2], [3, 4], [5, 6], [7]],
    [[-1, 2], [3, -4], [-5]],
]

for_each = pytest.mark.parametrize(("name", "bound"), PAIRS)


def exactly(name: str, groups: list[list[int]], bound: int) -> Formula:
    """Return the formula of one constraint over the literals of the groups."""
    formula = Formula(max((abs(x) for group in groups for x in group), default=0))
    ENCODINGS[name].exactly(formula, groups, bound)
    return formula


def each_alone(count: int) -> list[list[int]]:
    """Return groups of one literal each."""
    return [[literal] for literal in range(1, count + 1)]


def satisfied(formula: Formula, assignment: tuple[bool, ...]) -> bool:
    """Return whether some values of the auxiliary variables satisfy the formula."""
    with Solver("minicard", bootstrap_with=formula.clauses) as solver:
        for literals, bound in formula.atmosts:
            solver.add_atmost(literals, bound)
        return solver.solve([v if value else -v for v, value in enumerate(assignment, start=1)])


@for_each
@pytest.mark.parametrize("count", range(7))
def test_an_assignment_satisfies_it_just_when_so_many_are_true(
    name: str, bound: int, count: int
) -> None:
    formula = exactly(name, each_alone(count), bound)
    for assignment in itertools.product((False, True), repeat=count):
        assert satisfied(formula, assignment) == (sum(assignment) == bound)


@for_each
@pytest.mark.parametrize("groups", GROUPINGS, ids=str)
def test_it_counts_literals_in_groups_and_negative_ones_alike(
    name: str, bound: int, groups: list[list[int]]
) -> None:
    formula = exactly(name, groups, bound)
    literals = [literal for group in groups for literal in group]
    for assignment in itertools.product((False, True), repeat=len(literals)):
        true = sum(assignment[abs(literal) - 1] == (literal > 0) for literal in literals)
        assert satisfied(formula, assignment) == (true == bound)


@for_each
@pytest.mark.parametrize("count", [7, 11, 16])
def test_its_models_are_the_subsets_of_that_size(name: str, bound: int, count: int) -> None:
    found = list(models(exactly(name, each_alone(count), bound), shown_only=True))
    expected = {frozenset(s) for s in itertools.combinations(range(1, count + 1), bound)}
    assert len(found) == len(expected)
    assert set(found) == expected


@for_each
def test_fewer_literals_than_the_bound_are_refuted_by_clauses_alone(name: str, bound: int) -> None:
    for count in range(bound):
        formula = exactly(name, each_alone(count), bound)
        with Solver("minicard", bootstrap_with=formula.clauses) as solver:
            assert not solver.solve()


@pytest.mark.parametrize("name", ONE_ONLY)
@pytest.mark.parametrize("bound", [2, 3])
def test_an_encoding_that_knows_only_the_bound_1_says_so_and_names_others(
    name: str, bound: int
) -> None:
    with pytest.raises(OptionError) as refused:
        exactly(name, each_alone(5), bound)
    assert str(refused.value) == (
        f"encoding {name} cannot express a bound of {bound}, which a piece with copies needs; "
        "use ladder, plain, owner, or one of card-seqcounter, card-sortnetwrk, card-cardnetwrk, "
        "card-totalizer, card-mtotalizer, card-kmtotalizer"
    )


@pytest.mark.parametrize(
    ("name", "bound"), [(n, b) for n, b in PAIRS if ENCODINGS[n].determined and n != "native"]
)
@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8, 9, 12, 16])
@pytest.mark.parametrize("width", [1, 3])
def test_its_literals_determine_its_auxiliaries_if_it_is_called_determined(
    name: str, bound: int, count: int, width: int
) -> None:
    literals = list(range(1, count + 1))
    groups = [literals[first : first + width] for first in range(0, count, width)]
    found = sum(1 for _ in models(exactly(name, groups, bound), shown_only=False))
    assert found == comb(count, bound)


@pytest.mark.parametrize("name", NOT_DETERMINED)
@pytest.mark.parametrize("bound", [1, 2, 3])
def test_an_encoding_is_called_not_determined_because_it_has_models_too_many(
    name: str, bound: int
) -> None:
    excess = {}
    for count in range(3, 17):
        enough = comb(count, bound) + 1
        found = itertools.islice(models(exactly(name, each_alone(count), bound), False), enough)
        excess[count] = len(list(found)) - comb(count, bound)
    assert max(excess.values()) == 1, excess
    assert min(excess.values()) >= 0, excess


@pytest.mark.parametrize("name", NOT_DETERMINED)
def test_over_two_literals_even_those_are_determined_so_that_two_prove_nothing(name: str) -> None:
    assert sum(1 for _ in models(exactly(name, each_alone(2), 1), shown_only=False)) == 2


def test_exactly_the_three_known_encodings_are_not_determined() -> None:
    assert NOT_DETERMINED == ["card-sortnetwrk", "card-cardnetwrk", "card-totalizer"]


def test_every_encoding_type_of_pysat_has_a_name_here() -> None:
    from pysat.card import EncType

    known = {name: number for name, number in vars(EncType).items() if isinstance(number, int)}
    assert {"native": known.pop("native")} == {"native": EncType.native}
    assert known == cardinality.ENC_TYPES


@for_each
def test_no_clause_is_there_twice(name: str, bound: int) -> None:
    for count in (1, 2, 3, 5, 8):
        clauses = exactly(name, each_alone(count), bound).clauses
        assert len({frozenset(clause) for clause in clauses}) == len(clauses)


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("bound", [1, 2, 3])
def test_plain_has_a_clause_for_each_way_to_have_one_too_many_or_one_too_few(
    count: int, bound: int
) -> None:
    clauses = exactly("plain", each_alone(count), bound).clauses
    expected = comb(count, bound + 1) + comb(count, bound - 1) if count >= bound else 1
    assert len(clauses) == expected


@pytest.mark.parametrize("count", range(2, 9))
def test_a_ladder_has_a_variable_for_each_step_but_the_last(count: int) -> None:
    formula = exactly("ladder", each_alone(count), 1)
    assert formula.variables == 2 * count - 1
    assert len(formula.clauses) == 4 * count - 4


@pytest.mark.parametrize("name", [name for name in ENCODINGS if name != "native"])
def test_every_variable_has_a_name_and_no_clause_a_variable_without_one(name: str) -> None:
    formula = exactly(name, each_alone(9), 1)
    used = {abs(literal) for clause in formula.clauses for literal in clause}
    assert max(used) <= formula.variables
    assert [formula.name(v) for v in range(1, 10)] == [f"option {v}" for v in range(1, 10)]
    assert all(formula.name(v) for v in range(10, formula.variables + 1))


def test_native_constraints_make_no_variable_and_say_at_most() -> None:
    formula = exactly("native", each_alone(5), 2)
    assert (formula.variables, formula.clauses) == (5, [])
    assert formula.atmosts == [([1, 2, 3, 4, 5], 2), ([-1, -2, -3, -4, -5], 3)]


@pytest.mark.parametrize(("count", "bound"), [(30, 12), (32, 24)])
def test_plain_refuses_more_clauses_than_memory_holds(count: int, bound: int) -> None:
    with pytest.raises(TooLarge, match="more than 5000000 steps"):
        exactly("plain", each_alone(count), bound)


@pytest.mark.parametrize("module", ["plain", "owner", "ladder"])
def test_the_clauses_in_the_documentation_are_those_that_come_out(module: str) -> None:
    found = doctest.testmod(importlib.import_module(f"satcal.encoding.{module}"))
    assert found.attempted > 0
    assert not found.failed
