"""Counting layer by layer, in memory and on disk: the counts of the diagram, and its limits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from small import Small, domino_rectangle, small_puzzles

from benchmarks import growing
from satcal.counting import within
from satcal.counting.diagram import merging, waiting
from satcal.counting.diagram.build import may_have_tilings, reduced
from satcal.counting.diagram.layered import Layered
from satcal.counting.diagram.model import DiagramError, MemoryLimitError, Problem, Watch
from satcal.counting.diagram.puzzle import PuzzleDiagram, options_for, problem_of
from satcal.counting.methods import Settings
from satcal.counting.run import count_reveals
from satcal.counting.within import count_share, counts_in_parts, shared
from satcal.errors import BudgetExhausted, TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover

NO_CACHE = Settings(use_cache=False)


def problem_for(puzzle: Puzzle, reveal: Reveal | None = None) -> Problem:
    whole = cover(puzzle, None)
    return reduced(problem_of(whole), options_for(whole, reveal and [reveal], ()))[0]


def count(problem: Problem, limit: int | None = None) -> int:
    if not may_have_tilings(problem):
        return 0
    by_layer = Layered(problem, Watch(problem.cells + 1, limit, None))
    return by_layer.count(by_layer.start())


@pytest.fixture
def written() -> Iterator[list[int]]:
    """Little room, so that nearly everything is written to disk; the rows of each such run."""
    rows: list[int] = []

    class Run(waiting.Run):
        def __init__(self, states: merging.States, file: object = None) -> None:
            super().__init__(states, file)
            if file is not None:
                rows.append(self.rows)

    with mock.patch.multiple(waiting, SMALLEST=1000, SAMPLE=16, Run=Run):
        yield rows


@pytest.mark.parametrize(
    ("name", "reveal"),
    [
        ("pentomino-6x10", None),
        ("pentomino-8x8-hole", None),
        ("rhombus", ("Thu", "Oct", "23")),
        ("weekday", ("Sat", "Oct", "25")),
        ("tetromino", ("Jan", "1")),
        ("a-puzzle-a-day", None),
    ],
)
def test_a_puzzle_has_as_many_tilings_as_by_the_diagram(name: str, reveal: Reveal | None) -> None:
    puzzle = load(name)
    by_diagram = PuzzleDiagram.build(puzzle, reveal and [reveal])
    assert count(problem_for(puzzle, reveal)) == by_diagram.count(reveal)


@given(small_puzzles())
@settings(max_examples=60)
def test_random_puzzles_have_as_many_tilings_as_by_brute_force(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals()[:3]:
        assert count(problem_for(puzzle, reveal)) == len(small.tilings(reveal))


@pytest.mark.parametrize(("name", "tilings", "limit"), [
    ("pentomino-4x15", 1472, 700_000), ("pentomino-6x10", 9356, 6_000_000),
])  # fmt: skip
def test_what_waits_on_disk_is_counted_as_in_memory(
    written: list[int], name: str, tilings: int, limit: int
) -> None:
    assert count(problem_for(load(name)), limit) == tilings
    assert sum(written) > 20_000


@pytest.mark.parametrize(("side", "tilings", "limit"), [
    (12, 53_060_477_521_960_000, 300_000),
    (16, 2_444_888_770_250_892_795_802_079_170_816, 5_000_000),
])  # fmt: skip
def test_counts_beyond_64_bits_are_exact_on_disk(
    written: list[int], side: int, tilings: int, limit: int
) -> None:
    problem = problem_for(domino_rectangle(side, side).load())
    assert count(problem) == tilings
    assert not written
    assert count(problem, limit) == tilings
    assert written


def test_merged_states_are_distinct_and_carry_into_new_limbs() -> None:
    most = 2**32 - 1
    bits, left = np.array([3, 1, 3, 3], np.uint32), np.array([5, 5, 5, 4], np.uint32)
    ways = np.array([[most], [7], [most], [1]], np.uint64)
    longer = merging.States(bits[:1], left[:1], np.array([[0, most]], np.uint64))
    found = merging.merged([merging.States(bits, left, ways), longer], 2, 3)
    assert found.bits.tolist() == [1, 3, 3]
    assert found.left.tolist() == [5, 4, 5]
    assert merging.number_of(found.ways[:1]) == 7
    assert merging.number_of(found.ways[2:]) == 2 * most + (most << 32)
    assert merging.number_of(found.ways) == 8 + 2 * most + (most << 32)
    assert int(found.ways.max()) <= most


def test_a_border_is_found_exactly_among_frontiers_beyond_2_to_the_53() -> None:
    bits = np.arange(2**61, 2**61 + 5000, dtype=np.uint64)
    left, ways = np.zeros(5000, np.uint32), np.ones((5000, 1), np.uint64)
    with tempfile.TemporaryFile(buffering=0) as file:
        for run in (waiting.Run(merging.States(bits, left, ways), where) for where in (None, file)):
            for place in (0, 1, 1023, 1024, 1025, 2047, 4999):
                assert run.place(bits[place]) == place
            assert run.place(np.uint64(2**62)) == 5000
            assert run.read(1023, 1026).bits.tolist() == bits[1023:1026].tolist()


def test_a_full_board_with_items_left_is_no_tiling() -> None:
    # two copies of one cell, and a label of one cell or of two
    mixed = Problem(3, [2, 1], [0, 0, 0, 1, 1], [1, 2, 4, 1, 6], categories=1)
    assert may_have_tilings(mixed)
    assert count(mixed) == 1


def test_a_share_ends_when_its_time_is_up() -> None:
    problem = problem_for(load("pentomino-4x15"))
    by_layer = Layered(problem, Watch(problem.cells + 1, None, None))
    with pytest.raises(BudgetExhausted, match="not built in time"):
        count_share(problem, by_layer.cut(10), None, 1.0)


def test_what_the_disk_did_not_take_is_noticed() -> None:
    states = merging.States(
        np.arange(10, dtype=np.uint32), np.zeros(10, np.uint32), np.ones((10, 1), np.uint64)
    )
    with tempfile.TemporaryFile(buffering=0) as file:
        run = waiting.Run(states, file)
        file.truncate(20)
        with pytest.raises(DiagramError, match="ended too early"):
            run.read(0, 10)


@pytest.mark.parametrize("states", [1, 50, 3000, 10**9])
@pytest.mark.parametrize("shares", [1, 3, 40])
def test_the_shares_of_a_cut_add_up(states: int, shares: int) -> None:
    problem = problem_for(load("pentomino-4x15"))
    by_layer = Layered(problem, Watch(problem.cells + 1, None, None))
    parts = shared(by_layer.cut(states), shares)
    assert len(parts) <= shares
    assert sum(count_share(problem, part, None, None) for part in parts) == 1472


def test_files_have_no_name_so_nothing_is_left_behind(
    written: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[Path] = []
    problem = problem_for(load("pentomino-4x15"))
    watch = Watch(problem.cells + 1, 1_000_000, lambda *_: seen.extend(tmp_path.iterdir()))
    by_layer = Layered(problem, watch)
    assert by_layer.count(by_layer.start()) == 1472
    assert written
    assert not seen


def test_a_full_disk_is_named_with_the_way_out(
    written: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: mock.Mock(free=1000))
    with pytest.raises(DiagramError, match=r"cannot wait in .*disk is full; name a larger disk in"):
        count(problem_for(load("pentomino-4x15")), 1_000_000)


def test_a_frontier_with_more_states_than_fit_is_refused(written: list[int]) -> None:
    here = np.zeros(1000, np.uint32)
    with waiting.Waiting(Watch(2, 200_000, None), 4, 20) as held:
        for part in range(5):
            left = np.arange(1000 * part, 1000 * part + 1000, dtype=np.uint32)
            held.add(0, merging.States(here, left, np.ones((1000, 1), np.uint64)))
        with pytest.raises(MemoryLimitError, match=r"states of layer 0: about \d MB, the limit"):
            list(held.parts(0))
    assert sum(written) > 2000


def test_states_too_wide_for_words_are_refused() -> None:
    wide = Problem(cells=70, copies=[1], item=[0], mask=[(1 << 70) - 1])
    with pytest.raises(DiagramError, match="too wide"):
        Layered(wide, Watch(71, None, None))


def test_frontiers_that_cannot_be_completed_are_left_out() -> None:
    problem = problem_for(load("pentomino-6x10"))
    states = {True: 0, False: 0}
    for pruned in states:

        def tell(name: str, _layer: int, _layers: int, here: int, pruned: bool = pruned) -> None:
            states[pruned] += here if name == "layers" else 0

        by_layer = Layered(problem, Watch(problem.cells + 1, None, tell))
        by_layer.live = by_layer.live if pruned else None
        assert by_layer.count(by_layer.start()) == 9356
    assert 2 * states[True] < states[False]


@pytest.mark.parametrize("limit", [40 * 10**6, 10**6])
def test_a_month_under_a_limit_is_counted_in_parts(
    daily: Puzzle, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "SMALLEST", 500_000)
    reveals = [reveal for reveal in daily.reveals() if reveal[0] == "Oct"][:6]
    whole = dict(count_reveals(daily, reveals, NO_CACHE))
    parts = list(counts_in_parts(daily, reveals, replace(NO_CACHE, memory_limit=limit)))
    assert (len(parts) > 1) == (limit == 10**6)
    found = {reveal: tilings for part in parts for reveal, tilings in part.items()}
    assert found == {reveal: outcome.tilings for reveal, outcome in whole.items()}
    assert list(found) == reveals


def test_a_date_without_a_tiling_is_none_in_parts_too() -> None:
    puzzle = load("rhombus")
    (counts,) = counts_in_parts(
        puzzle, [("Fri", "Feb", "29")], replace(NO_CACHE, memory_limit=12 * 10**6)
    )
    by_diagram = PuzzleDiagram.build(puzzle, [("Fri", "Feb", "29")])
    assert counts == by_diagram.counts()


def test_the_deadline_ends_the_passes(daily: Puzzle) -> None:
    small = replace(NO_CACHE, memory_limit=9 * 10**6)
    with pytest.raises(BudgetExhausted, match="not built in time"):
        list(counts_in_parts(daily, [("Oct", "6")], small, deadline=0.0))


def test_the_limit_is_the_free_memory_if_none_is_given(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(within, "memory_to_use", lambda: 1000)
    monkeypatch.setattr("satcal.counting.diagram.puzzle.memory_to_use", lambda: 1000)
    with pytest.raises(TooLarge, match="layers on disk: about 10 MB, the limit is 0 MB"):
        list(counts_in_parts(daily, [("Oct", "6")], NO_CACHE))


CAPPED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
from satcal.cli.main import run
code = run(sys.argv[1:])
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print("peak", int(line.split()[1]) / 1e3)
sys.exit(code)
"""


def count_dominoes(side: int, limit: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Count a square's tilings within a limit, where no more than 1 GB can be had at all."""
    path = tmp_path / "large.toml"
    path.write_text(growing.rectangle(side, side, {"I2": ("##", side * side // 2)}))
    return subprocess.run(
        [sys.executable, "-c", CAPPED, "count", "--board", str(path), "--memory-limit", limit,
         "--no-cache", "--store", "none", "--verify", "0", "--format", "csv"],
        capture_output=True, text=True, check=False, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
def test_a_board_that_outgrows_its_limit_is_counted_within_it(tmp_path: Path) -> None:
    said = count_dominoes(18, "50M", tmp_path)
    assert said.returncode == 0, said.stderr
    _header, row, peak = said.stdout.split("\n", 2)
    assert row == ",548943583215388338077567813208427340288,diagram"
    assert float(peak.split()[1]) < 50 + 60  # megabytes; the interpreter takes some 45


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux caps the address space")
def test_a_board_too_large_for_its_limit_is_refused_and_not_killed(tmp_path: Path) -> None:
    said = count_dominoes(20, "5M", tmp_path)
    assert said.returncode == 2, said.stderr
    assert said.stderr == (
        "satcal: error: diagram of rectangle, the board: layers on disk: about 10 MB, the limit is "
        "5 MB; raise --memory-limit, or use --method sat\n"
    )
