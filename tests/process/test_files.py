"""A file under its final name is whole, whatever the disk and the rights are."""

import os
import resource
import shlex
import sys

import pytest

from command import run_in_process
from helpers.programs import bound_by_permissions
from satcal.processes import LocalProcesses

PYTHON = shlex.quote(sys.executable)
COUNT = "count 2015"


def on_full_disk(lines, today):
    """Run command lines where no file can have more than 1,000 bytes."""
    sys.dont_write_bytecode = True  # what Python compiles would be cut off
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    return [run_in_process(line.split(), today) for line in lines]


def test_a_full_disk_is_exit_3_and_no_new_file_under_its_name(folder, today):
    (folder / "there.csv").write_text("before\n")
    lines = [
        f"{COUNT} -o there.csv --force",
        f"{COUNT} -o there.json",
        "solve Oct 7 --all -o there.txt",
        "solve Oct 6 --all -o there.svg",
        "certify Oct 6 -o there.satcert",
    ]
    with LocalProcesses(1) as executor:
        answers = executor.submit(on_full_disk, lines, today).result()
    assert [answer.code for answer in answers] == [3] * len(lines), answers
    assert all("there" in answer.err for answer in answers)
    assert {path.name for path in folder.iterdir()} == {"there.csv", "tmp"}
    assert (folder / "there.csv").read_text() == "before\n"


@pytest.mark.parametrize("line", [f"{COUNT} -o closed/a.csv", "certify Oct 6 -o closed/a.satcert"])
def test_a_missing_right_is_exit_3(shell, folder, line):
    (folder / "closed").mkdir(mode=0o500)
    words = " ".join(bound_by_permissions())
    answer = shell(f"exec {words} {PYTHON} -m satcal {line}")
    assert answer.code == 3, answer.err
    assert list((folder / "closed").iterdir()) == []


def test_a_device_is_written_and_stays(shell):
    answer = shell("satcal count Oct 6 -q --format csv -o /dev/stdout")
    assert (answer.code, answer.rows[0]["tilings"]) == (0, "7")
    assert os.path.exists("/dev/stdout")
