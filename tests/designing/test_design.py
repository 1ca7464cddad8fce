"""Sets of pieces: all of them, what is decided of each, and which are found."""

from __future__ import annotations

import csv
import gzip
import itertools
import random
import statistics
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest import mock

import pytest

from oracle import PATCH, Piece, Small, picture
from satcal.counting.method import Meter
from satcal.counting.search import Search
from satcal.designing import deciding
from satcal.designing.deciding import Requirement, decide, refute_by_colouring, select_reveals
from satcal.designing.exploring import Explorer, climb, decide_all, sort_best_first
from satcal.designing.polyominoes import GOLOMB, list_polyominoes
from satcal.designing.space import (
    PieceSet,
    Space,
    build_space,
    parse_sizes,
    sizes_of,
    suggest_sizes,
)
from satcal.files import remove_parts
from satcal.puzzle.loading import load
from satcal.puzzle.model import Piece as PuzzlePiece
from satcal.puzzle.shapes import orientations, reflect

PUZZLE = PATCH.load()
REVEALS = tuple(PUZZLE.reveals())
SIZES = {5: 2, 4: 1}


def counts(space, names, reveals=REVEALS):
    """Return the counts of a set by brute force."""
    shapes = [space.pool[name] for name in names]
    pieces = tuple(Piece(f"P{n}", picture(p.shape), 1, p.flip) for n, p in enumerate(shapes))
    small = Small(PATCH.board, pieces, PATCH.categories)
    return tuple(len(small.tilings(reveal)) for reveal in reveals)


# --- the sets -----------------------------------------------------------------------------------


def test_there_are_as_many_polyominoes_as_published():
    for size, number in enumerate([1, 1, 2, 5, 12, 35, 108, 369], start=1):
        named = list_polyominoes(size)
        different = {frozenset(orientations(shape)) for shape in named.values()}
        assert len(named) == len(different) == number
    assert set(GOLOMB[5]) == set("FILNPTUVWXYZ")


@pytest.mark.parametrize(
    "rules",
    [{}, {"must": ["X"]}, {"must": ["X", "T4"]}, {"allowed": ["F", "I", "X", "T4", "L4", "O4"]}],
)
def test_a_space_has_each_set_that_obeys_the_rules(rules):
    space = build_space(PUZZLE, dict.fromkeys((4, 5, 6)), 3, **rules)
    obeying = {
        names
        for names in itertools.combinations(space.pool, 3)
        if sum(space.pool[name].area for name in names) == 14 and {*space.must} <= {*names}
    }
    assert Counter(space) == Counter(obeying)
    assert len(space) == len(obeying)
    generator = random.Random(1)
    some = space.random_set(generator)
    for _ in range(50):
        assert some in obeying
        some = space.random_neighbour(some, generator)


@pytest.mark.parametrize("area", [1, 7, 19, 41, 54, 60, 61, 65, 130])
def test_the_sizes_that_an_error_advises_have_sets(area):
    words = suggest_sizes(area).split()
    number = int(words[3]) if words[2:] else None
    board = replace(PUZZLE, drawn=(PuzzlePiece("I", tuple((0, column) for column in range(area))),))
    assert board.area == area
    assert len(build_space(board, parse_sizes(words[1]), number))


def test_the_usual_sizes_are_those_of_the_pieces_of_the_board():
    assert sizes_of(load("a-puzzle-a-day")) == {5: 7, 6: 1}
    assert sizes_of(load("pentomino-6x10")) == {5: 12}


def test_the_only_set_is_its_own_neighbour():
    space = build_space(PUZZLE, SIZES, allowed=["F", "I", "L4"])
    (only,) = space
    assert space.random_neighbour(only, random.Random(1)) == only


# --- deciding -----------------------------------------------------------------------------------


def test_every_verdict_is_what_brute_force_says():
    space = build_space(PUZZLE, SIZES, allowed=["I4", "L4", *"LPUVY"])
    sets = list(space)
    truth = {names: counts(space, names) for names in sets}
    for at_least, fully in itertools.product((1, 2), (False, True)):
        requirement = Requirement(space, REVEALS, at_least)
        for decision in decide(requirement, sets, REVEALS[1:3], fully):
            true = truth[decision.pieces]
            assert decision.counts in ((), true)
            if decision.refuted_by is not None:
                assert true[REVEALS.index(decision.refuted_by)] < at_least
            else:
                assert min(true) >= at_least
    assert sum(map(all, truth.values())) == 6


@pytest.mark.parametrize("number", [1, 2])
def test_a_set_needs_no_flips_if_one_side_of_each_piece_solves_every_reveal(number):
    reveals = REVEALS[:number]
    space = build_space(PUZZLE, SIZES, allowed=["I4", "L4", *"LPUVY"])
    sets = list(space)
    flips_found = set()
    for decision in decide(Requirement(space, reveals, 1, True), sets, (), False):
        shapes = {name: space.pool[name].shape for name in decision.pieces}
        solving = []
        for sides in itertools.product((False, True), repeat=len(shapes)):
            pieces = tuple(
                Piece(name, picture(reflect(shape) if mirrored else shape), flip=False)
                for mirrored, (name, shape) in zip(sides, shapes.items(), strict=True)
            )
            small = Small(PATCH.board, pieces, PATCH.categories)
            if all(small.tilings(reveal) for reveal in reveals):
                solving.append({name for name, side in zip(shapes, sides, strict=True) if side})
        assert (decision.flips is not None) == bool(solving)
        assert decision.flips is None or {*decision.flips} in solving
        flips_found.add(decision.flips)
    assert flips_found >= {None, (), ("L4",)}


def test_colours_refute_no_set_that_has_a_tiling():
    space = build_space(PUZZLE, {4: 3, 2: 1})
    refuted = {names: refute_by_colouring(space.puzzle(names), REVEALS) for names in space}
    assert any(refuted.values())
    for names, reveal in refuted.items():
        assert reveal is None or counts(space, names, [reveal]) == (0,)


def test_a_calendar_is_examined_on_its_dates_and_another_board_on_all_reveals():
    daily = load("a-puzzle-a-day")
    assert (len(select_reveals(daily)), len(select_reveals(daily, all_reveals=True))) == (366, 372)
    assert select_reveals(PUZZLE) == REVEALS


# --- searching ----------------------------------------------------------------------------------


def explored(space: Space, tries: int = 0, folder: Path | None = None) -> Explorer:
    with ThreadPoolExecutor(1) as executor:
        explorer = Explorer(Requirement(space, REVEALS), executor, lambda number: None, folder)
        if tries:
            climb(explorer, ["few"], tries, seed=7)
        else:
            decide_all(explorer)
    return explorer


@cache
def every() -> Explorer:
    return explored(build_space(PUZZLE, SIZES, must=["L"]))


@pytest.mark.parametrize("tries", [0, 70])
def test_a_search_that_was_stopped_decides_no_part_again(tmp_path, monkeypatch, tries):
    decided: list[PieceSet] = []
    limit = 20

    def decide_some(requirement, sets, *how):
        if len(decided) >= limit:
            raise KeyboardInterrupt
        decided.extend(sets)
        return decide(requirement, sets, *how)

    monkeypatch.setattr(deciding, "decide", decide_some)
    space = build_space(PUZZLE, SIZES, must=["L"])
    with pytest.raises(KeyboardInterrupt):
        explored(space, tries, tmp_path)
    assert len(decided) == limit < len(space)
    limit = len(space)
    continued = explored(space, tries, tmp_path)
    assert len(decided) == len({*decided}) == len(continued.decisions)
    assert continued.decisions == {
        each.pieces: each for each in decide(continued.requirement, decided, (), True)
    }
    remove_parts(tmp_path)
    assert not tmp_path.exists()


@pytest.mark.parametrize(
    ("goal", "figure"),
    [
        ("hard", min),
        ("kind", lambda counts: -min(counts)),
        ("few", sum),
        ("many", lambda counts: -sum(counts)),
        ("even", lambda counts: statistics.pstdev(counts) / statistics.mean(counts)),
        ("unique", lambda counts: -counts.count(1)),
    ],
)
def test_the_best_set_is_the_first_in_every_goal(goal, figure):
    decisions = every().decisions.values()
    figures = [figure(v.counts) for v in sort_best_first(decisions, every().requirement, [goal])]
    assert len(decisions) == len(every().requirement.space)
    assert len(figures) > 1
    assert figures == pytest.approx(sorted(figures), abs=1e-4)


def test_a_climb_finds_the_best_of_a_small_space():
    space = build_space(PUZZLE, SIZES, must=["L"])
    few = [
        next(sort_best_first(explorer.decisions.values(), explorer.requirement, ["few"])).pieces
        for explorer in (explored(space, tries=320), every())
    ]
    assert few[0] == few[1]


def test_a_climb_tries_no_more_sets_than_were_asked_for():
    assert 0 < len(explored(build_space(PUZZLE, SIZES), tries=5).decisions) <= 5


def test_a_brood_is_work_for_several_processes():
    with mock.patch.object(
        ThreadPoolExecutor, "submit", autospec=True, side_effect=ThreadPoolExecutor.submit
    ) as submitted:
        explored(build_space(PUZZLE, SIZES), tries=32)
    assert submitted.call_count >= 8


# --- the sold board -----------------------------------------------------------------------------


@pytest.mark.long
def test_sets_of_the_sold_board_are_decided_as_in_the_results():
    path = Path(__file__).parents[2] / "results" / "design" / "a-puzzle-a-day.csv.gz"
    with gzip.open(path, "rt") as stream:
        rows = {tuple(row["pieces"].split()): row["refuted_by"] for row in csv.DictReader(stream)}
    board = load("a-puzzle-a-day")
    space = build_space(board, {5: 7, 6: 1})
    requirement = Requirement(space, select_reveals(board))
    sets = random.Random(1).sample(list(rows), 200)
    for decision in decide(requirement, sets, [("Apr", "6")], False):
        known = rows[decision.pieces]
        assert bool(decision.refuted_by) == bool(known)
        for refuted_by in filter(None, (tuple(known.split()), decision.refuted_by)):
            found = Search().counts(space.puzzle(decision.pieces), [refuted_by], (), Meter(None))
            assert found == {refuted_by: 0}
