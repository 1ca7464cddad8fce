"""Tests of programs that are missing are skipped, and said; in CI they fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import PACKAGES, closing_line, link_others, named_in

USES_MINISAT = (
    "tests/crosscheck/test_misbehaving_programs.py::test_a_wrong_count_is_exit_1_and_says_whose"
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
