"""What every method has to do; a class for each method fills the slot, in three lines."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from small import Drawn, Small, as_found, domino_rectangle, small_puzzles

from satcal.counting.count import count_one, count_reveals
from satcal.counting.settings import Outcome, Settings, Status
from satcal.counting.tilings import tilings
from satcal.errors import BudgetExhausted, OptionError
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.model import Puzzle, Reveal

L4: Drawn = ("L4", ("###", "#.."), 1, True)
J4: Drawn = ("J4", ("###", "..#"), 1, True)
I2: Drawn = ("I2", ("##",), 3, True)
TWO_BY_FOUR = (("*",) * 4,) * 2
OVER_AND_OVER = settings(max_examples=40, suppress_health_check=list(HealthCheck))
MONTHS = Small(
    (("Jan", "Jan", "*"), ("*", "Feb", "*"), (".", "Feb", "*")), {"month": ("Jan", "Feb")}, (I2,)
)


def one_face(piece: Drawn) -> Drawn:
    return (*piece[:3], False)


KNOWN = {
    "dominoes in two rows are a Fibonacci number": (domino_rectangle(2, 6), 13),
    "a cell that nothing covers": (
        Small((("*",) * 2,) * 2, {}, (("I3", ("###",), 1, True), ("A", ("#",), 1, True))), 0,
    ),
    "a chessboard without two corners": (domino_rectangle(4, 4, corners=False), 0),
    "two L4 in a rectangle": (
        Small(TWO_BY_FOUR, {}, ((*L4[:2], 2, True),)), 2,
    ),
    "copies under two names": (Small(TWO_BY_FOUR, {}, (L4, J4)), 2),
    "no copies if not turned over": (Small(TWO_BY_FOUR, {}, (one_face(L4), one_face(J4))), 0),
    "one may be turned over, one may not": (
        Small(TWO_BY_FOUR, {}, (("A", *L4[1:]), ("B", *one_face(L4)[1:]))), 2,
    ),
    "wide labels, and cells without a label": (MONTHS, 1),
}  # fmt: skip
"""Puzzles, and the tilings of each of their reveals."""


class Specification:
    """Counts, tilings, conditions and budgets; ``lists`` and ``turns`` say what is left out."""

    name: str
    lists = True
    turns = True

    def settings(self, **options: object) -> Settings:
        return Settings(method=self.name, use_cache=False, **options)

    def count(self, puzzle: Puzzle, reveal: Reveal, **options: object) -> int:
        outcome = count_one(puzzle, reveal, self.settings(**options))
        assert (outcome.status, outcome.message, outcome.exit_code) == (Status.EXACT, "", 0)
        return outcome.tilings

    @given(small=small_puzzles())
    @OVER_AND_OVER
    def test_counts_and_tilings_are_those_of_brute_force(self, small):
        puzzle = small.load()
        for reveal in small.reveals()[:3]:
            expected = small.tilings(reveal)
            assert self.count(puzzle, reveal) == len(expected)
            if self.lists:
                listed = as_found(tilings(puzzle, reveal, self.settings()))
                assert Counter(listed) == Counter(expected)

    @pytest.mark.parametrize(("small", "number"), KNOWN.values(), ids=KNOWN)
    def test_known_puzzles_have_their_numbers(self, small, number):
        for reveal in small.reveals():
            assert self.count(small.load(), reveal) == number == len(small.tilings(reveal))

    @pytest.mark.parametrize("text", ["V:r4c0,r5c0,r6c0,r6c1,r6c2", "O@r6c0"])
    def test_what_is_placed_is_in_every_tiling(self, daily, text):
        (demand,) = parse_demands(daily, [text])
        covered = [
            {cell for each in tiling if each.piece == demand.piece for cell in each.cells}
            for tiling in tilings(daily, ("Dec", "1"))
        ]
        meeting = sum(cells.issuperset(demand.cells) for cells in covered)
        assert self.count(daily, ("Dec", "1"), demands=(demand,)) == meeting > 0

    def test_up_to_symmetry_each_class_counts_once(self):
        if not self.turns:
            with pytest.raises(OptionError, match="leave out --up-to-symmetry"):
                self.settings(up_to_symmetry=True)
            return
        puzzle = domino_rectangle(2, 3).load()
        assert self.count(puzzle, ()) == 3
        assert self.count(puzzle, (), up_to_symmetry=True) == 2

    def test_what_is_out_of_time_is_unknown_and_not_zero(self):
        puzzle, how = MONTHS.load(), self.settings(time_limit=0.0)
        outcomes = dict(count_reveals(puzzle, puzzle.reveals(), how, ThreadPoolExecutor))
        assert set(outcomes) == set(puzzle.reveals())
        alone = count_one(puzzle, ("Jan",), self.settings(), deadline=time.monotonic())
        for outcome in (alone, *outcomes.values()):
            assert (outcome.status, outcome.tilings, outcome.exit_code) == (Status.UNKNOWN, 0, 3)

    def test_a_run_has_each_reveal_once_as_published(self, daily):
        reveals = [("Oct", "6"), ("Dec", "1"), ("Oct", "6")]
        outcomes = list(count_reveals(daily, reveals, self.settings(), ThreadPoolExecutor))
        assert sorted(outcomes) == [
            (("Dec", "1"), Outcome(Status.EXACT, 26)),
            (("Oct", "6"), Outcome(Status.EXACT, 7)),
        ]
        assert list(count_reveals(daily, [], self.settings(), ThreadPoolExecutor)) == []

    def test_a_listing_ends_at_the_deadline(self, two_l4, monkeypatch):
        if not self.lists:
            with pytest.raises(OptionError, match="lists none"):
                tilings(two_l4.load(), (), self.settings())
            return
        deadline = time.monotonic() + 100
        found = tilings(two_l4.load(), (), self.settings(), deadline)
        next(found)
        monkeypatch.setattr(time, "monotonic", lambda: deadline)
        with pytest.raises(BudgetExhausted, match="stopped by its budget after 1 tilings") as stop:
            next(found)
        assert stop.value.found == 1
