"""What every method of counting has to do. A new method takes three lines at the end."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import satcal
from command import Deadline
from oracle import Piece, Small, as_tiling, dominoes, rectangle, small_puzzles
from satcal.counting import method as interface
from satcal.counting import run
from satcal.counting.diagram import DiagramMethod
from satcal.counting.listing import Listing
from satcal.counting.method import Meter
from satcal.counting.methods import NAMES, method_named
from satcal.counting.run import Counted
from satcal.counting.sat import Sat
from satcal.counting.search import Search
from satcal.counting.verified import Verified
from satcal.errors import BudgetExhausted, Disagreement, PlacementError
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.rows import Selection
from satcal.version import DECIDING, sources_digest

L4, L4_MIRRORED = ("###", "#.."), ("###", "..#")
CORNER, ONE = ("##", "#."), ("#",)
TWO_L4 = rectangle(2, 4, Piece("L4", L4, 2))
KNOWN = {
    "dominoes in two rows are Fibonacci numbers": (dominoes(2, 6), 13),
    "two names of one shape are copies": (
        rectangle(2, 4, Piece("A", L4), Piece("B", L4_MIRRORED)),
        2,
    ),
    "a one-sided piece is not turned over": (
        rectangle(2, 4, Piece("A", L4, 1, False), Piece("B", L4_MIRRORED, 1, False)),
        0,
    ),
    "one piece may be turned over and the other not": (
        rectangle(2, 4, Piece("A", L4), Piece("B", L4, 1, False)),
        2,
    ),
    "a chessboard without two corners has no tiling": (dominoes(4, 4, corners=False), 0),
    "a cell that nothing reaches": (rectangle(2, 2, Piece("I3", ("###",)), Piece("A", ONE)), 0),
    "64 cells fill one word": (rectangle(4, 16, Piece("I16", ("#" * 16,), 4)), 1),
    "65 cells need two words": (rectangle(5, 13, Piece("I13", ("#" * 13,), 5)), 1),
}
LETTERS = Small(
    (("a", "b", "*"), ("c", "*", "*")),
    (Piece("I2", ("##",)), Piece("V", CORNER)),
    (("letter", ("a", "b", "c")),),
)


def answers(method: interface.Method, small: Small, **settings: Any) -> list[Counted]:
    """Return the answers of a run in this process, by reveal."""
    reveals = [*small.reveals, *small.reveals]
    with ThreadPoolExecutor(1) as executor:
        selection = Selection.of(small.load(), reveals)
        counted = run.count(selection, method, executor=executor, **settings)
        return sorted(counted, key=lambda each: each.reveal)


class Method:
    """The specification. ``method`` is what a subclass names."""

    method: ClassVar[interface.Method]

    def count(self, puzzle: Puzzle, reveal: Reveal = (), place: tuple[Placement, ...] = ()) -> int:
        """Return an exact count."""
        return self.method.counts(puzzle, [reveal], place, Meter())[reveal]

    @given(small_puzzles())
    def test_it_counts_as_brute_force_does(self, small):
        puzzle, reveals = small.load(), small.reveals[:2]
        expected = {reveal: len(small.tilings(reveal)) for reveal in reveals}
        assert self.method.counts(puzzle, reveals, (), Meter()) == expected

    @pytest.mark.parametrize("name", KNOWN)
    def test_it_finds_a_known_number(self, name):
        small, number = KNOWN[name]
        for reveal in small.reveals:
            assert self.count(small.load(), reveal) == number == len(small.tilings(reveal))

    def test_a_run_without_time_knows_nothing(self):
        found = answers(self.method, LETTERS, limits=run.Limits(until=0.0))
        assert [each.reveal for each in found] == LETTERS.reveals
        for each in found:
            assert (each.tilings, each.complete, type(each.error)) == (0, False, BudgetExhausted)

    def test_its_key_names_it_and_the_sources(self):
        assert self.method.key().startswith(f"{self.method.name} ")
        assert self.method.key().endswith(f"sources={sources_digest()}")
        assert pickle.loads(pickle.dumps(self.method)) == self.method


class ListsTilings(Method):
    """What a method that lists tilings has to do besides."""

    def tilings(
        self, puzzle: Puzzle, reveal: Reveal = (), place: tuple[Placement, ...] = ()
    ) -> list[Tiling]:
        """Return all tilings."""
        return list(self.method.tilings(puzzle, reveal, place, Meter()))

    @given(small_puzzles())
    def test_it_lists_each_tiling_once(self, small):
        puzzle = small.load()
        for reveal in small.reveals[:2]:
            listed = [as_tiling(tiling) for tiling in self.tilings(puzzle, reveal)]
            assert len(listed) == len(set(listed))
            assert set(listed) == small.tilings(reveal)

    @given(small_puzzles(), st.data())
    def test_what_is_placed_stays(self, small, data):
        puzzle, reveal = small.load(), data.draw(st.sampled_from(small.reveals))
        every = sorted(
            small.tilings(reveal), key=lambda tiling: sorted((n, sorted(c)) for n, c in tiling)
        )
        if not every:
            return
        chosen = data.draw(st.sampled_from(every))
        name, cells = min(chosen, key=lambda placed: (placed[0], sorted(placed[1])))
        place = (Placement(name, tuple(sorted(cells))),)
        listed = {as_tiling(tiling) for tiling in self.tilings(puzzle, reveal, place)}
        assert listed == {tiling for tiling in every if (name, cells) in tiling}
        assert self.count(puzzle, reveal, place) == len(listed)

    def test_nothing_is_placed_on_the_reveal(self):
        corner = (Placement("V", ((0, 0), (0, 1), (1, 0))),)
        with pytest.raises(PlacementError):
            self.count(LETTERS.load(), ("a",), corner)

    def test_a_deadline_that_passes_leaves_a_lower_bound(self):
        meter = Meter(until := Deadline(10**6))
        listed = self.method.tilings(dominoes(2, 4).load(), (), (), meter)
        next(listed)
        meter.count_tiling()
        until.left = 1  # it passes at the next look
        with pytest.raises(BudgetExhausted) as stopped:
            next(listed)
        assert stopped.value.found == 1

    def test_a_deadline_that_has_passed_lists_nothing(self):
        with pytest.raises(BudgetExhausted):
            next(self.method.tilings(TWO_L4.load(), (), (), Meter(Deadline(1))))


class CountsWithoutListing(Method):
    """What a method has to do that counts more tilings than anybody can list."""

    @pytest.mark.parametrize("columns", [42, 43, 44, 64])
    def test_it_is_exact_below_and_above_2_to_the_63_and_64(self, columns):
        ways = [1, 1, 5, 11]  # to fill four rows with dominoes: OEIS A005178
        while len(ways) <= 64:
            ways.append(ways[-1] + 5 * ways[-2] + ways[-3] - ways[-4])
        assert ways[42] < 2**63 < ways[43] < 2**64 < ways[44]
        assert self.count(dominoes(4, columns).load()) == ways[columns]


class TestDiagram(ListsTilings, CountsWithoutListing):
    method = DiagramMethod(use_cache=False)


class TestSat(ListsTilings):
    method = Sat()


class TestListing(ListsTilings):
    method = Listing()


class TestSearch(ListsTilings):
    method = Search()


class TestSearchWithPruning(ListsTilings):
    method = Search("components")


class TestCheckedByThePruner(ListsTilings):
    method = run.with_checks(Search())


@pytest.mark.usefixtures("program")
class TestVerified(Method):
    method = Verified()


def test_every_method_has_a_class():
    tested = {value.method.name for name, value in globals().items() if name.startswith("Test")}
    assert tested == set(NAMES)
    assert [method_named(name).name for name in NAMES] == list(NAMES)


# --- what holds for all methods together ---------------------------------------------------------


def test_a_number_of_other_code_has_another_key(tmp_path, monkeypatch):
    for room in DECIDING:
        shutil.copytree(Path(satcal.__file__).parent / room, tmp_path / room)
    digests = [sources_digest(), sources_digest(str(tmp_path))]
    for room in DECIDING:
        monkeypatch.setattr("satcal.version.digests", {})
        last = sorted((tmp_path / room).glob("*.py"))[-1]
        last.write_bytes(last.read_bytes() + b"\n")
        digests.append(sources_digest(str(tmp_path)))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 1 + len(DECIDING)


@pytest.mark.parametrize("method", [DiagramMethod(use_cache=False), Search()])
def test_a_run_counts_each_reveal_once_and_not_what_is_known(method):
    assert answers(method, LETTERS, known={("b",): 99}) == [
        Counted(("a",), len(LETTERS.tilings(("a",))), True, method.name),
        Counted(("b",), 99, True, run.STORED),
        Counted(("c",), len(LETTERS.tilings(("c",))), True, method.name),
    ]


@pytest.mark.parametrize("method", [Sat(), Search()])
def test_a_tiling_that_the_pruner_forbids_is_a_disagreement(method, monkeypatch):
    def too_few(choices: Iterable[Sequence[int]]) -> set[int]:
        return {0, max(map(max, choices), default=0)}

    monkeypatch.setattr("satcal.counting.pruner.sum_areas", too_few)
    (answer,) = answers(run.with_checks(method), dominoes(2, 6))
    assert type(answer.error) is Disagreement


def test_lemmas_halve_the_conflicts(daily):
    meters = {lemmas: Meter() for lemmas in ("none", "closed")}
    for lemmas, meter in meters.items():
        Sat(lemmas=lemmas).counts(daily, [("Oct", "6")], (), meter)
    assert meters["closed"].work["conflicts"] * 2 < meters["none"].work["conflicts"]


def test_pruning_visits_fewer_nodes():
    meters = {pruning: Meter() for pruning in ("none", "components")}
    for pruning, meter in meters.items():
        Search(pruning).counts(dominoes(4, 6, corners=False).load(), [()], (), meter)
    assert meters["components"].work["nodes"] < meters["none"].work["nodes"]
