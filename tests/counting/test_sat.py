"""The method sat: four answers that stay apart, and a model counts only when it is a tiling."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from helpers.puzzles import Small, as_found, ask, domino_rectangle, small_puzzles
from satcal.counting import sat
from satcal.counting.count import count_one, count_reveals
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import (
    CONFLICT_BUDGET,
    SAT,
    Assignment,
    BySat,
    BySearch,
    solver_names,
)
from satcal.counting.tilings import tilings
from satcal.encoding import encode
from satcal.encoding.lemmas import LEVELS
from satcal.errors import Disagreement
from satcal.puzzle import placements
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import cover_of

SOLVERS = [name for name in solver_names() if name not in ("cryptosat", "minisatgh")]  # not built


def check(small: Small, **options: str) -> None:
    """Compare the tilings of some reveals with the brute force."""
    for reveal in small.reveals()[:2]:
        found = as_found(tilings(ask(small.load(), reveal), BySat(**options)))
        assert Counter(found) == Counter(small.tilings(reveal))


@pytest.mark.parametrize("solver", SOLVERS)
@given(small=small_puzzles())
@settings(max_examples=8)
def test_every_solver_finds_what_brute_force_finds(solver, small):
    check(small, solver=solver, encoding="plain")


@pytest.mark.parametrize("order", ["static", "free"])
@pytest.mark.parametrize("lemmas", LEVELS)
@given(small=small_puzzles())
@settings(max_examples=8)
def test_lemmas_and_decision_order_change_no_tiling(lemmas, order, small):
    check(small, lemmas=lemmas, order=order)


@pytest.mark.parametrize("solver", CONFLICT_BUDGET)
def test_a_conflict_budget_ends_in_unknown(solver):
    # unsatisfiable, but not by propagation; some look at their budget some hundred conflicts late
    hard = domino_rectangle(10, 10, corners=False).load()
    outcome = count_one(ask(hard, ()), BySat(solver=solver, conflicts=5, encoding="plain"))
    assert outcome == Outcome(Status.UNKNOWN, 0, "budget exhausted; tilings found so far: 0", 3)


@pytest.mark.parametrize("conflicts", [0, 200])
def test_a_conflict_budget_is_for_the_whole_count(daily, conflicts):
    method = BySat(conflicts=conflicts, lemmas="none")
    outcome = count_one(ask(daily, ("Jan", "25")), method)
    assert outcome.status is Status.UNKNOWN
    assert outcome.tilings < 216


def test_an_encoder_that_lets_pieces_overlap_is_caught(daily, monkeypatch):
    def overlapping(cover, name):
        formula = encode(cover, "plain")
        formula.clauses = [clause for clause in formula.clauses if clause[0] > 0]
        return formula

    monkeypatch.setattr(sat, "encode", overlapping)
    with pytest.raises(Disagreement, match="which is covered already"):
        next(tilings(ask(daily, ("Oct", "6")), BySat(lemmas="none")))


def test_a_placement_that_is_no_copy_of_its_piece_is_caught(two_l4, monkeypatch):
    lines = [Placement("L4", tuple((row, column) for column in range(4))) for row in range(2)]
    monkeypatch.setattr(placements, "placements", lambda puzzle, free: iter(lines))
    with pytest.raises(Disagreement, match="the cells of L4 are not a rotated or flipped copy"):
        list(tilings(ask(two_l4.load(), ()), BySat(lemmas="none")))


def test_an_open_cover_has_no_tilings_of_one_reveal(daily):
    with pytest.raises(ValueError, match="an open cover has no reveal"):
        next(sat.tilings(cover_of(daily, None)))


@pytest.mark.parametrize(
    ("options", "solver"),
    [
        ({}, "cadical195"),
        ({"conflicts": 9}, "glucose4"),
        ({"encoding": "native"}, "gluecard4"),
        ({"encoding": "native", "conflicts": 9}, "gluecard4"),
        ({"solver": "minisat22"}, "minisat22"),
    ],
)
def test_the_default_solver_depends_on_the_task(options, solver):
    assert BySat(**options).chosen_solver == solver


def test_the_same_call_gives_the_same_order(daily):
    first, second = (list(tilings(ask(daily, ("Oct", "6")), SAT)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("lemmas", ["auto", "single"])
def test_a_board_larger_than_a_word_is_counted(lemmas):
    puzzle = domino_rectangle(2, 33).load()
    placed = [f"I2:r{row}c{c},r{row}c{c + 1}" for row in (0, 1) for c in range(0, 26, 2)]
    question = ask(puzzle, (), place=placed)
    assert sum(1 for _ in tilings(question, BySat(lemmas=lemmas))) == 21


@pytest.mark.long
def test_all_372_reveals_sum_to_25061(daily):
    reveals = list(daily.reveals())
    counted = dict(count_reveals(Assignment(ask(daily, *reveals), SAT)))
    assert {outcome.status for outcome in counted.values()} == {Status.EXACT}
    assert len(counted) == 372
    assert sum(outcome.tilings for outcome in counted.values()) == 25_061
    sample = reveals[:: len(reveals) // 40][:40]
    by_search = dict(count_reveals(Assignment(ask(daily, *sample), BySearch())))
    assert by_search == {reveal: counted[reveal] for reveal in sample}
