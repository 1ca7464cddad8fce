"""The commands and figures of encodings/README.md are true."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys

import pytest

from helpers.programs import named_in, need
from helpers.solvers import ENCODINGS_FOLDER
from satcal.files import read_text
from tools import golden

README = (ENCODINGS_FOLDER / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", README, re.M | re.S)
SATCAL = 'satcal() { "$PYTHON" -c "from satcal.cli.main import main; main()" "$@"; }\n'


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_commands_of_the_readme_work_and_count_seven_tilings(block, tmp_path):
    need(*named_in(block))
    shutil.copy(ENCODINGS_FOLDER / "a-puzzle-a-day.Oct-6.ladder.cnf.xz", tmp_path)
    done = subprocess.run(
        ["bash", "-e", "-c", SATCAL + block],
        cwd=tmp_path,
        env={**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ENCODINGS_FOLDER.parent)},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    counts = re.findall(r"^(?:c )?Models +: (\d+)$", done.stdout, re.M)
    assert counts == ["7"] * block.count("grep Models")


def test_the_comments_that_the_readme_shows_stand_in_a_golden_file():
    path = ENCODINGS_FOLDER / "letter-and-digit.open.owner.cnf.xz"
    lines = read_text(path, "golden file", golden.MAX_GOLDEN).splitlines()
    shown = re.findall(r"^    (c var .*?)(?:  |$)", README, re.M)
    assert len(shown) == 3
    assert set(shown) <= set(lines)


def test_the_times_are_those_of_the_measured_table_also_of_making_the_lemmas():
    path = ENCODINGS_FOLDER.parent / "results" / "benchmarks" / "encodings.csv"
    measured = {
        row["encoding"]: row
        for row in csv.DictReader(path.read_text().splitlines())
        if row["reveal"] == "Jan 25"
    }
    table = README.partition("## Sizes and times")[2].partition("## Lemmas")[0]
    head, _, *lines = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    )
    assert head[-1] == "make, lemmas"
    for name, *cells in lines:
        figures = [measured[name][column] for column in head[1:]]
        assert [cell.replace(",", "") for cell in cells] == figures
