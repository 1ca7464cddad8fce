"""The wheel works where the checkout is out of the way."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


def test_the_wheel_counts_and_carries_the_library_the_claims_and_the_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    shutil.unpack_archive(tmp_path / build_wheel(str(tmp_path)), tmp_path, "zip")
    published = tmp_path / "satcal" / "results" / "published"
    names = {path.name for path in published.iterdir()}
    assert names == {path.name for path in (ROOT / "results" / "published").iterdir()}
    (kuniga,) = published.glob("kuniga*")
    printed = subprocess.run(
        [sys.executable, "-c", COUNT_AND_CLAIM, str(kuniga)],
        cwd=tmp_path,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    ).stdout
    assert printed.startswith(f"{tmp_path}/satcal/")
    assert ",Oct,6,7,diagram" in printed
    assert "1 of a-puzzle-a-day by sat" in printed
    assert "5 confirmed" in printed
