"""The helpers of the tests hold what they promise; missing programs are skipped, and said."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import find, given, settings

from helpers.programs import PACKAGES, closing_line, link_others, named_in
from helpers.puzzles import domino_rectangle, faces, small_puzzles

RULES = {
    "a label on several cells": lambda small: any(
        n > 1 for text, n in Counter(sum(small.board, ())).items() if text not in ".*"
    ),
    "a piece of two names": lambda small: len(small.spots(())[0]) < len(small.pieces),
    "a one-sided piece": lambda small: any(
        faces(rows, False) != faces(rows, True) for _, rows, _, flip in small.pieces if not flip
    ),
    "no tiling": lambda small: not any(map(small.tilings, small.reveals())),
    "copies": lambda small: any(copies > 1 for _, _, copies, _ in small.pieces),
    "cells without a label": lambda small: any("*" in row for row in small.board),
    "gaps": lambda small: any("." in row for row in small.board),
    "two categories": lambda small: len(small.categories) > 1,
    "no category": lambda small: not small.categories,
}


def test_the_brute_force_knows_the_counts_of_dominoes_and_of_two_l4(two_l4):
    assert len(two_l4.tilings(())) == 2
    counts = [len(domino_rectangle(2, width).tilings(())) for width in range(1, 7)]
    assert counts == [1, 2, 3, 5, 8, 13]


@given(small_puzzles(solvable=True))
@settings(max_examples=30)
def test_puzzles_that_are_solvable_by_construction_have_a_tiling(small):
    assert any(small.tilings(reveal) for reveal in small.reveals())


def test_the_random_puzzles_cover_every_rule_of_the_format():
    for rule in RULES.values():
        assert find(small_puzzles(), rule)


USES_MINISAT = (
    "tests/external/test_misbehaving_programs.py::test_a_wrong_count_is_exit_1_and_says_whose"
)


@pytest.mark.parametrize(
    ("all_of_them", "code", "end"),
    [
        ("", 0, " skipped, which need minisat; to run them: apt-get install minisat"),
        ("1", 1, " error"),
    ],
)
def test_what_is_missing_is_skipped_and_named_last_unless_everything_has_to_be_here(
    tmp_path, all_of_them, code, end
):
    link_others(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names.isdisjoint(PACKAGES)
    assert {"sh", "git"} <= names
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", USES_MINISAT],
        env=os.environ
        | {
            "PATH": str(tmp_path),
            "SATCAL_TEST_ALL": all_of_them,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == code, run.stdout
    assert any(end in line for line in run.stdout.splitlines()[-2:])


def test_the_one_command_installs_each_package_once():
    reasons = ["Skipped: needs postgres, initdb", "Skipped: needs clasp", "Skipped: not on Linux"]
    assert closing_line(reasons) == (
        "2 tests were skipped, which need clasp, initdb, postgres; "
        "to run them: apt-get install clasp postgresql"
    )


def test_the_programs_of_a_command_are_found_and_names_of_files_are_none():
    assert named_in("satcal cross-check --with clasp,cadical") == ["cadical", "clasp"]
    assert named_in("xz -d < a.cnf.xz | picosat") == ["picosat", "xz"]
    assert named_in("satcal export -o a.cnf.xz") == []
