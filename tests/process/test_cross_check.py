"""External programs end with satcal; after Ctrl-C, what was compared is shown."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.commands import Fake
from helpers.waiting import gone

TWO_L4 = Path(__file__).parents[2] / "encodings" / "puzzles" / "two-L4.toml"


@pytest.mark.needs("minisat")
@pytest.mark.parametrize("how", ["INT", "TERM", "KILL"])
def test_a_program_ends_with_satcal(fake: Fake, tmp_path: Path, how: str) -> None:
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
