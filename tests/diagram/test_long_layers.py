"""A count by layers that is killed, as a user would meet it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import growing


@pytest.mark.long
def test_a_killed_count_by_layers_goes_on_with_the_same_command(tmp_path: Path) -> None:
    board, cache = tmp_path / "large.toml", tmp_path / "cache"
    board.write_text(growing.rectangle(22, 22, {"I2": ("##", 242)}))
    command = [
        sys.executable, "-m", "satcal", "count", "--board", str(board), "--memory-limit", "300M",
        "--store", "none", "--verify", "0", "--format", "csv",
    ]  # fmt: skip
    environment = os.environ | {"SATCAL_CACHE": str(cache)}
    killed = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    while not list(cache.glob("layers-*.zip")):
        assert killed.poll() is None, "it ended before its first checkpoint"
        time.sleep(0.1)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    # Kasteleyn's formula for 22 by 22 (Physica 27, 1961)
    assert said.stdout == (
        "date,tilings,methods\n"
        ",30273700492231603015150204108772562780931587428193514539008,diagram\n"
    )
    first = said.stderr.split("layers, layer ")[1]
    assert int(first.split()[0]) > 80
    assert not list(cache.iterdir())
