"""Designs: a search decides what brute force decides, and stops, resumes and repeats itself."""

from __future__ import annotations

import csv
import gzip
import itertools
import os
import random
import re
import signal
import statistics
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest import mock

import pysolvers
import pytest
from pysat.solvers import Solver

from helpers import checkers
from helpers.checkers import replay
from helpers.puzzles import PATCH, counts, write
from helpers.waiting import until
from satcal import count
from satcal.analysis.survey import survey
from satcal.designing.arranging import places
from satcal.designing.deciding import Requirement, decide, uncoloured
from satcal.designing.exploring import Explorer, Log, climb, exhaust, standing
from satcal.designing.polyominoes import GOLOMB, polyominoes
from satcal.designing.space import Space, space
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import FileTrouble, FormatError, OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.shapes import orientations

PUZZLE = PATCH.load()
REVEALS = tuple(PUZZLE.reveals())
SIZES = [(5, 2), (4, 1)]

# --- the sets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flip", "numbers"),
    [(True, [1, 1, 2, 5, 12, 35, 108, 369]), (False, [1, 1, 2, 7, 18, 60, 196])],
)
def test_there_are_as_many_polyominoes_as_published(flip, numbers):
    for size, number in enumerate(numbers, start=1):
        named = polyominoes(size, flip)
        different = {frozenset(orientations(shape, flip)) for shape in named.values()}
        assert len(named) == len(different) == number
    assert set(GOLOMB[5]) == set("FILNPTUVWXYZ")


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"must": ["X"]},
        {"must_not": ["I", "H1"]},
        {"copies": 2},
        {"must": ["X", "X"], "copies": 2},
        {"allowed": ["F", "I", "X", "T4", "L4", "O4"]},
        {"flip": False},
    ],
)
def test_a_space_has_each_set_that_obeys_the_rules(rules):
    wanted = space(PUZZLE, [(4, None), (5, None), (6, None)], 3, **rules)
    must, copies = Counter(wanted.must), wanted.copies
    obeying = {
        names
        for names in itertools.combinations_with_replacement(wanted.pool, 3)
        if sum(wanted.pool[name].area for name in names) == 14
        and max(Counter(names).values()) <= copies
        and must <= Counter(names)
    }
    assert Counter(wanted) == Counter(obeying)
    assert len(wanted) == len(obeying)
    generator = random.Random(1)
    some = wanted.any(generator)
    for _ in range(50):
        assert some in obeying
        some = wanted.near(some, generator)


def test_a_piece_that_every_set_and_no_set_has_is_refused():
    with pytest.raises(OptionError, match="X is in both --must and --must-not"):
        space(PUZZLE, SIZES, must=["X"], must_not=["X"])
    with pytest.raises(OptionError, match="--must has X 2 times, but --copies is 1"):
        space(PUZZLE, SIZES, must=["X", "X"])


# --- deciding -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "standing"), [({}, 6), ({"flip": False}, 0), ({"copies": 2}, 6)])
def test_every_verdict_is_what_brute_force_says(rules, standing):
    wanted = space(PUZZLE, SIZES, allowed=["I4", "L4", *"LPUVY"], **rules)
    sets = list(wanted)
    truth = {names: counts(wanted.puzzle(names), REVEALS) for names in sets}
    for at_least, fully in itertools.product((1, 2), (False, True)):
        question = Requirement(wanted, REVEALS, at_least)
        for verdict in decide(question, sets, REVEALS[1:3], fully):
            true = truth[verdict.pieces]
            assert verdict.counts in ((), true)
            if verdict.refuted_by:
                assert true[REVEALS.index(verdict.refuted_by)] < at_least
            else:
                assert min(true) >= at_least
    assert sum(map(all, truth.values())) == standing


def test_colours_refute_no_set_that_has_a_tiling():
    wanted = space(PUZZLE, [(4, 3), (2, 1)])
    refuted = {names: uncoloured(wanted.puzzle(names), REVEALS) for names in wanted}
    assert any(refuted.values())
    for names, reveal in refuted.items():
        assert reveal is None or counts(wanted.puzzle(names), [reveal]) == (0,)


# --- searching ----------------------------------------------------------------------------------


def explored(wanted: Space, log: Path | None = None, tries: int = 0) -> Explorer:
    with ThreadPoolExecutor(1) as executor, closing(Log(log, "patch")) as kept:
        explorer = Explorer(Requirement(wanted, REVEALS), executor, kept, lambda *_: None)
        if tries:
            climb(explorer, ["few"], tries, seed=7)
        else:
            exhaust(explorer)
    return explorer


@cache
def every() -> Explorer:
    return explored(space(PUZZLE, SIZES, must=["L"]))


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
    verdicts = every().verdicts.values()
    figures = [figure(v.counts) for v in standing(verdicts, every().question, [goal])]
    assert len(verdicts) == len(every().question.space)
    assert len(figures) > 1
    assert figures == pytest.approx(sorted(figures), abs=1e-4)


def test_a_climb_finds_the_best_of_a_small_space():
    wanted = space(PUZZLE, SIZES, must=["L"])
    few = [
        next(standing(explorer.verdicts.values(), explorer.question, ["few"])).pieces
        for explorer in (explored(wanted, tries=320), every())
    ]
    assert few[0] == few[1]


def test_a_climb_tries_no_more_sets_than_were_asked_for():
    assert 0 < len(explored(space(PUZZLE, SIZES), tries=5).verdicts) <= 5


def test_a_brood_is_work_for_several_processes():
    with mock.patch.object(
        ThreadPoolExecutor, "submit", autospec=True, side_effect=ThreadPoolExecutor.submit
    ) as submitted:
        explored(space(PUZZLE, SIZES), tries=32)
    assert submitted.call_count >= 8


def test_a_log_is_gone_on_with_if_it_is_whole(tmp_path):
    path = tmp_path / "log"
    wanted = space(PUZZLE, SIZES, must=["X"])
    whole = explored(wanted, path).verdicts
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:20]) + lines[20][:7])  # as a kill leaves it
    assert explored(wanted, path).verdicts == whole
    assert path.read_text() == "".join(lines)
    with pytest.raises(FormatError, match="a search with other options"):
        Log(path, "rhombus")
    path.write_text("".join(lines[:2]) + "[1]\n")
    with pytest.raises(FormatError, match="line 3 is damaged"):
        Log(path, "patch")
    path.write_text("pat")  # as a kill leaves it
    Log(path, "patch").close()
    assert path.read_text() == "patch\n"


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path):
    path = tmp_path / "letter"
    path.write_text("a line without an end")
    with pytest.raises(FormatError, match="a search with other options"):
        Log(path, "patch")
    assert path.read_text() == "a line without an end"
    with pytest.raises(FileTrouble, match="No such file or directory"):
        Log(tmp_path / "nowhere" / "log", "patch")


# --- the commands -------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path):
    board = write(PATCH, tmp_path / "patch.toml")
    return ["design", "-b", str(board), "--sizes", "2x5,1x4", "--all-reveals"]


def test_the_answer_is_the_same_on_two_cores_and_after_a_kill(satcal, command, tmp_path):
    log, undisturbed, again = (tmp_path / name for name in ("log", "one.csv", "again.csv"))
    command += ["--all", "-q"]
    assert satcal(*command, "-o", str(undisturbed), "-j", "1").code == 0
    logged = [*command, "-o", str(again), "-j", "2", "--log", str(log)]
    run = [sys.executable, "-m", "satcal", *logged]
    with subprocess.Popen(run, start_new_session=True) as process:
        until(lambda: log.exists() and log.read_bytes().count(b"\n") >= 20)
        os.killpg(process.pid, signal.SIGKILL)
    assert not again.exists()
    assert satcal(*logged).code == 0
    assert again.read_bytes() == undisturbed.read_bytes()
    assert len(list(csv.DictReader(again.read_text().splitlines()))) == 330


def test_a_climb_is_the_same_on_two_cores(satcal, command):
    climbing = [*command, "--tries", "64", "--seed", "3"]
    assert satcal(*climbing, "-j", "1").out == satcal(*climbing, "-j", "2").out != ""


def test_each_refuted_set_is_proved_to_have_too_few_tilings(satcal, command, tmp_path):
    path, rows = tmp_path / "none.satcert", tmp_path / "rows.csv"
    command += ["--must", "L", "--at-least", "2", "--all", "-o", str(rows)]
    said = satcal(*command, "--certify", str(path))
    refuted = {
        row["pieces"]: row["refuted_by"]
        for row in csv.DictReader(rows.read_text().splitlines())
        if row["refuted_by"]
    }
    assert (said.code, len(refuted) > 20) == (0, True), said.err
    proved = checkers.accepts(path.read_bytes())
    assert {name: " ".join(reveal) for name, reveal, _ in proved} == refuted
    assert {tilings for _, _, tilings in proved} == {0, 1}
    wanted = space(PUZZLE, SIZES, must=["L"])
    for name, reveal, tilings in proved:
        assert counts(wanted.puzzle(tuple(name.split())), [reveal]) == (tilings,)
    assert f"{path}: {len(refuted)} statements, each proved and checked" in said.err
    whole = path.read_bytes()
    path.with_name("none.satcert.part").write_bytes(whole[: len(whole) // 2])  # as a kill leaves it
    path.unlink()
    assert (
        "already there and passed the check"
        in satcal(*command, "--force", "--certify", str(path)).err
    )
    assert path.read_bytes() == whole


def test_where_nothing_is_refuted_there_is_nothing_to_prove(satcal, command, tmp_path):
    path = tmp_path / "none.satcert"
    said = satcal(*command, "--must", "L,V", "--at-least", "0", "--certify", str(path))
    assert (said.code, path.exists()) == (0, False)
    assert "there is nothing to prove" in said.err


def test_the_best_set_is_a_puzzle_that_satcal_reads(satcal, command, tmp_path):
    board, best, wanted = command[2], tmp_path / "best.toml", tmp_path / "wanted.toml"
    wanted.write_text(
        f'sizes = ["2x5", "1x4"]\nall-reveals = true\ngoal = "many"\nlimit = 1\nmust = "L"\n'
        f'pieces = ["{board}"]\nall = false\nlist = false\n'
    )
    said = satcal("design", str(wanted), "-b", board, "--best", str(best), "--format", "json")
    assert said.code == 0
    found = PuzzleDiagram.build(load(str(best))).counts()
    assert f'"total": {sum(found.values())}' in said.out
    assert said.out.count('"pieces"') == 1
    assert "all 55 sets tried: " in said.err
    assert "patch.toml: its set, T4 I V, was not tried" in said.err


# --- labels moved -------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [1, 4, 5, 6, 8, 30])
@pytest.mark.parametrize("reveals", [REVEALS, REVEALS[:2]])
def test_labels_can_be_moved_where_brute_force_finds_a_way(reveals, least):
    pairs = survey(PUZZLE).counts
    possible = any(
        all(pairs[min(at[a], at[b]), max(at[a], at[b])] >= least for a, b in reveals)
        for cells in itertools.permutations(PUZZLE.cells, 4)
        for at in [dict(zip("ab12", cells, strict=True))]
    )
    moved = places(PUZZLE, reveals, least).arranged()
    assert (moved is not None) == possible
    if moved:
        assert min(counts(moved, reveals)) >= least


@pytest.fixture
def no_way(tmp_path):
    """The command for a board that has no arrangement with two tilings everywhere."""
    outline = ((".", "*", "*", "*"), ("*", "*", "1", "."), *PATCH.board[2:])
    pieces = [("##",), ("#..", "#..", "###"), ("##.", ".##", "..#")]
    drawn = tuple(zip("DVW", pieces, (1, 1, 1), (True,) * 3, strict=True))
    board = str(write(replace(PATCH, board=outline, pieces=drawn), tmp_path / "patch.toml"))
    return ["arrange", "-b", board, "--all-reveals", "--at-least"]


def test_a_board_without_an_arrangement_is_exit_1(satcal, no_way):
    said = satcal(*no_way, "2")
    assert (said.code, said.out) == (1, "")
    assert "no arrangement of the labels has at least 2 everywhere" in said.err


def test_that_there_is_no_arrangement_is_proved(satcal, no_way, tmp_path):
    formula, proof = tmp_path / "none.cnf", tmp_path / "none.lrat"
    command = [*no_way, "2", "--proof", str(tmp_path / "none")]
    assert satcal(*command).code == 1
    lines = formula.read_text().splitlines()
    said = [line.split() for line in lines if line.startswith("c ")]
    assert len({number for _, number, *_ in said}) == len(said)
    clauses = "\n".join(line for line in lines if not line.startswith("c "))
    assert replay(clauses, proof.read_text()) > 0
    lemma = re.sub(r"(?m)^(\d+ )-?\d+ ", r"\1", proof.read_text(), count=1)
    with pytest.raises(ValueError, match="hint"):
        replay(clauses, lemma)
    again = satcal(*command)
    assert (again.code, "exists already" in again.err) == (2, True)
    assert satcal(*command, "--force").code == 1


def test_an_arrangement_needs_no_proof(satcal, no_way, tmp_path):
    assert satcal(*no_way, "0", "--proof", str(tmp_path / "none")).code == 0
    assert not list(tmp_path.glob("none*"))


def test_ctrl_c_stops_the_solver_that_places_labels(monkeypatch):
    class Interrupted(Solver):
        def solve(self, *args):
            raise pysolvers.error("Caught keyboard interrupt")

    monkeypatch.setattr("satcal.designing.arranging.Solver", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        places(PUZZLE, REVEALS, 1).arranged()


# --- the sold board -----------------------------------------------------------------------------
@pytest.mark.long
def test_sets_of_the_sold_board_are_decided_as_in_the_results():
    path = Path(__file__).parents[2] / "results" / "design" / "a-puzzle-a-day.csv.gz"
    with gzip.open(path, "rt") as stream:
        rows = {tuple(row["pieces"].split()): row["refuted_by"] for row in csv.DictReader(stream)}
    board = load("a-puzzle-a-day")
    wanted = space(board, [(5, 7), (6, 1)])
    question = Requirement(wanted, tuple(r for r in board.reveals() if board.calendar.is_date(r)))
    sets = random.Random(1).sample(list(rows), 200)
    for verdict in decide(question, sets, [("Apr", "6")], False):
        known = rows[verdict.pieces]
        assert bool(verdict.refuted_by) == bool(known)
        for refuted_by in filter(None, (tuple(known.split()), verdict.refuted_by)):
            assert count(wanted.puzzle(verdict.pieces), refuted_by, method="search") == 0
