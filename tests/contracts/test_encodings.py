"""What every encoding has to do: have the tilings of brute force as its models, and no others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import assume, given
from pysat.solvers import Solver

from oracle import Piece, Reveal, Small, Tiling, as_tiling, rectangle, small_puzzles
from satcal.encoding import ENCODINGS, encode, encode_with_lemmas, plain
from satcal.encoding.formula import Formula, constraints
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.model import Label
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover, cover_of

ONE_ONLY = {"card-pairwise", "card-bitwise", "card-ladder"}
MANY = 100  # more tilings make a test slow and no better
NOTHING_FITS = rectangle(1, 3, Piece("V", ("##", "#.")))
COPIES = rectangle(2, 4, Piece("I2", ("##",), 2), Piece("A", ("#",), 4))


def models(formula: Formula, shown: bool) -> Iterator[frozenset[int]]:
    """Yield the models of a formula as sets of true variables; ``shown``: of the options alone."""
    seen = formula.shown if shown else formula.variables
    with Solver(name="gluecard4" if formula.atmosts else "cadical195") as solver:
        for clause in formula.clauses:
            solver.add_clause(clause)
        for literals, bound in formula.atmosts:
            solver.add_atmost(literals, bound)
        while solver.solve():
            values = {v for v in solver.get_model() or [] if abs(v) <= seen}
            values |= {-v for v in range(1, seen + 1) if v not in values and -v not in values}
            yield frozenset(v for v in values if v > 0)
            solver.add_clause([-v for v in values])


def has_more_models(formula: Formula, number: int) -> bool:
    """Return whether a formula has more models than that, also in its auxiliary variables."""
    return next(itertools.islice(models(formula, False), number, None), None) is not None


def solution(cover: Cover, model: frozenset[int]) -> tuple[Reveal, Tiling]:
    """Return the reveal and the tiling that a model of an open cover means."""
    options = [cover.options[v - 1] for v in sorted(model)]
    texts = {option.category: option.text for option in options if isinstance(option, Label)}
    reveal = tuple(texts[category] for category in cover.puzzle.categories)
    return reveal, as_tiling(option for option in options if not isinstance(option, Label))


def can(name: str, small: Small) -> bool:
    """Return whether an encoding can write a puzzle."""
    return name not in ONE_ONLY or all(piece.copies == 1 for piece in small.load().pieces)


@pytest.mark.parametrize("name", ENCODINGS)
class TestEncoding:
    """The specification, for each name."""

    @given(small=small_puzzles())
    def test_its_models_are_the_tilings(self, name, small):
        assume(can(name, small))
        reveal = small.reveals[0]
        expected = small.tilings(reveal)
        assume(len(expected) < MANY)
        cover = cover_of(small.load(), reveal)
        found = [
            as_tiling(cover.tiling(v - 1 for v in m)) for m in models(encode(cover, name), True)
        ]
        assert len(found) == len(expected)
        assert set(found) == expected

    @given(small=small_puzzles())
    def test_its_open_models_are_the_tilings_of_all_reveals(self, name, small):
        assume(can(name, small))
        expected = small.solutions()
        assume(len(expected) < MANY)
        cover = cover_of(small.load(), None)
        formula = encode(cover, name)
        found = [solution(cover, model) for model in models(formula, True)]
        assert len(found) == len(expected)
        assert set(found) == expected
        if ENCODINGS[name].determined and ENCODINGS[name].dimacs:
            assert not has_more_models(formula, len(expected))

    @pytest.mark.parametrize("small", [NOTHING_FITS, COPIES], ids=["nothing fits", "copies"])
    def test_it_writes_the_border_cases(self, name, small):
        if not can(name, small):
            with pytest.raises(OptionError):
                encode(cover_of(small.load(), ()), name)
            return
        cover = cover_of(small.load(), ())
        assert sum(1 for _ in models(encode(cover, name), True)) == len(small.tilings(()))

    def test_no_two_variables_have_the_same_name(self, name):
        small = rectangle(2, 4, Piece("V", ("##", "#.")), Piece("W", ("###", "##.")))
        names = encode(cover_of(small.load(), ()), name).names
        assert len(set(names)) == len(names)

    @pytest.mark.parametrize("bound", [1, 2, 3])
    def test_as_many_literals_are_true_as_the_bound_says(self, name, bound):
        if bound > 1 and name in ONE_ONLY:
            with pytest.raises(OptionError):
                exactly(name, [[1], [2], [3]], bound)
            return
        twice = False
        for groups in GROUPS:
            literals = sorted({literal for group in groups for literal in group})
            found = list(models(formula := exactly(name, groups, bound), True))
            assert len(found) == len(set(found))
            assert len(set(map(frozenset, formula.clauses))) == len(formula.clauses)
            assert set(found) == with_true(literals, bound)
            if name != "native":
                twice |= has_more_models(formula, len(found))
        assert twice == (not ENCODINGS[name].determined)


GROUPS = [
    *([[n] for n in range(1, count + 1)] for count in (0, 1, 2, 3, 4, 5, 8)),
    *([list(range(1, count + 1))] for count in (1, 2, 3, 4)),
    [[1], [2, 3], [4, 5, 6]],
    [[1, 2, 3, 4], [5]],
    [[-1, 2], [3, -4], [-5]],
]
"""Fewer literals than the bound, as many, more; groups of all sizes; negative literals."""


def exactly(name: str, groups: Sequence[Sequence[int]], bound: int) -> Formula:
    """Return the formula of one constraint."""
    largest = max((abs(x) for group in groups for x in group), default=0)
    formula = Formula([f"option {n}" for n in range(1, largest + 1)])
    ENCODINGS[name].exactly(formula, groups, bound)
    return formula


def with_true(literals: list[int], bound: int) -> set[frozenset[int]]:
    """Return the sets of true variables that make so many literals true."""
    found = set()
    for chosen in itertools.combinations(literals, bound):
        values = {*chosen, *(-x for x in literals if x not in chosen)}
        found.add(frozenset(value for value in values if value > 0))
    return found


# --- single encodings ----------------------------------------------------------------------------


@given(small=small_puzzles())
def test_plain_writes_no_clause_twice_also_with_few_options_left(small):
    puzzle = small.load()
    cover = cover_of(puzzle, small.reveals[0])
    placed = [cover_with(puzzle, cover.reveal, [one]) for one in cover.placements[:3]]
    for each in (cover, cover_of(puzzle, None), *placed):
        clauses = [frozenset(clause) for clause in encode(each, "plain").clauses]
        assert len(set(clauses)) == len(clauses)
        assert {frozenset(literals) for _, _, literals in constraints(each)} <= set(clauses)


def test_plain_needs_no_clause_for_copies_that_fill_the_board():
    cover = cover_of(rectangle(32, 32, Piece("A", ("#",), 1024)).load(), ())
    assert len(encode(cover, "plain").clauses) == 1024 + 1


@pytest.mark.parametrize("name", ["plain", "owner"])
def test_copies_that_take_too_many_clauses_are_refused(name, monkeypatch):
    small = rectangle(4, 4, Piece("I2", ("##",), 5), Piece("R", ("###", "###")))
    cover = cover_of(small.load(), ())
    assert encode(cover, name).clauses
    monkeypatch.setattr(plain, "MAX_CLAUSES", 1000)
    with pytest.raises(TooLarge):
        encode(cover, name)


# --- lemmas --------------------------------------------------------------------------------------


@given(small=small_puzzles())
def test_lemmas_exclude_no_tiling_of_any_reveal(small):
    """Of one reveal: ``TestSat`` in test_methods.py."""
    expected = small.solutions()
    assume(len(expected) < MANY)
    cover, formula = encode_with_lemmas(cover_of(small.load(), None), "ladder", "closed")
    found = [solution(cover, model) for model in models(formula, True)]
    assert len(found) == len(expected)
    assert set(found) == expected
