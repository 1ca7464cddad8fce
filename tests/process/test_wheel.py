"""The wheel works where the checkout is out of the way."""

import shlex
import shutil
from pathlib import Path

from hatchling.build import build_wheel

from process.conftest import PYTHON

ROOT = Path(__file__).parents[2]
COUNT_AND_CLAIM = """
import satcal, sys
from satcal.cli.main import run
print(satcal.__file__)
run(["count", "--reveal", "Oct,6", "-q"])
run(["claims", sys.argv[1]])
"""


def test_the_wheel_counts_and_carries_the_library_the_claims_and_the_tables(
    shell, tmp_path, monkeypatch
):
    monkeypatch.chdir(ROOT)
    shutil.unpack_archive(tmp_path / build_wheel(str(tmp_path)), tmp_path, "zip")
    monkeypatch.chdir(tmp_path)
    published = tmp_path / "satcal" / "results" / "published"
    names = {path.name for path in published.iterdir()}
    assert names == {path.name for path in (ROOT / "results" / "published").iterdir()}
    (kuniga,) = published.glob("kuniga*")
    words = shlex.join([COUNT_AND_CLAIM, str(kuniga)])
    answer = shell(f"{PYTHON} -c {words}", PYTHONPATH=str(tmp_path))
    assert answer.out.startswith(f"{tmp_path}/satcal/")
    assert ",Oct,6,7,diagram" in answer.out
    assert "1 of a-puzzle-a-day by sat" in answer.err
    assert "5 confirmed" in answer.err
