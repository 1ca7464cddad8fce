"""What a run does when a worker dies, is late, or finds a fault that was planted."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from hypothesis import given, settings

from command import Clock
from oracle import Piece, Small, as_tiling, dominoes, rectangle, small_puzzles
from satcal.counting import run, sat
from satcal.counting.method import Meter, count_by_listing
from satcal.counting.run import Counted
from satcal.counting.sat import SOLVERS, Sat
from satcal.counting.search import MAX_PIECES, Search
from satcal.encoding import encode
from satcal.encoding.formula import Formula
from satcal.errors import BudgetExhausted, Disagreement, Missing, OptionError, Stopped, TooLarge
from satcal.puzzle import placements
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover

OCTOBER = [("Oct", "6"), ("Oct", "7")]


@dataclass(frozen=True)
class Misbehaving:
    """A method that does something else at the reveal of Oct 6."""

    act: Callable[[], object]
    name = "misbehaving"
    one_by_one = True

    def key(self) -> str:
        """Return nothing."""
        return ""

    def tilings(
        self, puzzle: Puzzle, reveal: Reveal, place: Sequence[Placement], meter: Meter
    ) -> Iterator[Tiling]:
        """Yield two tilings, after which Oct 6 misbehaves."""
        yield ()
        yield ()
        if reveal == ("Oct", "6"):
            for value in (meter.found, (1, 1, "stuck")):
                meter.told = 0.0
                meter.report(value)
            self.act()

    def counts(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement], meter: Meter
    ) -> dict[Reveal, int]:
        """Count to two."""
        return count_by_listing(self, puzzle, reveals, place, meter)


def die() -> None:
    """End this process as a killed one ends."""
    os._exit(1)


def sleep() -> None:
    """Be stuck, as in a solver's call."""
    signal.pause()


def fill_memory() -> None:
    """Find no memory."""
    raise MemoryError


@pytest.mark.usefixtures("own_children")
@pytest.mark.parametrize("act", [die, fill_memory])
def test_a_task_that_kills_its_worker_costs_no_other(
    daily: Puzzle, act: Callable[[], object]
) -> None:
    answers = {each.reveal: each for each in run.count(daily, OCTOBER, Misbehaving(act), jobs=1)}
    assert answers["Oct", "7"].complete
    assert (answers["Oct", "6"].complete, type(answers["Oct", "6"].error)) == (False, Stopped)


@pytest.mark.usefixtures("own_children")
def test_the_lower_bound_of_a_worker_that_is_stuck_is_not_lost(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("satcal.processes.time", clock)

    def pass_time(done: int, total: int, what: str) -> None:
        clock.later += 2e6

    until = clock.monotonic() + 1e6
    counting = run.count(daily, OCTOBER[:1], Misbehaving(sleep), until=until, progress=pass_time)
    (stuck,) = counting
    assert (stuck.tilings, stuck.complete, type(stuck.error)) == (2, False, BudgetExhausted)


def test_a_reader_that_leaves_ends_the_workers(
    daily: Puzzle, own_children: Callable[[], set[int]]
) -> None:
    counting = run.count(daily, OCTOBER, Misbehaving(sleep), jobs=2)
    assert next(counting).reveal == ("Oct", "7")
    counting.close()
    assert not own_children()


def test_the_tilings_of_a_child_are_those_of_the_method(daily: Puzzle) -> None:
    listed = list(run.tilings(daily, ("Oct", "6"), Search()))
    assert listed == list(Search().tilings(daily, ("Oct", "6"), (), Meter()))
    with pytest.raises(BudgetExhausted):
        list(run.tilings(daily, ("Oct", "6"), Search(), until=0.0))


# --- what sat and search promise beyond the contract ---------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@given(small=small_puzzles())
@settings(max_examples=8)
def test_every_solver_finds_what_brute_force_finds(solver: str, small: Small) -> None:
    encoding = "native" if solver in sat.NATIVE else "plain"
    for reveal in small.reveals[:2]:
        tilings = Sat(encoding, solver).tilings(small.load(), reveal, (), Meter())
        try:
            listed = [as_tiling(tiling) for tiling in tilings]
        except Missing:
            pytest.skip(f"this build of PySAT lacks {solver}")
        assert len(listed) == len(set(listed))
        assert set(listed) == small.tilings(reveal)


def test_an_encoder_that_lets_pieces_overlap_is_caught(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overlapping(cover: Cover, name: str, lemmas: str) -> tuple[Cover, Formula]:
        formula = encode(cover, "plain")
        formula.clauses = [clause for clause in formula.clauses if clause[0] > 0]
        return cover, formula

    monkeypatch.setattr(sat, "encode_with_lemmas", overlapping)
    with pytest.raises(Disagreement, match="covered"):
        next(Sat(lemmas="none").tilings(daily, ("Oct", "6"), (), Meter()))


def test_a_placement_that_is_not_a_copy_of_its_piece_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [Placement("L4", tuple((row, column) for column in range(4))) for row in range(2)]
    monkeypatch.setattr(placements, "placements", lambda puzzle, free: iter(lines))
    puzzle = rectangle(2, 4, Piece("L4", ("###", "#.."), 2)).load()
    with pytest.raises(Disagreement, match="L4"):
        list(Sat(lemmas="none").tilings(puzzle, (), (), Meter()))


def test_the_same_call_gives_the_same_order(daily: Puzzle) -> None:
    first, second = (list(Sat().tilings(daily, ("Oct", "6"), (), Meter())) for _ in range(2))
    assert first == second


def test_a_board_larger_than_a_word_is_counted() -> None:
    place = tuple(
        Placement("I2", ((row, column), (row, column + 1)))
        for row in (0, 1)
        for column in range(0, 26, 2)
    )
    assert Sat().counts(dominoes(2, 33).load(), [()], place, Meter()) == {(): 21}


@pytest.mark.parametrize(("rows", "columns"), [(10, 50), (9, 56)])
def test_search_takes_as_many_pieces_as_python_has_calls(rows: int, columns: int) -> None:
    pieces = rows * columns
    squares = rectangle(rows, columns, Piece("A", ("#",), pieces))
    tilings = Search().tilings(squares.load(), (), (), Meter())
    if pieces > MAX_PIECES:
        with pytest.raises(TooLarge):
            next(tilings)
    else:
        assert len(list(tilings)) == 1


@pytest.mark.parametrize(
    "method", [Sat(lemmas="single"), Search("rings"), Sat("native", "cadical195")]
)
def test_an_unknown_setting_is_refused(daily: Puzzle, method: Sat | Search) -> None:
    with pytest.raises(OptionError):
        next(method.tilings(daily, ("Oct", "6"), (), Meter()))


def test_differences_are_named_by_reveal_and_methods() -> None:
    counts = {"sat": {(): 0, ("Oct", "6"): 7}, "search": {(): 0, ("Oct", "6"): 0}}
    (sentence,) = run.differences(counts)
    assert all(word in sentence for word in ("Oct 6", "sat", "search", "7", "0"))


@pytest.mark.long
def test_all_372_reveals_sum_to_25061(daily: Puzzle) -> None:
    counted: list[Counted] = list(run.count(daily, list(daily.reveals()), Sat()))
    assert len(counted) == sum(each.complete for each in counted) == 372
    assert sum(each.tilings for each in counted) == 25_061
    with ThreadPoolExecutor(1) as executor:
        sample = [each.reveal for each in counted[::10]]
        by_search = run.count(daily, sample, Search(), executor=executor)
        expected = {each.reveal: each.tilings for each in counted}
        assert all(each.tilings == expected[each.reveal] for each in by_search)
