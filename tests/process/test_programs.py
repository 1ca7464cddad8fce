"""External programs end with satcal, or at a time limit; what was compared is shown."""

import csv
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.certificates import five_made
from helpers.waiting import gone
from satcal.certificates.checking import check_within
from satcal.errors import BudgetExhausted

TWO_L4 = Path(__file__).parents[2] / "encodings" / "puzzles" / "two-L4.toml"


@pytest.mark.needs("minisat")
@pytest.mark.parametrize("how", ["INT", "KILL"])
def test_a_program_ends_with_satcal(fake, tmp_path, how):
    fake("picosat", f"echo $$ > {tmp_path}/child; kill -{how} $PPID; exec sleep 300")
    command = [sys.executable, "-m", "satcal", "cross-check", "--board", str(TWO_L4), "--with"]
    done = subprocess.run(
        [*command, "minisat,picosat"], capture_output=True, text=True, check=False
    )
    assert gone(int((tmp_path / "child").read_text()))
    if how == "KILL":
        assert done.returncode == -signal.SIGKILL
        return
    assert done.returncode == 3
    assert [row["outcome"] for row in csv.DictReader(done.stdout.splitlines())] == ["agrees"]


def test_a_checker_that_hangs_is_waited_for_until_the_time_limit(fake):
    fake("cake_lpr", "exec sleep 600")
    with pytest.raises(BudgetExhausted, match="--time-limit"):
        check_within(five_made("a3"), ["cake_lpr"], seconds=0.5)
