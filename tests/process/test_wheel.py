"""The wheel works where the checkout is out of the way."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.build import build_wheel

from helpers.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
COUNT_AND_CLAIM = """
import satcal, sys
from satcal.cli.main import run
print(satcal.__file__)
run(["count", "--reveal", "Oct,6", "-q"])
run(["claims", sys.argv[1]])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what the wheel holds, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        shutil.unpack_archive(folder / build_wheel(str(folder)), folder, "zip")
    return folder


def ran(installed, cwd, script, *arguments):
    """Return what a program prints that imports satcal from the wheel."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=cwd,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": str(installed)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    ).stdout


def test_the_wheel_counts_and_carries_the_library_the_claims_and_the_tables(installed, tmp_path):
    published = installed / "satcal" / "results" / "published"
    names = {path.name for path in published.iterdir()}
    assert names == {path.name for path in (ROOT / "results" / "published").iterdir()}
    (kuniga,) = published.glob("kuniga*")
    printed = ran(installed, tmp_path, COUNT_AND_CLAIM, str(kuniga))
    assert printed.startswith(f"{installed}/satcal/")
    assert ",Oct,6,7,diagram" in printed
    assert "1 of a-puzzle-a-day by sat" in printed
    assert "5 confirmed" in printed
