"""A file under its final name is whole, whatever the disk and the rights are."""

import os
import resource
import sys

from command import run_in_process
from helpers.programs import bound_by_permissions
from process.conftest import PYTHON
from satcal.processes import LocalProcesses


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
        "count 2015 -o there.csv --force",
        "count 2015 -o there.json",
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


def test_a_missing_right_is_exit_3(shell, folder):
    (folder / "closed").mkdir(mode=0o500)
    words = " ".join(bound_by_permissions())
    answer = shell(f"exec {words} {PYTHON} -m satcal count Oct 6 -o closed/a.csv")
    assert answer.code == 3, answer.err
    assert list((folder / "closed").iterdir()) == []
