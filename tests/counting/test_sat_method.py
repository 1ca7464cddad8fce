"""The method sat: four answers that stay apart, and a model counts only when it is a tiling."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from small import Small, as_found, by_sat, domino_rectangle, small_puzzles

from satcal.counting import sat
from satcal.counting.count import count_one
from satcal.counting.sat import (
    CONFLICT_BUDGET,
    NATIVE,
    Answer,
    Loop,
    SatOptions,
    check_solver,
    solver_names,
)
from satcal.counting.settings import Settings, Status
from satcal.counting.tilings import sat_options, tilings
from satcal.encoding import encode
from satcal.encoding.formula import Formula
from satcal.errors import BudgetExhausted, Disagreement, OptionError, UnknownName
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands
from satcal.puzzle.placements import Cover, cover


def hard() -> Puzzle:
    """A chessboard without two opposite corners: unsatisfiable, but not by propagation."""
    return domino_rectangle(10, 10, corners=False).load()


def test_a_solver_call_says_sat_then_unsat_when_all_models_are_blocked(two_l4: Small) -> None:
    whole = cover(two_l4.load(), ())
    loop = Loop(whole, encode(whole), [], SatOptions())
    for _ in range(2):
        assert loop.solve() is Answer.SAT
        loop.add([-variable for variable in loop.chosen()])
    assert loop.solve() is Answer.UNSAT
    loop.close()


def test_assumptions_are_over_the_variables_of_the_formula(two_l4: Small) -> None:
    whole = cover(two_l4.load(), ())
    for order in ("static", "free"):
        loop = Loop(whole, encode(whole), [], SatOptions(order=order))
        for variable in range(1, len(whole.options) + 1):
            answer = loop.solve([variable])
            assert (answer is Answer.SAT) == (
                variable in loop.chosen() if answer is Answer.SAT else False
            )
            assert loop.solve([variable, -variable]) is Answer.UNSAT
        loop.close()


@pytest.mark.parametrize("solver", CONFLICT_BUDGET)
def test_a_conflict_budget_ends_in_unknown_and_never_in_unsat(solver: str) -> None:
    # some look at their budget at restarts only, some hundred conflicts late
    outcome = count_one(hard(), (), by_sat(solver=solver, conflicts=5, encoding="plain"))
    assert outcome.status is Status.UNKNOWN
    assert (outcome.tilings, outcome.exit_code) == (0, 3)
    assert outcome.message == "stopped by its budget after 0 tilings"


@pytest.mark.parametrize("solver", CONFLICT_BUDGET)
def test_a_conflict_budget_that_is_enough_changes_nothing(solver: str, daily: Puzzle) -> None:
    demands = tuple(parse_demands(daily, ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2"]))
    how = by_sat(solver=solver, conflicts=1_000_000, demands=demands)
    expected = count_one(daily, ("Dec", "25"), by_sat(demands=demands))
    assert count_one(daily, ("Dec", "25"), how) == expected
    assert expected.status is Status.EXACT
    assert expected.tilings > 0


@given(small=small_puzzles(solvable=True))
@settings(max_examples=40)
def test_with_any_budget_a_count_is_exact_or_unknown_and_a_lower_bound(small: Small) -> None:
    puzzle, reveal = small.load(), small.reveals()[0]
    expected = len(small.tilings(reveal))
    for conflicts in (0, 1, 3, 10):
        outcome = count_one(puzzle, reveal, by_sat(conflicts=conflicts))
        if outcome.status is Status.EXACT:
            assert outcome.tilings == expected
        else:
            assert outcome.status is Status.UNKNOWN
            assert outcome.tilings <= expected
            assert outcome.exit_code == 3


def test_a_conflict_budget_is_for_the_whole_count_and_not_for_each_call(daily: Puzzle) -> None:
    outcome = count_one(daily, ("Jan", "25"), by_sat(conflicts=200, lemmas="none"))
    assert outcome.status is Status.UNKNOWN
    assert outcome.tilings < 216


def test_a_deadline_that_has_passed_gives_unknown_at_once(daily: Puzzle) -> None:
    outcome = count_one(daily, ("Oct", "6"), by_sat(), deadline=time.monotonic())
    assert outcome.status is Status.UNKNOWN
    assert outcome.tilings == 0


def test_a_time_limit_stops_between_tilings_and_says_how_many_there_were(daily: Puzzle) -> None:
    found = []
    with pytest.raises(BudgetExhausted) as stopped:
        for tiling in tilings(daily, ("Jan", "25"), by_sat(time_limit=1.0)):
            found.append(tiling)
            time.sleep(0.05)
    assert stopped.value.found == len(found)
    assert len(found) < 216


@given(small=small_puzzles(solvable=True))
@settings(max_examples=15)
def test_an_encoder_that_forgets_a_clause_gives_the_right_count_or_a_disagreement(
    small: Small,
) -> None:
    puzzle, reveal = small.load(), small.reveals()[0]
    expected = len(small.tilings(reveal))
    whole = encode(cover(puzzle, reveal), "plain")
    for number in range(0, len(whole.clauses), 1 + len(whole.clauses) // 20):

        def forgetful(cover: Cover, name: str, number: int = number) -> Formula:
            formula = encode(cover, "plain")
            del formula.clauses[number]
            return formula

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sat, "encode", forgetful)
            try:
                assert sum(1 for _ in tilings(puzzle, reveal, by_sat(lemmas="none"))) == expected
            except Disagreement as fault:
                assert str(fault).startswith("a model of the formula is no tiling: ")


def test_an_encoder_that_lets_pieces_overlap_is_caught_by_the_verifier(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overlapping(cover: Cover, name: str) -> Formula:
        formula = encode(cover, "plain")
        formula.clauses = [clause for clause in formula.clauses if clause[0] > 0]
        return formula

    monkeypatch.setattr(sat, "encode", overlapping)
    with pytest.raises(Disagreement) as caught:
        next(tilings(daily, ("Oct", "6"), by_sat(lemmas="none")))
    assert "which is covered already" in str(caught.value)


def test_a_placement_that_is_no_copy_of_its_piece_is_caught_by_the_verifier(
    two_l4: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satcal.puzzle import placements
    from satcal.puzzle.model import Placement

    def wrong(puzzle, free):  # type: ignore[no-untyped-def]
        for row in range(2):
            yield Placement("L4", tuple((row, column) for column in range(4)))

    monkeypatch.setattr(placements, "placements", wrong)
    with pytest.raises(Disagreement, match="the cells of L4 are no rotated or flipped copy"):
        list(tilings(two_l4.load(), (), by_sat(lemmas="none")))


@pytest.mark.parametrize(
    "solver", [n for n in solver_names() if n not in ("cryptosat", "minisatgh")]
)
def test_a_cell_that_nothing_can_cover_is_unsat_in_every_solver(solver: str) -> None:
    pieces = (("I3", ("###",), 1, True), ("A", ("#",), 1, True))
    puzzle = Small((("*", "*"), ("*", "*")), {}, pieces).load()
    outcome = count_one(puzzle, (), by_sat(solver=solver, lemmas="none"))
    assert (outcome.status, outcome.tilings) == (Status.EXACT, 0)


def test_an_open_cover_is_refused_because_its_models_have_different_reveals(daily: Puzzle) -> None:
    with pytest.raises(ValueError, match="an open cover has no reveal"):
        next(sat.tilings(cover(daily, None)))


def test_the_default_solver_depends_on_what_is_asked_of_it() -> None:
    assert SatOptions().chosen_solver() == "cadical195"
    assert SatOptions(conflicts=9).chosen_solver() == "glucose4"
    assert SatOptions(encoding="native").chosen_solver() == "gluecard4"
    assert SatOptions(encoding="native", conflicts=9).chosen_solver() == "gluecard4"


@pytest.mark.parametrize("solver", NATIVE)
def test_native_constraints_work_in_every_solver_that_has_them(solver: str, two_l4: Small) -> None:
    found = as_found(tilings(two_l4.load(), (), by_sat(solver=solver, encoding="native")))
    assert set(found) == two_l4.tilings(())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            SatOptions(solver="cadical19"),
            UnknownName,
            r"no solver 'cadical19'; the solvers are .*; did you mean 'cadical195'\?",
        ),
        (
            SatOptions(solver="kissat404"),
            OptionError,
            "solver kissat404 is not incremental, so it cannot enumerate; use cadical195",
        ),
        (
            SatOptions(solver="cadical195", encoding="native"),
            OptionError,
            "solver cadical195 takes no native constraints; use gluecard4, gluecard3, minicard",
        ),
        (
            SatOptions(solver="cadical195", conflicts=10),
            OptionError,
            "solver cadical195 takes no conflict budget; use --time-limit, or one of gluecard3",
        ),
        (SatOptions(encoding="ladders"), UnknownName, "did you mean 'ladder'"),
    ],
)
def test_what_a_solver_cannot_do_is_refused_with_the_way_out(
    options: SatOptions, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        options.chosen_solver()


def test_solvers_that_cannot_enumerate_are_not_listed() -> None:
    assert "kissat404" not in solver_names()
    assert check_solver("minisat22") == "minisat22"
    assert set(CONFLICT_BUDGET) | set(NATIVE) < set(solver_names())


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(OptionError) as refused:
        Settings(method="serch")
    assert str(refused.value) == (
        "no method 'serch'; the methods are diagram, sat, search, verified; did you mean 'search'?"
    )


def test_settings_reach_the_method() -> None:
    made = sat_options(by_sat(solver="glucose4", lemmas="none", order="free", conflicts=7), 1.5)
    assert made == SatOptions("ladder", "glucose4", "none", "free", 7, 1.5)


def test_the_same_call_gives_the_same_tilings_in_the_same_order(daily: Puzzle) -> None:
    first, second = (list(tilings(daily, ("Dec", "1"), by_sat())) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("lemmas", ["auto", "single"])
def test_a_board_larger_than_a_word_is_counted(lemmas: str) -> None:
    puzzle = domino_rectangle(2, 33).load()
    placed = [f"I2:r{row}c{c},r{row}c{c + 1}" for row in (0, 1) for c in range(0, 26, 2)]
    how = by_sat(lemmas=lemmas, demands=tuple(parse_demands(puzzle, placed)))
    assert sum(1 for _ in tilings(puzzle, (), how)) == 21


def test_the_library_puzzle_of_a_file_and_of_its_name_have_the_same_tilings(
    tmp_path: Path, daily: Puzzle
) -> None:
    from satcal.puzzle.loading import library_text

    path = tmp_path / "copy.toml"
    path.write_text(library_text("a-puzzle-a-day"), encoding="utf-8")
    reveal = daily.reveal("2025-10-06")
    assert list(tilings(load(str(path)), reveal, by_sat())) == list(
        tilings(daily, reveal, by_sat())
    )
