"""What every method has to do; a class for each method fills the slot, in three lines."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from small import Drawn, Small, as_found, domino_rectangle, small_puzzles

from satcal.counting.count import count_one, count_reveals
from satcal.counting.settings import Outcome, Settings, Status
from satcal.counting.tilings import tilings
from satcal.errors import BudgetExhausted, OptionError
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Puzzle, Reveal, Tiling

L4: Drawn = ("L4", ("###", "#.."), 1, True)
J4: Drawn = ("J4", ("###", "..#"), 1, True)
I2: Drawn = ("I2", ("##",), 1, True)
TWO_BY_FOUR = (("*",) * 4,) * 2
OVER_AND_OVER = settings(max_examples=25, suppress_health_check=list(HealthCheck))


def one_face(piece: Drawn) -> Drawn:
    return (*piece[:3], False)


class Specification:
    """Counts, tilings, conditions and budgets; ``lists`` and ``conditions`` say what it can do."""

    name: str
    lists = True
    turns = True

    def settings(self, **options: object) -> Settings:
        return Settings(method=self.name, use_cache=False, **options)  # type: ignore[arg-type]

    def count(self, puzzle: Puzzle, reveal: Reveal, **options: object) -> int:
        outcome = count_one(puzzle, reveal, self.settings(**options))
        assert (outcome.status, outcome.message, outcome.exit_code) == (Status.EXACT, "", 0)
        return outcome.tilings

    def check(self, small: Small) -> None:
        """Compare some reveals with the brute force."""
        puzzle = small.load()
        for reveal in small.reveals()[:3]:
            expected = small.tilings(reveal)
            assert self.count(puzzle, reveal) == len(expected)
            if self.lists:
                listed = as_found(tilings(puzzle, reveal, self.settings()))
                assert len(listed) == len(set(listed)), "a tiling came twice"
                assert set(listed) == expected

    @given(small=small_puzzles(solvable=True))
    @OVER_AND_OVER
    def test_puzzles_that_are_solvable_by_construction(self, small: Small) -> None:
        self.check(small)

    @given(small=small_puzzles(solvable=False))
    @OVER_AND_OVER
    def test_puzzles_of_which_only_the_area_adds_up(self, small: Small) -> None:
        self.check(small)

    @pytest.mark.parametrize(("date", "count"), [("2025-10-06", 7), ("2025-12-01", 26)])
    def test_published_counts_of_the_43_cell_board(
        self, daily: Puzzle, date: str, count: int
    ) -> None:
        assert self.count(daily, daily.reveal(date)) == count

    @pytest.mark.parametrize(("width", "count"), [(2, 2), (5, 8), (10, 89)])
    def test_dominoes_in_two_rows_are_fibonacci_numbers(self, width: int, count: int) -> None:
        assert self.count(domino_rectangle(2, width).load(), ()) == count

    @pytest.mark.parametrize(
        "small",
        [
            Small((("*",) * 2,) * 2, {}, (("I3", ("###",), 1, True), ("A", ("#",), 1, True))),
            domino_rectangle(4, 4, corners=False),
        ],
        ids=["a cell that nothing covers", "a chessboard without two corners"],
    )
    def test_no_tiling_is_an_exact_count(self, small: Small) -> None:
        assert self.count(small.load(), ()) == 0

    def test_two_l4_in_a_rectangle_have_two_tilings_not_one_and_not_four(
        self, two_l4: Small
    ) -> None:
        self.check(two_l4)
        assert self.count(two_l4.load(), ()) == 2

    @pytest.mark.parametrize(
        ("pieces", "count"),
        [
            ((L4, J4), 2),
            ((one_face(L4), one_face(J4)), 0),
            ((("A", *L4[1:]), ("B", *one_face(L4)[1:])), 2),
        ],
        ids=["copies of one piece", "not if turned over", "one may, one may not"],
    )
    def test_pieces_of_two_names_are_copies_if_they_have_the_same_orientations(
        self, pieces: tuple[Drawn, ...], count: int
    ) -> None:
        small = Small(TWO_BY_FOUR, {}, pieces)
        self.check(small)
        assert self.count(small.load(), ()) == count

    def test_wide_labels_and_cells_without_a_label(self) -> None:
        board = (("Jan", "Jan", "*"), ("*", "Feb", "*"), (".", "Feb", "*"))
        small = Small(board, {"month": ("Jan", "Feb")}, (("I2", ("##",), 3, True),))
        self.check(small)
        assert [self.count(small.load(), reveal) for reveal in small.reveals()] == [1, 1]

    @pytest.mark.parametrize("text", ["V:r4c0,r5c0,r6c0,r6c1,r6c2", "O@r6c0"])
    def test_what_is_placed_is_in_every_tiling(self, daily: Puzzle, text: str) -> None:
        demands = tuple(parse_demands(daily, [text]))
        every = tilings(daily, ("Dec", "1"))
        expected = [tiling for tiling in every if meets(tiling, demands[0])]
        assert self.count(daily, ("Dec", "1"), demands=demands) == len(expected) > 0

    def test_up_to_symmetry_each_class_counts_once(self) -> None:
        puzzle = domino_rectangle(2, 3).load()
        if not self.turns:
            with pytest.raises(OptionError, match="leave out --up-to-symmetry"):
                self.settings(up_to_symmetry=True)
            return
        assert self.count(puzzle, ()) == 3
        assert self.count(puzzle, (), up_to_symmetry=True) == 2

    def test_a_deadline_that_has_passed_is_unknown_and_not_zero(self, daily: Puzzle) -> None:
        outcome = count_one(daily, ("Jan", "25"), self.settings(), deadline=time.monotonic())
        assert (outcome.status, outcome.tilings, outcome.exit_code) == (Status.UNKNOWN, 0, 3)

    def test_a_run_that_is_out_of_time_says_so_of_every_reveal(self, daily: Puzzle) -> None:
        reveals = [("Oct", "6"), ("Jan", "25")]
        how = self.settings(time_limit=0.0)
        outcomes = dict(count_reveals(daily, reveals, how, ThreadPoolExecutor))
        assert set(outcomes) == set(reveals)
        assert {outcome.status for outcome in outcomes.values()} == {Status.UNKNOWN}

    def test_a_run_has_each_reveal_once_and_as_it_is_alone(self, daily: Puzzle) -> None:
        reveals = [("Oct", "6"), ("Dec", "1"), ("Oct", "6")]
        outcomes = list(count_reveals(daily, reveals, self.settings(), ThreadPoolExecutor))
        expected = [
            (("Dec", "1"), Outcome(Status.EXACT, 26)),
            (("Oct", "6"), Outcome(Status.EXACT, 7)),
        ]
        assert sorted(outcomes) == expected
        assert list(count_reveals(daily, [], self.settings(), ThreadPoolExecutor)) == []

    def test_a_listing_ends_at_the_deadline_with_the_number_it_found(
        self, two_l4: Small, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deadline = time.monotonic() + 100
        if not self.lists:
            with pytest.raises(OptionError, match="lists none"):
                tilings(two_l4.load(), (), self.settings())
            return
        found = tilings(two_l4.load(), (), self.settings(), deadline)
        next(found)
        monkeypatch.setattr(time, "monotonic", lambda: deadline)
        with pytest.raises(BudgetExhausted, match="stopped by its budget after 1 tilings") as stop:
            next(found)
        assert stop.value.found == 1


def meets(tiling: Tiling, demand: Demand) -> bool:
    """Return whether a tiling has what is placed: a whole placement, or the piece on its cells."""
    cells = [cell for each in tiling if each.piece == demand.piece for cell in each.cells]
    return set(demand.cells) <= set(cells)
