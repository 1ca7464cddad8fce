"""Every method meets the specification; whoever adds one adds its three lines at the end."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings

from helpers.puzzles import Drawn, Small, as_found, ask, domino_rectangle, small_puzzles
from satcal.counting.count import RevealOutcome, count_one, count_reveals
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import METHODS, Assignment, Method, Question, Run, method_of
from satcal.counting.tilings import tilings
from satcal.errors import BudgetExhausted, OptionError

L4: Drawn = ("L4", ("###", "#.."), 1, True)
J4: Drawn = ("J4", ("###", "..#"), 1, True)
I2: Drawn = ("I2", ("##",), 3, True)
TWO_BY_FOUR = (("*",) * 4,) * 2
AS_USUAL = Run()
OVER_AND_OVER = settings(max_examples=40, suppress_health_check=list(HealthCheck))
MONTHS = Small(
    (("Jan", "Jan", "*"), ("*", "Feb", "*"), (".", "Feb", "*")), {"month": ("Jan", "Feb")}, (I2,)
)


def one_face(piece: Drawn) -> Drawn:
    return (*piece[:3], False)


KNOWN = {
    "dominoes in two rows are a Fibonacci number": (domino_rectangle(2, 6), 13),
    "a cell that nothing covers": (
        Small((("*",) * 2,) * 2, {}, (("I3", ("###",), 1, True), ("A", ("#",), 1, True))),
        0,
    ),
    "a chessboard without two corners": (domino_rectangle(4, 4, corners=False), 0),
    "two L4 in a rectangle": (
        Small(TWO_BY_FOUR, {}, ((*L4[:2], 2, True),)),
        2,
    ),
    "copies under two names": (Small(TWO_BY_FOUR, {}, (L4, J4)), 2),
    "no copies if not turned over": (Small(TWO_BY_FOUR, {}, (one_face(L4), one_face(J4))), 0),
    "one may be turned over, one may not": (
        Small(TWO_BY_FOUR, {}, (("A", *L4[1:]), ("B", *one_face(L4)[1:]))),
        2,
    ),
    "wide labels, and cells without a label": (MONTHS, 1),
}
"""Puzzles, and the tilings of each of their reveals."""


class Specification:
    """What every method has to do: counts, tilings, conditions and budgets.

    ``lists``, ``turns`` and ``places`` say what is left out.
    """

    name: str
    lists = True
    turns = True
    places = True

    @property
    def method(self) -> Method:
        return method_of(self.name, use_cache=False)

    def run(self, question: Question, run: Run = AS_USUAL) -> list[RevealOutcome]:
        assignment = Assignment(question, self.method, run)
        return list(count_reveals(assignment, ThreadPoolExecutor))

    def count(self, question: Question) -> int:
        outcome = count_one(question, self.method)
        assert (outcome.status, outcome.message, outcome.exit_code) == (Status.EXACT, "", 0)
        return outcome.tilings

    @given(small=small_puzzles())
    @OVER_AND_OVER
    def test_counts_and_tilings_are_those_of_brute_force(self, small):
        puzzle = small.load()
        for reveal in small.reveals()[:3]:
            expected = small.tilings(reveal)
            assert self.count(ask(puzzle, reveal)) == len(expected)
            if self.lists:
                listed = as_found(tilings(ask(puzzle, reveal), self.method))
                assert Counter(listed) == Counter(expected)

    @pytest.mark.parametrize(("small", "number"), KNOWN.values(), ids=KNOWN)
    def test_known_puzzles_have_their_numbers(self, small, number):
        for reveal in small.reveals():
            assert self.count(ask(small.load(), reveal)) == number == len(small.tilings(reveal))

    @pytest.mark.parametrize("text", ["V:r4c0,r5c0,r6c0,r6c1,r6c2", "O@r6c0"])
    def test_what_is_placed_is_in_every_tiling(self, daily, text):
        question = ask(daily, ("Dec", "1"), place=[text])
        (demand,) = question.demands
        if not self.places:
            with pytest.raises(OptionError, match="does not support --place"):
                Assignment(question, self.method)
            return
        covered = [
            {cell for each in tiling if each.piece == demand.piece for cell in each.cells}
            for tiling in tilings(ask(daily, ("Dec", "1")))
        ]
        meeting = sum(cells.issuperset(demand.cells) for cells in covered)
        assert self.count(question) == meeting > 0

    def test_up_to_symmetry_each_class_counts_once(self):
        puzzle = domino_rectangle(2, 3).load()
        classes = ask(puzzle, (), up_to_symmetry=True)
        if not self.turns:
            with pytest.raises(OptionError, match="leave out --up-to-symmetry"):
                Assignment(classes, self.method)
            return
        assert self.count(ask(puzzle, ())) == 3
        assert self.count(classes) == 2

    def test_what_is_out_of_time_is_unknown_and_not_zero(self):
        puzzle = MONTHS.load()
        outcomes = dict(self.run(ask(puzzle, *puzzle.reveals()), Run(time_limit=0.0)))
        assert set(outcomes) == set(puzzle.reveals())
        alone = count_one(ask(puzzle, ("Jan",)), self.method, deadline=time.monotonic())
        for outcome in (alone, *outcomes.values()):
            assert (outcome.status, outcome.tilings, outcome.exit_code) == (Status.UNKNOWN, 0, 3)

    def test_a_run_has_each_reveal_once_as_published(self, daily):
        reveals = [("Oct", "6"), ("Dec", "1"), ("Oct", "6")]
        outcomes = self.run(ask(daily, *reveals))
        assert sorted(outcomes) == [
            (("Dec", "1"), Outcome(Status.EXACT, 26)),
            (("Oct", "6"), Outcome(Status.EXACT, 7)),
        ]
        assert self.run(ask(daily)) == []

    def test_a_listing_ends_at_the_deadline(self, two_l4, monkeypatch):
        if not self.lists:
            with pytest.raises(OptionError, match="cannot list tilings"):
                tilings(ask(two_l4.load(), ()), self.method)
            return
        deadline = time.monotonic() + 100
        found = tilings(ask(two_l4.load(), ()), self.method, deadline)
        next(found)
        monkeypatch.setattr(time, "monotonic", lambda: deadline)
        with pytest.raises(
            BudgetExhausted, match="budget exhausted; tilings found so far: 1"
        ) as stop:
            next(found)
        assert stop.value.found == 1


class TestDiagram(Specification):
    name = "diagram"


class TestSat(Specification):
    name = "sat"


class TestSearch(Specification):
    name = "search"


@pytest.mark.usefixtures("program")
class TestVerified(Specification):
    name = "verified"
    lists = turns = places = False


def test_every_method_is_specified():
    assert {each.name for each in Specification.__subclasses__()} == set(METHODS)
