"""What sat and search promise beyond the contract; planted faults are found."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future

import pysolvers
import pytest
from hypothesis import given, settings
from pysat.solvers import NoSuchSolverError, Solver

from command import Deadline
from oracle import Piece, as_tiling, dominoes, rectangle, small_puzzles
from satcal.counting import run, sat
from satcal.counting.method import Meter
from satcal.counting.sat import SOLVERS, Sat
from satcal.counting.search import Search
from satcal.encoding import encode
from satcal.encoding.formula import Formula
from satcal.errors import BudgetExhausted, Disagreement, Missing, Stopped, TooLarge
from satcal.puzzle import placements
from satcal.puzzle.model import Placement, Tiling
from satcal.puzzle.placements import Cover


@pytest.mark.parametrize("solver", SOLVERS)
@given(small=small_puzzles())
@settings(max_examples=8)
def test_every_solver_finds_what_brute_force_finds(solver, small):
    encoding = "native" if solver in sat.NATIVE else "plain"
    for reveal in small.reveals[:2]:
        tilings = Sat(encoding, solver).tilings(small.load(), reveal, (), Meter())
        try:
            listed = [as_tiling(tiling) for tiling in tilings]
        except Missing:
            with pytest.raises(NoSuchSolverError):  # this build of PySAT lacks it
                Solver(name=solver)
            return
        assert len(listed) == len(set(listed))
        assert set(listed) == small.tilings(reveal)


def test_an_encoder_that_lets_pieces_overlap_is_caught(daily, monkeypatch):
    def overlapping(cover: Cover, name: str, lemmas: str) -> tuple[Cover, Formula]:
        formula = encode(cover, "plain")
        formula.clauses = [clause for clause in formula.clauses if clause[0] > 0]
        return cover, formula

    monkeypatch.setattr(sat, "encode_with_lemmas", overlapping)
    with pytest.raises(Disagreement, match="covered"):
        next(Sat(lemmas="none").tilings(daily, ("Oct", "6"), (), Meter()))


def test_a_placement_that_is_not_a_copy_of_its_piece_is_caught(monkeypatch):
    lines = [Placement("L4", tuple((row, column) for column in range(4))) for row in range(2)]
    monkeypatch.setattr(placements, "placements", lambda puzzle, free: iter(lines))
    puzzle = rectangle(2, 4, Piece("L4", ("###", "#.."), 2)).load()
    with pytest.raises(Disagreement, match="L4"):
        list(Sat(lemmas="none").tilings(puzzle, (), (), Meter()))


def test_the_same_call_gives_the_same_order(daily):
    first, second = (list(Sat().tilings(daily, ("Oct", "6"), (), Meter())) for _ in range(2))
    assert first == second


def test_search_takes_500_pieces_and_no_more():
    def tile(rows: int, columns: int) -> Iterator[Tiling]:
        squares = rectangle(rows, columns, Piece("A", ("#",), rows * columns))
        return Search().tilings(squares.load(), (), (), Meter())

    assert len(list(tile(10, 50))) == 1
    with pytest.raises(TooLarge):
        next(tile(9, 56))


def test_differences_are_named_by_reveal_and_methods():
    counts = {"sat": {(): 0, ("Oct", "6"): 7}, "search": {(): 0, ("Oct", "6"): 0}}
    (sentence,) = run.differences(counts)
    assert all(word in sentence for word in ("Oct 6", "sat", "search", "7", "0"))


@pytest.mark.parametrize(
    ("text", "kind"), [("Caught keyboard interrupt", KeyboardInterrupt), ("No space", Stopped)]
)
def test_only_ctrl_c_within_a_solver_is_ctrl_c(text, kind):
    class Failing:
        def solve(self) -> bool:
            raise pysolvers.error(text)

    with pytest.raises(kind) as caught:
        sat.is_satisfiable(Failing())
    assert kind is KeyboardInterrupt or text in str(caught.value)


@pytest.mark.parametrize("method", [Sat(), Search()])
def test_a_count_that_is_stopped_says_what_it_found(method):
    (answer,) = run.run_task(method, dominoes(6, 6).load(), [()], (), Deadline(1000))
    assert (answer.complete, type(answer.error)) == (False, BudgetExhausted)
    assert 0 < answer.tilings < 6728


@pytest.mark.parametrize(("reveals", "found"), [([("a",)], [7]), ([("a",), ("b",)], [0, 0])])
def test_a_worker_that_was_stopped_had_found_its_last_report(reveals, found):
    future: Future[list[run.Counted]] = Future()
    future.set_exception(BudgetExhausted("time limit reached", 7))
    answers = run.results(future, Sat(), reveals, False)
    assert [(answer.tilings, answer.complete) for answer in answers] == [(n, False) for n in found]


@pytest.mark.parametrize(("is_parallel", "advised"), [(False, False), (True, True)])
def test_memory_of_one_process_is_not_saved_by_fewer(is_parallel, advised):
    future: Future[list[run.Counted]] = Future()
    future.set_exception(MemoryError())
    (answer,) = run.results(future, Sat(), [("Oct", "6")], is_parallel)
    assert ("--jobs" in str(answer.error)) == advised
