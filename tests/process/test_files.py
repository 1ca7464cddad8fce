"""A file under its final name is whole, whatever the disk and the rights are."""

from __future__ import annotations

import os
import shlex
import sys

import pytest

from helpers.programs import bound_by_permissions

PYTHON = shlex.quote(sys.executable)
LINES = {
    "count rhombus --year 2015 -o there.csv": "there.csv",
    "count rhombus --year 2015 -o there.json": "there.json",
    "solve rhombus 2015-01-01 --all -o there.txt": "there.txt",
    "solve rhombus 2015-01-01 --limit 40 -o there.svg": "there.svg",
    "certify rhombus 2015-01-01..2015-01-05 -o there.satcert": "there.satcert",
}


@pytest.mark.promise("a full disk")
@pytest.mark.parametrize("line", LINES)
def test_a_full_disk_is_exit_3_and_no_file_under_its_name(shell, folder, line) -> None:
    answer = shell(f"ulimit -f 4; satcal {line}")  # no file of more than 4 kB
    assert answer.code == 3, answer.err
    assert "Traceback" not in answer.err
    assert sorted(path.name for path in folder.iterdir()) in (
        ["tmp"],
        ["there.satcert.part", "tmp"],
    )


@pytest.mark.promise("a full disk")
def test_a_full_disk_keeps_what_was_there(shell, folder) -> None:
    (folder / "there.csv").write_text("before\n")
    assert shell("ulimit -f 4; satcal count rhombus --year 2015 -o there.csv --force").code == 3
    assert (folder / "there.csv").read_text() == "before\n"


@pytest.mark.promise("a folder that may not be written")
@pytest.mark.parametrize("line", LINES)
def test_a_missing_right_is_exit_3(shell, folder, line) -> None:
    (folder / "closed").mkdir(mode=0o500)
    words = " ".join(bound_by_permissions())
    name = LINES[line]
    answer = shell(f"exec {words} {PYTHON} -m satcal {line.replace(name, f'closed/{name}')}")
    assert answer.code == 3, answer.err
    assert list((folder / "closed").iterdir()) == []


def test_a_device_is_written_and_stays(shell) -> None:
    answer = shell("satcal count Oct 6 -q --format csv -o /dev/stdout")
    assert (answer.code, answer.rows[0]["tilings"]) == (0, "7")
    assert os.path.exists("/dev/stdout")
